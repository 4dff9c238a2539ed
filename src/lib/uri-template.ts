/** The little of RFC 6570 that resource templates use: which variables there are, and whether a URI fits. */
const EXPRESSION = /\{([+#./;?&]?)([^}]+)\}/g;

export function templateVariables(template: string): readonly string[] {
  return [...template.matchAll(EXPRESSION)].flatMap(([, , names = ""]) =>
    names.split(",").map((name) => name.replace(/(\*|:\d+)$/, "").trim()),
  );
}

/** Bounded and without backtracking traps: each expression is one class, repeated. */
export function matchesTemplate(template: string, uri: string): boolean {
  if (template.length > 2000 || uri.length > 10_000) return false;
  let pattern = "";
  let last = 0;
  for (const match of template.matchAll(EXPRESSION)) {
    pattern += escapePattern(template.slice(last, match.index));
    const operator = match[1] ?? "";
    // `{?a,b}` and `{&a}` may be left out; `{+path}` and `{#x}` let slashes through; the rest is one segment.
    pattern +=
      operator === "?" || operator === "&" ? "(?:[?&][^#]*)?" : /[+#]/.test(operator) ? ".+" : "[^/?#]+";
    last = match.index + match[0].length;
  }
  pattern += escapePattern(template.slice(last));
  return new RegExp(`^${pattern}$`, "su").test(uri);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
