/**
 * Lists and objects written into a sentence: JSON, Python-like literals with single quotes, `[a, b]`, `(3, 4)`,
 * `{'x': 1}`, and coordinates such as `(33.4 N, 112.0 W)`. Nothing is evaluated; what does not read as data is
 * left to the sentence. Depth and length are bounded.
 */
import type { JsonValue } from "../../../conversation/index.ts";

const MAX_LENGTH = 4000;
const MAX_DEPTH = 8;
const CLOSING: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")" };

export interface Bracketed {
  readonly value: JsonValue;
  readonly start: number;
  readonly end: number;
}

export function parseLoosely(text: string): readonly Bracketed[] {
  const found: Bracketed[] = [];
  let index = 0;
  while (index < text.length) {
    const opening = text[index] ?? "";
    if (!(opening in CLOSING)) {
      index += 1;
      continue;
    }
    const read = readValue(text, index, 0, Math.min(text.length, index + MAX_LENGTH));
    if (read === undefined || !isUseful(opening, read.value)) {
      index += 1;
      continue;
    }
    found.push({ value: read.value, start: index, end: read.end });
    index = read.end;
  }
  return found;
}

/** Round brackets are punctuation unless they hold two or more numbers. */
function isUseful(opening: string, value: JsonValue): boolean {
  if (opening !== "(") return true;
  return Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === "number");
}

interface Read {
  readonly value: JsonValue;
  readonly end: number;
}

function readValue(text: string, start: number, depth: number, limit: number): Read | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const at = skipSpace(text, start);
  const first = text[at];
  if (at >= limit || first === undefined) return undefined;
  if (first === "[" || first === "(") return readList(text, at, depth, limit);
  if (first === "{") return readObject(text, at, depth, limit);
  if (first === '"' || first === "'") return readQuoted(text, at, limit);
  return readBare(text, at, limit);
}

function readList(text: string, start: number, depth: number, limit: number): Read | undefined {
  const closing = CLOSING[text[start] ?? ""];
  const items: JsonValue[] = [];
  let at = skipSpace(text, start + 1);
  if (text[at] === closing) return { value: items, end: at + 1 };
  while (at < limit) {
    const item = readValue(text, at, depth + 1, limit);
    if (item === undefined) return undefined;
    items.push(item.value);
    at = skipSpace(text, item.end);
    if (text[at] === closing) return { value: items, end: at + 1 };
    if (text[at] !== ",") return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}

function readObject(text: string, start: number, depth: number, limit: number): Read | undefined {
  const entries: [string, JsonValue][] = [];
  let at = skipSpace(text, start + 1);
  if (text[at] === "}") return { value: {}, end: at + 1 };
  while (at < limit) {
    const key = text[at] === '"' || text[at] === "'" ? readQuoted(text, at, limit) : readKey(text, at);
    if (key === undefined || typeof key.value !== "string") return undefined;
    at = skipSpace(text, key.end);
    if (text[at] !== ":" && text[at] !== "=") return undefined;
    const value = readValue(text, at + 1, depth + 1, limit);
    if (value === undefined) return undefined;
    entries.push([key.value, value.value]);
    at = skipSpace(text, value.end);
    if (text[at] === "}") return { value: Object.fromEntries(entries), end: at + 1 };
    if (text[at] !== ",") return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}

function readQuoted(text: string, start: number, limit: number): Read | undefined {
  const quote = text[start] ?? "";
  for (let end = start + 1; end < limit; end += 1)
    if (text[end] === quote && text[end - 1] !== "\\")
      return { value: text.slice(start + 1, end), end: end + 1 };
  return undefined;
}

function readKey(text: string, start: number): Read | undefined {
  const key = /^[\p{L}_][\p{L}\p{N}_-]{0,60}/u.exec(text.slice(start, start + 64))?.[0];
  return key === undefined ? undefined : { value: key, end: start + key.length };
}

/** A number (with N/S/E/W for coordinates), true, false, null, or words up to the next comma or bracket. */
function readBare(text: string, start: number, limit: number): Read | undefined {
  const raw = /^[^,[\](){}"':\n]{1,80}/.exec(text.slice(start, Math.min(limit, start + 81)))?.[0];
  if (raw === undefined) return undefined;
  const end = start + raw.length;
  const word = raw.trim();
  const coordinate = /^([-+]?\d{1,3}(?:\.\d+)?)\s*°?\s*([NSEW])$/i.exec(word);
  if (coordinate !== null) {
    const value = Number(coordinate[1]);
    return { value: /[SW]/i.test(coordinate[2] ?? "") ? -value : value, end };
  }
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(word)) return { value: Number(word), end };
  if (/^(?:true|false)$/i.test(word)) return { value: word.toLowerCase() === "true", end };
  if (/^(?:null|none)$/i.test(word)) return { value: null, end };
  return word === "" ? undefined : { value: word, end };
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text[at] ?? "")) at += 1;
  return at;
}
