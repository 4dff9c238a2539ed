/**
 * The request as the planner reads it. Folding is one character to one character, so that every span found in
 * the folded text is a span of what the person typed. Very long requests are read at both ends only, and
 * `cut` says so.
 */
export type Language = "en" | "ja";

export interface RequestText {
  /** What was typed, or its two ends. Spans point into this. */
  readonly original: string;
  /** The same, with full-width letters, digits and signs as their plain forms. */
  readonly folded: string;
  readonly language: Language;
  /** How many characters were left out. */
  readonly cut: number;
}

/** Enough for any request a person types; a pasted file is data, not a request. */
const MAX_CHARACTERS = 8000;

export function readText(text: string): RequestText {
  const half = MAX_CHARACTERS / 2;
  const original =
    text.length <= MAX_CHARACTERS ? text : `${text.slice(0, half)}\n${text.slice(text.length - half)}`;
  return {
    original,
    folded: foldWidth(original),
    language: languageOf(original),
    cut: Math.max(0, text.length - MAX_CHARACTERS),
  };
}

/** Keeps the length: ！ to ～ become ! to ~, the ideographic space a space, curly apostrophes a straight one. */
export function foldWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e\u3000\u2019\u2212\u2013\u301c]/g, (character) => {
    if (character === "\u3000") return " ";
    if (character === "\u2019") return "'";
    if (character === "\u2212" || character === "\u2013") return "-";
    if (character === "\u301c") return "~";
    return String.fromCharCode(character.charCodeAt(0) - 0xfee0);
  });
}

export function languageOf(text: string): Language {
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text) ? "ja" : "en";
}
