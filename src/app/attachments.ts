/**
 * What a person means by an @ in their words: `@extension:uri`, `@scheme://…`, `@path`, each also in quotes. Pure: it
 * reads no file and asks nobody, so it cannot know whether `@README.mdを` ends before を; it gives the longest reading
 * and the shorter ones. E-mail addresses, decorators, scoped packages in paths and code in backquotes are left alone.
 */
export type Target =
  /** Without an extension: whoever has it. */
  | { readonly type: "resource"; readonly extension?: string; readonly uri: string }
  | { readonly type: "path"; readonly path: string };

export interface Reading {
  /** Where it ends in the text. */
  readonly end: number;
  readonly target: Target;
}

export interface Attachment {
  /** Where the @ stands. */
  readonly start: number;
  /** The longest first. There is at least one. */
  readonly readings: readonly Reading[];
  /** It looks like nothing else: when there is no such thing, the person wants to hear of it. */
  readonly sure: boolean;
}

const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々〆";
const AT = /[@＠]/g;
/** What stands before an @ that is part of a word: an address, a path, a variable. Japanese puts no spaces. */
const PART_OF_WORD = /[\p{L}\p{N}_.+%/\\=&$#@＠-]$/u;
const JAPANESE_BEFORE = new RegExp(`[${CJK}]$`, "u");
/** Ends a word without quotes: spaces, quotes, brackets that never stand in names, Japanese punctuation. */
const WORD = /[^\s"'`<>|{},;、。，．「」『』（）【】［］｛｝〈〉《》！？；：・…＠]+/y;
const QUOTED = /(?:([A-Za-z0-9][\w-]*):)?"([^"\n]+)"/y;
const MAX_SHORTER = 8;

export function parseAttachments(text: string): readonly Attachment[] {
  const code = codeSpans(text);
  const found: Attachment[] = [];
  let after = 0;
  for (const { index: start } of text.matchAll(AT)) {
    if (start < after || code.some(([from, to]) => start >= from && start < to)) continue;
    if (!mayStand(text.slice(Math.max(0, start - 2), start))) continue;
    const attachment = readQuoted(text, start) ?? readWord(text, start);
    if (!attachment) continue;
    found.push(attachment);
    after = attachment.readings[0]?.end ?? after;
  }
  return found;
}

/** The attachment that is being written at the end of a text: where it starts, and what stands behind its @. */
export function unfinishedAttachment(text: string): { start: number; typed: string } | undefined {
  const code = codeSpans(text);
  for (let start = text.length - 1; start >= 0; start--) {
    if (text[start] !== "@" && text[start] !== "＠") continue;
    const typed = text.slice(start + 1);
    const open = /^(?:[A-Za-z0-9][\w-]*:)?"[^"\n]*$/.test(typed);
    if (!open && /[\s"]/.test(typed)) return undefined;
    if (code.some(([from, to]) => start >= from && start < to)) return undefined;
    if (mayStand(text.slice(Math.max(0, start - 2), start))) return { start, typed };
  }
  return undefined;
}

function mayStand(before: string): boolean {
  return !PART_OF_WORD.test(before) || JAPANESE_BEFORE.test(before);
}

/** Fenced blocks and `spans`: what is quoted there is not meant. */
function codeSpans(text: string): readonly (readonly [number, number])[] {
  return [
    ...text.matchAll(/^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ *\1|$(?![\s\S]))|(`+)(?!`)[^\n]*?[^`\n]\2(?!`)/gm),
  ].map((match) => [match.index, match.index + match[0].length] as const);
}

function readQuoted(text: string, start: number): Attachment | undefined {
  QUOTED.lastIndex = start + 1;
  const match = QUOTED.exec(text);
  if (!match) return undefined;
  const [whole, extension, inside = ""] = match;
  const target: Target =
    extension === undefined ? targetOf(inside) : { type: "resource", extension, uri: inside };
  return { start, readings: [{ end: start + 1 + whole.length, target }], sure: true };
}

function readWord(text: string, start: number): Attachment | undefined {
  WORD.lastIndex = start + 1;
  const word = trimEnd(withoutNextAttachment(WORD.exec(text)?.[0] ?? ""));
  if (word === "" || isDecorator(word, text.slice(start + 1 + word.length))) return undefined;
  const readings = [word, ...shorterWords(word)].map((part) => ({
    end: start + 1 + part.length,
    target: targetOf(part),
  }));
  return { start, readings, sure: looksMeant(word) };
}

/** `@a.tsと@b.ts` is two. */
function withoutNextAttachment(word: string): string {
  for (const { index } of word.matchAll(/@/g))
    if (mayStand(word.slice(0, index))) return word.slice(0, index);
  return word;
}

/** The sentence's own punctuation, and a bracket that was opened before the @. */
function trimEnd(word: string): string {
  for (;;) {
    const last = word.at(-1) ?? "";
    const unopened =
      (last === ")" && count(word, ")") > count(word, "(")) ||
      (last === "]" && count(word, "]") > count(word, "["));
    if (!/[.:!?*_~]/.test(last) && !unopened) return word;
    if (word === "." || word === "..") return "";
    word = word.slice(0, -1);
  }
}

/** `@Injectable()`, `@app.route("/")`, `@Component({` */
function isDecorator(word: string, rest: string): boolean {
  if (count(word, "(") > count(word, ")")) return true;
  return /^[\w.$]+\(.*\)$/.test(word) || (/^[\w.$]+$/.test(word) && rest.startsWith("("));
}

function targetOf(word: string): Target {
  const [, name, rest = ""] = /^([A-Za-z0-9][\w+.-]*):(.+)$/su.exec(word) ?? [];
  if (name === undefined) return { type: "path", path: word };
  if (rest.startsWith("//")) return { type: "resource", uri: word };
  // One letter is a drive.
  if (name.length === 1 || /[+.]/.test(name)) return { type: "path", path: word };
  return { type: "resource", extension: name, uri: rest };
}

function looksMeant(word: string): boolean {
  if (/:\/\//.test(word)) return true;
  return /^[^:]*$/.test(word) && (/\//.test(word) || /[^.]\.[A-Za-z0-9]{1,8}(?![A-Za-z0-9])/.test(word));
}

/**
 * Where a name may have ended and a sentence gone on: where Latin letters turn into Japanese ones, and where kanji
 * or katakana turn into hiragana, as particles do.
 */
const TURN = new RegExp(
  `(?<=[\\x21-\\x7e])(?=[${CJK}])|(?<=[\\p{Script=Han}\\p{Script=Katakana}ー々])(?=\\p{Script=Hiragana})`,
  "gu",
);

function shorterWords(word: string): readonly string[] {
  const ends = [...word.matchAll(TURN)].map(({ index }) => trimEnd(word.slice(0, index)));
  return ends
    .reverse()
    .filter((part) => part !== "" && !part.endsWith(":"))
    .slice(0, MAX_SHORTER);
}

function count(word: string, character: string): number {
  return word.split(character).length - 1;
}
