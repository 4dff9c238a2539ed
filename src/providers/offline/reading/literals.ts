/**
 * Values that show themselves by their form: quoted text, JSON, lists, URLs, e-mail addresses, paths, dates,
 * times, identifiers and numbers. Each is found once; a form that is tried earlier keeps its characters. Every
 * pattern is linear, and the text is bounded by the caller.
 */
import type { JsonValue } from "../../../conversation/index.ts";
import { parseLoosely } from "./bracketed.ts";
import { type CalendarDate, type ClockTime, findDates, findTimes } from "./dates.ts";
import { findNumbers, type NumberValue } from "./numbers.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Literal = Span &
  (
    | { readonly type: "quoted"; readonly value: string }
    | { readonly type: "json"; readonly value: JsonValue }
    | {
        readonly type: "url" | "email" | "path" | "identifier" | "expression" | "address" | "pattern";
        readonly value: string;
      }
    | { readonly type: "date"; readonly date: CalendarDate; readonly value: string }
    | { readonly type: "time"; readonly time: ClockTime; readonly value: string }
    | { readonly type: "number"; readonly number: NumberValue; readonly value: string }
  );

const QUOTES: readonly RegExp[] = [
  /「([^「」]{1,2000})」/g,
  /『([^『』]{1,2000})』/g,
  /“([^“”]{1,2000})”/g,
  /`([^`\n]{1,2000})`/g,
  /"([^"\n]{1,2000})"/g,
  /(?<![A-Za-z0-9])'((?:[^'\n]|'(?=[A-Za-z])){1,1000})'(?![A-Za-z])/g,
  /‘([^‘\n]{1,1000})'(?![A-Za-z])/g,
];

const EXTENSIONS =
  "txt|md|json|jsonl|ya?ml|toml|csv|tsv|xml|html?|css|scss|[cm]?[jt]sx?|py|rb|rs|go|java|kt|c|h|cpp|hpp|cs|php|swift|sh|bash|sql|log|ini|cfg|conf|env|lock|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|heic|mp[34]|wav|mov|avi|zip|gz|tar|ipynb|db|sqlite|vue|svelte|gradle|properties|plist|diff|patch";

const SHAPES: readonly (readonly [
  Extract<Literal["type"], "url" | "email" | "path" | "identifier" | "expression" | "address" | "pattern">,
  RegExp,
])[] = [
  ["url", /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>「」『』（）、。]+/gi],
  ["pattern", /(?<![^\s"'`「(])[\w./-]*\*{1,2}[\w./*{},-]+(?![^\s"'`」),])/g],
  ["email", /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g],
  [
    "address",
    /(?<![\w.])\d{1,5}(?: [A-Za-z]{1,20}){1,4} (?:street|st|avenue|ave|road|rd|boulevard|blvd|drive|lane|square|way)\b\.?/gi,
  ],
  ["path", /(?<![\p{L}\p{N}])[A-Za-z]:[\\/][^\s"'<>|*?「」、。]*/gu],
  ["path", /(?<![\p{L}\p{N}/:])(?:~|\.{1,2})?\/[^\s"'<>|*?「」、。,;()]+/gu],
  ["path", new RegExp(`(?<![\\w/.])(?:[\\w@-][\\w@.-]*/){0,20}[\\w@.-]*\\.(?:${EXTENSIONS})(?![\\w/])`, "g")],
  ["path", /(?<![\w/.])(?:[a-z_][\w.-]*\/){1,20}[\w.-]*(?![\w/])/g],
  // Files that have no ending anywhere.
  [
    "path",
    /(?<![\w./-])(?:LICEN[SC]E|Makefile|Dockerfile|Gemfile|Rakefile|Jenkinsfile|Procfile|Vagrantfile)(?![\w/-]|\.\w)/g,
  ],
  [
    "url",
    /(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|ai|dev|co|edu|gov|jp|uk|app)(?:\/[^\s"'<>]*)?(?![\w-])/gi,
  ],
  [
    "expression",
    /(?<![\w^])[-+]?[\d.]*[a-z](?:\^|\*\*)[\d.]+(?:\s*[-+*/]\s*[\d.]*[a-z]?(?:(?:\^|\*\*)[\d.]+)?){0,12}(?![\w^])/gi,
  ],
  [
    "identifier",
    /(?<![\w.])#?(?=[\w/-]{0,40}\d)(?=[\w/-]{0,40}[A-Za-z])[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+){1,8}(?![\w])/g,
  ],
  ["identifier", /(?<![\w./-])(?:[A-Za-z]+_)+\w+(?![\w/])/g],
  ["identifier", /(?<![\w/#@])[#@][A-Za-z][\w-]{1,60}/g],
  ["identifier", /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]\d)/g],
  ["identifier", /(?<![\w.])(?:\d{3,4}-\d{3,4}-\d{4}|\+\d{1,3}[\d -]{7,14}\d)(?![\w-])/g],
];

export function findLiterals(text: string, now: Date): readonly Literal[] {
  const found: Literal[] = [];
  const free = (span: Span) => !found.some((other) => span.start < other.end && other.start < span.end);
  const claim = (literal: Literal) => {
    if (free(literal)) found.push(literal);
  };

  for (const bracketed of parseLoosely(text)) claim({ type: "json", ...bracketed });
  for (const pattern of QUOTES)
    for (const match of text.matchAll(pattern)) {
      // American style puts the sentence's comma inside the quotes.
      const value = (match[1] ?? "").trim().replace(/,$/, "");
      if (value !== "")
        claim({ type: "quoted", value, start: match.index, end: match.index + match[0].length });
    }
  const open = text.indexOf('"');
  // A quote that was never closed runs to the end.
  if (
    open >= 0 &&
    text.indexOf('"', open + 1) < 0 &&
    open < text.length - 2 &&
    /\s/.test(text[open - 1] ?? " ")
  )
    claim({ type: "quoted", value: text.slice(open + 1).trim(), start: open, end: text.length });
  for (const [type, pattern] of SHAPES.slice(0, 3)) shapes(type, pattern);
  for (const { start, end, date } of findDates(text, now))
    claim({ type: "date", date, value: text.slice(start, end), start, end });
  for (const { start, end, time } of findTimes(text))
    claim({ type: "time", time, value: text.slice(start, end), start, end });
  for (const [type, pattern] of SHAPES.slice(3)) shapes(type, pattern);
  for (const { start, end, number } of findNumbers(text))
    claim({ type: "number", number, value: text.slice(start, end), start, end });
  for (const match of text.matchAll(/(?<![\w.])(?=\w{0,40}\d)(?=\w{0,40}[A-Za-z])\w{2,60}(?!\w)/g))
    claim({ type: "identifier", value: match[0], start: match.index, end: match.index + match[0].length });
  return found.sort((left, right) => left.start - right.start);

  function shapes(type: (typeof SHAPES)[number][0], pattern: RegExp): void {
    for (const match of text.matchAll(pattern)) {
      const value = match[0].replace(/[.,;:!?)\]]+$/, "");
      // and/or, he/she, km/h: words with a slash between are no path.
      if (type === "path" && /^[a-z]{1,12}\/[a-z]{1,12}$/i.test(value) && !text.includes(`${value}/`))
        continue;
      if (type === "path" && /^(?:console\.log|(?:node|vue|next|three|react)\.js)$/i.test(value)) continue;
      // "30-year", "80-year-old" are a number and its unit.
      if (type === "identifier" && /^\d+(?:-[a-z]+)+$/.test(value)) continue;
      if (value.length < 2) continue;
      claim({ type, value, start: match.index, end: match.index + value.length });
    }
  }
}
