/**
 * The tables that TypeScript lays into memory, as this side sees them. The fields of each class lie one behind the
 * other, four bytes each, in the order in which lexicon-writer.ts writes them; addresses are absolute.
 */
import { LENGTHS_AT, LEXICON_AT, MAX_WORD, WORD_BYTES_AT, WORD_HALVES_AT, WORDS_AT } from "../tables.ts";

/** The head of the lexicon in use. */
export class Lexicon {
  /** What the language has: `HAS_…`. */
  features: i32 = 0;
  question: i32 = 0;
  /** What must follow a word that begins a function. */
  needs: i32 = 0;
  /** The first byte of the arrow of an arm, and of the arrow that is a function; 0 for none. */
  armArrow: i32 = 0;
  functionArrow: i32 = 0;
  /** The word before the arrow of the arm that takes the rest. */
  armDefault: i32 = 0;
  armDefaultLength: i32 = 0;
  /** Lists of words: a length, that many bytes, and so on up to a length of 0. */
  caseNot: i32 = 0;
  caseNotAfter: i32 = 0;
  /** The string rules, one behind the other. */
  strings: i32 = 0;
  /** 0x20 where keywords are written in any case. */
  fold: i32 = 0;
  /** An opener: the comments that a directive of the preprocessor may contain. */
  directiveComment: i32 = 0;
}

/** Something that a sign may begin. The openers of a sign lie one behind the other, up to one without a length. */
export class Opener {
  length: i32 = 0;
  kind: i32 = 0;
  /** The second byte, 0 when there is none: most openers are told apart by it. */
  second: i32 = 0;
  place: i32 = 0;
  /** Which special reader, or which string rule. */
  value: i32 = 0;
  text: i32 = 0;
  /** How a block comment ends. */
  close: i32 = 0;
  closeLength: i32 = 0;
  nested: i32 = 0;
  /** The end counts only at the start of a line. */
  closesLine: i32 = 0;
}
export const OPENER_BYTES = 40;

export class StringRule {
  close: i32 = 0;
  closeLength: i32 = 0;
  /** The byte after which the next one means nothing, -1 for none. */
  escape: i32 = 0;
  /** The closing quote, doubled, stands for itself. */
  doubles: i32 = 0;
  multiline: i32 = 0;
  /** What begins code; no length when nothing does. */
  interpolate: i32 = 0;
  interpolateLength: i32 = 0;
  documents: i32 = 0;
  /** The opening bracket of a literal that counts its own brackets, -1 for others. */
  nests: i32 = 0;
  /** A here-document ends with a line that is the closing word. */
  heredoc: i32 = 0;
  /** A table by byte: 1 where the reader must look. */
  stops: i32 = 0;
  /** What opens it behind a word that is its prefix. */
  open: i32 = 0;
  openLength: i32 = 0;
}
export const STRING_RULE_BYTES = 52;

/** A keyword; its bytes follow, and behind them, at the next multiple of four, the next one. */
class Keyword {
  length: i32 = 0;
  marks: i32 = 0;
  /** For a prefix of strings: a bit for each string rule that it may choose. */
  rules: i32 = 0;
}
const KEYWORD_BYTES = 12;
const RETURN: i8 = 0x0d;

export const lexicon = changetype<Lexicon>(LEXICON_AT);

export function has(feature: i32): bool {
  return (lexicon.features & feature) !== 0;
}

/** From `at` on, the first place of a control character: a line end, a tab, or the zeros behind the file. */
export function controlAt(at: i32): i32 {
  const last = i8x16.splat(RETURN);
  let found = i8x16.bitmask(i8x16.le_u(v128.load(at), last));
  while (found === 0) {
    at += 16;
    found = i8x16.bitmask(i8x16.le_u(v128.load(at), last));
  }
  return at + ctz(found);
}

/** The same, or the first place of one of two bytes. */
export function controlOrAt(at: i32, one: i32, other: i32): i32 {
  let found = controlsOr(v128.load(at), one, other);
  while (found === 0) {
    at += 16;
    found = controlsOr(v128.load(at), one, other);
  }
  return at + ctz(found);
}

/** A bit for each of sixteen bytes. */
function controlsOr(bytes: v128, one: i32, other: i32): i32 {
  const wanted = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>one)), i8x16.eq(bytes, i8x16.splat(<i8>other)));
  return i8x16.bitmask(v128.or(i8x16.le_u(bytes, i8x16.splat(RETURN)), wanted));
}

/** The same with four bytes. */
export function controlOrOneOf(at: i32, one: i32, two: i32, three: i32, four: i32): i32 {
  let bytes = v128.load(at);
  let found = controlsOr(bytes, one, two) | controlsOr(bytes, three, four);
  while (found === 0) {
    at += 16;
    bytes = v128.load(at);
    found = controlsOr(bytes, one, two) | controlsOr(bytes, three, four);
  }
  return at + ctz(found);
}

/** From `at` on, the first place of a byte that belongs to no word. */
export function wordEnd(at: i32): i32 {
  let found = noWordBytes(v128.load(at));
  while (found === 0) {
    at += 16;
    found = noWordBytes(v128.load(at));
  }
  return at + ctz(found);
}

function noWordBytes(bytes: v128): i32 {
  const half = i8x16.splat(15);
  const lower = v128.swizzle(v128.load(WORD_HALVES_AT), v128.and(bytes, half));
  const upper = v128.swizzle(v128.load(WORD_HALVES_AT, 16), v128.and(i16x8.shr_u(bytes, 4), half));
  return i8x16.bitmask(i8x16.eq(v128.and(lower, upper), i8x16.splat(0)));
}

/** From `at` on, the first place of something else than a space. */
export function spacesEnd(at: i32): i32 {
  const space = i8x16.splat(0x20);
  let found = i8x16.bitmask(i8x16.ne(v128.load(at), space));
  while (found === 0) {
    at += 16;
    found = i8x16.bitmask(i8x16.ne(v128.load(at), space));
  }
  return at + ctz(found);
}

export function byteAt(at: i32): i32 {
  return load<u8>(at);
}

export function isWordByte(byte: i32): bool {
  return load<u8>(byte, WORD_BYTES_AT) === 1;
}

/** Whether any keyword has that length and first letter: most names are told from keywords by this alone. */
export function mayBeKeyword(first: i32, length: i32): bool {
  return length <= MAX_WORD && ((load<u16>((first | lexicon.fold) << 1, LENGTHS_AT) >> length) & 1) !== 0;
}

/** The keyword that is written in `[start, start + length)`, 0 when it is none: by length, then letter by letter. */
export function findKeyword(start: i32, length: i32): i32 {
  const fold = lexicon.fold;
  const first = byteAt(start) | fold;
  if (!mayBeKeyword(first, length)) return 0;
  let found = load<i32>(first << 2, WORDS_AT);
  let wordLength = lengthOf(found);
  while (wordLength !== 0) {
    if (wordLength === length) {
      let i = 1;
      while (i < length && (byteAt(start + i) | fold) === byteAt(found + KEYWORD_BYTES + i)) i += 1;
      if (i >= length) return found;
    }
    found += KEYWORD_BYTES + ((wordLength + 3) & ~3);
    wordLength = lengthOf(found);
  }
  return 0;
}

function lengthOf(keyword: i32): i32 {
  return changetype<Keyword>(keyword).length;
}

export function marksOf(keyword: i32): i32 {
  return keyword === 0 ? 0 : changetype<Keyword>(keyword).marks;
}

export function rulesOf(keyword: i32): i32 {
  return changetype<Keyword>(keyword).rules;
}

/** Whether `length` bytes of `text` stand at `at`. */
export function matches(at: i32, text: i32, length: i32): bool {
  for (let i = 0; i < length; i += 1) if (byteAt(at + i) !== byteAt(text + i)) return false;
  return true;
}

/** The same for a word of this program. */
export function isText(at: i32, text: string): bool {
  for (let i = 0; i < text.length; i += 1) {
    if (byteAt(at + i) !== load<u16>(changetype<i32>(text) + (i << 1))) return false;
  }
  return true;
}
