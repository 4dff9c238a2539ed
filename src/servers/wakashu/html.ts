/** HTML by template, where whatever is put in is escaped unless it was made by the same template. */

export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[];

export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < parts.length ? render(parts[index]) : "")).join(""),
  );
}

function render(part: HtmlPart): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.source;
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return part.map(render).join("");
}

function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "amp",
    "<": "lt",
    ">": "gt",
    '"': "quot",
    "'": "#39",
  };
  return text.replace(/[&<>"']/g, (character) => `&${names[character]};`);
}
