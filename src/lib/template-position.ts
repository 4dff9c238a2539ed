/**
 * Where somebody is in a URI template while they type: still in its fixed part, or in one of its variables. For
 * completion only; whether a whole URI fits is uri-template.ts.
 */
export type TemplatePosition =
  /** The fixed text goes on: `text` is what was typed with all of it. */
  | { readonly type: "fixed"; readonly text: string }
  | {
      readonly type: "variable";
      readonly name: string;
      /** What is typed of it, percent-decoded. */
      readonly value: string;
      /** What stands before it, as typed. */
      readonly before: string;
      /** The fixed text behind it, up to the next variable. */
      readonly after: string;
      /** Variables that have their values already, percent-decoded. */
      readonly others: Readonly<Record<string, string>>;
      /** `{+name}`: slashes may stand in it. */
      readonly reserved: boolean;
    };

/** Undefined when what is typed does not fit, or nothing is left to type, or the template is of a rarer kind. */
export function templatePosition(template: string, typed: string): TemplatePosition | undefined {
  const parts = template.split(/(\{[^}]*\})/).filter((part) => part !== "");
  const others: Record<string, string> = {};
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const rest = typed.slice(at);
    const expression = /^\{(\+?)([A-Za-z0-9_.]+)\}$/.exec(part);
    if (!expression) {
      if (part.startsWith("{")) return undefined;
      if (!rest.startsWith(part))
        return part.startsWith(rest) ? { type: "fixed", text: typed.slice(0, at) + part } : undefined;
      at += part.length;
      continue;
    }
    const [, operator, name = ""] = expression;
    const next = parts[index + 1] ?? "";
    const after = next.startsWith("{") ? "" : next;
    const reserved = operator === "+";
    const length = reserved ? -1 : endOfValue(rest, after);
    if (length < 0) {
      return {
        type: "variable",
        name,
        value: decode(rest),
        before: typed.slice(0, at),
        after,
        others,
        reserved,
      };
    }
    others[name] = decode(rest.slice(0, length));
    at += length;
  }
  return undefined;
}

/** A slash ends a value, and so does the fixed text behind it. Negative while it goes on. */
function endOfValue(rest: string, after: string): number {
  const fixed = after === "" ? -1 : rest.indexOf(after);
  const slash = rest.search(/[/?#]/);
  return fixed < 0 || (slash >= 0 && slash < fixed) ? slash : fixed;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
