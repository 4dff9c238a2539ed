/**
 * Compiles a language's description into tables: what to do at a byte, which bytes go on a word, what may begin
 * at a sign. Made once for each syntax and shared by all files; the scanner never looks at the description twice.
 */
import type { CommentRule, Feature, FunctionRules, QuestionRule, Syntax } from "../languages/syntax.ts";
import { type CompiledString, compileString } from "./string-rules.ts";
import * as table from "./tables.ts";
import { WordTable } from "./word-table.ts";

/** Something that a sign may begin. */
export interface Opener {
  readonly kind: number;
  readonly text: Uint8Array;
  /** Where it may stand: `PLACE_…`. */
  readonly place: number;
  /** Which string rule, or which special reader: `SPECIAL_…`. */
  readonly value: number;
  /** How a block comment ends, empty for others. */
  readonly close: Uint8Array;
  readonly nested: boolean;
  /** The end counts only at the start of a line. */
  readonly closesLine: boolean;
}

function opener(kind: number, sign: string, rest: Partial<Opener> = {}): Opener {
  return {
    kind,
    text: Buffer.from(sign),
    place: table.PLACE_ANYWHERE,
    value: 0,
    close: Buffer.of(),
    nested: false,
    closesLine: false,
    ...rest,
  };
}

/** The comment that a directive of the preprocessor may contain. */
export const DIRECTIVE_COMMENT = opener(table.OPENER_BLOCK_COMMENT, "/*", { close: Buffer.from("*/") });

export interface Lexicon {
  /** What the language has: a set of `HAS_…`. */
  readonly features: number;
  readonly actions: Uint8Array;
  readonly wordBytes: Uint8Array;
  readonly openers: readonly (readonly Opener[] | undefined)[];
  readonly strings: readonly CompiledString[];
  readonly words: WordTable;
  readonly question: number;
  /** What must follow a word that begins a function: `NEEDS_…`. */
  readonly needs: number;
  /** The first byte of an arrow, 0 for none. */
  readonly armArrow: number;
  readonly functionArrow: number;
  readonly armDefault: Uint8Array;
  readonly caseNot: readonly Uint8Array[];
  readonly caseNotAfter: readonly Uint8Array[];
}

const PLACES = { line: table.PLACE_LINE, word: table.PLACE_WORD, anywhere: table.PLACE_ANYWHERE } as const;

const QUESTIONS: Readonly<Record<QuestionRule, number>> = {
  ternary: table.QUESTION_TERNARY,
  java: table.QUESTION_JAVA,
  typescript: table.QUESTION_TYPESCRIPT,
  javascript: table.QUESTION_JAVASCRIPT,
  csharp: table.QUESTION_CSHARP,
  php: table.QUESTION_PHP,
  ruby: table.QUESTION_RUBY,
  swift: table.QUESTION_SWIFT,
  dart: table.QUESTION_DART,
};

/** Features that the scanner asks for by name; the others are openers and words. */
const FEATURES: Partial<Readonly<Record<Feature, number>>> = {
  shell: table.HAS_SHELL,
  php: table.HAS_PHP,
  ruby: table.HAS_RUBY,
  "newline-ends": table.HAS_NEWLINE_ENDS,
  "digit-quotes": table.HAS_DIGIT_QUOTES,
  "member-names": table.HAS_MEMBER_NAMES,
  "key-names": table.HAS_KEY_NAMES,
  macros: table.HAS_MACROS,
  "conditional-types": table.HAS_TYPES,
  "cpp-raw": table.HAS_CPP_RAW,
  "hash-strings": table.HAS_HASH_STRINGS,
  "soft-case": table.HAS_SOFT_CASE,
  closures: table.HAS_CLOSURES,
};

const compiled = new WeakMap<Syntax, Lexicon>();

export function lexiconOf(syntax: Syntax): Lexicon {
  let lexicon = compiled.get(syntax);
  if (!lexicon) {
    lexicon = compile(syntax);
    compiled.set(syntax, lexicon);
  }
  return lexicon;
}

function compile(syntax: Syntax): Lexicon {
  const strings: CompiledString[] = [];
  const openers: Opener[] = [];
  const words = new WordTable(syntax.caseless === true);
  for (const rule of syntax.comments ?? []) openers.push(commentOpener(rule));
  for (const rule of syntax.strings ?? []) {
    const index = strings.push(compileString(rule)) - 1;
    if (rule.prefixes === undefined) openers.push(opener(table.OPENER_STRING, rule.open, { value: index }));
    for (const prefix of split(rule.prefixes)) {
      for (const word of [prefix, prefix.toUpperCase()]) words.add(word, table.MARK_PREFIX, 1 << index);
    }
  }
  if (syntax.words) {
    addWords(words, syntax);
    for (const text of split(syntax.signs)) openers.push(opener(table.OPENER_SIGN, text));
    for (const text of split(syntax.operators)) openers.push(opener(table.OPENER_DECISION, text));
    openers.push(...specialOpeners(syntax));
  }
  if (strings.length > 32) throw new Error("a language has more than 32 kinds of strings");
  const byFirst = groupByFirstByte(openers);
  const wordBytes = syntax.words ? wordByteTable(syntax) : textByteTable(byFirst);
  return {
    features: featureSet(syntax),
    actions: actionTable(wordBytes, byFirst),
    wordBytes,
    openers: byFirst,
    strings,
    words,
    question: QUESTIONS[syntax.question ?? "ternary"],
    needs: needsOf(syntax.functions),
    armArrow: syntax.armArrow?.charCodeAt(0) ?? 0,
    functionArrow: syntax.functions?.arrow?.charCodeAt(0) ?? 0,
    armDefault: Buffer.from(syntax.armDefault ?? "_"),
    caseNot: split(syntax.caseNotBefore).map((word) => Buffer.from(word)),
    caseNotAfter: split(syntax.caseNotAfter).map((word) => Buffer.from(word)),
  };
}

function featureSet({ features = [], functions, ...syntax }: Syntax): number {
  let set = 0;
  for (const feature of features) set |= FEATURES[feature] ?? 0;
  if (syntax.words) set |= table.HAS_WORDS;
  if (syntax.comments) set |= table.HAS_COMMENTS;
  if (syntax.caseless) set |= table.HAS_CASELESS;
  if (syntax.armSeparator) set |= table.HAS_ARM_SEPARATOR;
  if (syntax.armsBeforeBrace) set |= table.HAS_ARMS_BEFORE_BRACE;
  if (functions?.bodies) set |= table.HAS_BODIES;
  if (functions?.flat) set |= table.HAS_FLAT_FUNCTIONS;
  if (functions?.captures) set |= table.HAS_CAPTURES;
  if (functions?.typeAfter?.includes("->")) set |= table.HAS_ARROW_TYPES;
  return set;
}

function needsOf(functions: FunctionRules | undefined): number {
  switch (functions?.needs) {
    case "block":
      return table.NEEDS_BLOCK;
    case "block-on-line":
      return table.NEEDS_BLOCK_ON_LINE;
    default:
      return table.NEEDS_NOTHING;
  }
}

function commentOpener(rule: CommentRule): Opener {
  const described = typeof rule === "string" ? { open: rule } : rule;
  const { open, close, nested = false, at = "anywhere", closesLine = false } = described;
  if (close === undefined) return opener(table.OPENER_LINE_COMMENT, open, { place: PLACES[at] });
  return opener(table.OPENER_BLOCK_COMMENT, open, {
    place: PLACES[at],
    close: Buffer.from(close),
    nested,
    closesLine,
  });
}

function addWords(known: WordTable, syntax: Syntax): void {
  const words = syntax.words ?? {};
  const lists: readonly (readonly [string | undefined, number])[] = [
    [words.decisions, table.MARK_DECISION],
    [words.statements, table.MARK_DECISION | table.MARK_STATEMENT],
    [words.controls, table.MARK_CONTROL],
    [words.expects, table.MARK_EXPECTS],
    [words.functions, table.MARK_FUNCTION],
    [words.tails, table.MARK_TAIL],
    [words.typeTails, table.MARK_TYPE_TAIL],
    [words.accessors, table.MARK_ACCESSOR],
    [words.creators, table.MARK_CREATOR],
    [words.arms, table.MARK_ARMS],
    [words.cases, table.MARK_CASE],
    [words.enums, table.MARK_ENUM],
    [words.types, table.MARK_TYPE],
  ];
  for (const [list, mark] of lists) for (const word of split(list)) known.add(word, mark);
  const { features = [] } = syntax;
  if (features.includes("conditional-types")) known.add("extends", table.MARK_EXTENDS | table.MARK_EXPECTS);
  if (features.includes("cpp-raw"))
    for (const word of ["R", "LR", "u8R", "uR", "UR"]) known.add(word, table.MARK_PREFIX);
  if (features.includes("hash-strings"))
    for (const word of ["r", "br", "cr"]) known.add(word, table.MARK_PREFIX);
}

/** Which signs need a look around, by what the language has; wasm/specials.ts knows what each means. */
function specialOpeners({ question, armArrow, armSeparator, functions, features = [] }: Syntax): Opener[] {
  const has = new Set(features);
  const found: [string, number][] = [];
  if (question) found.push(["?", table.SPECIAL_QUESTION]);
  if (has.has("preprocessor")) found.push(["#", table.SPECIAL_DIRECTIVE]);
  if (has.has("regex")) found.push(["/", table.SPECIAL_REGEX]);
  if (has.has("jsx")) found.push(["<", table.SPECIAL_JSX]);
  if (has.has("reference-types")) found.push(["&&", table.SPECIAL_AND_AND]);
  if (has.has("closures"))
    found.push(["||", table.SPECIAL_OR_OR], ["&&", table.SPECIAL_OR_OR], ["|", table.SPECIAL_BAR]);
  if (has.has("lifetimes")) found.push(["'", table.SPECIAL_APOSTROPHE]);
  if (has.has("hash-sign-strings")) found.push(["#", table.SPECIAL_HASH_STRING]);
  if (has.has("ruby")) {
    found.push(
      ["<<", table.SPECIAL_RUBY_HEREDOC],
      ["%", table.SPECIAL_PERCENT],
      [":", table.SPECIAL_COLON],
      ["/", table.SPECIAL_RUBY_REGEX],
      ["$", table.SPECIAL_RUBY_GLOBAL],
    );
  }
  if (has.has("php")) found.push(["<<<", table.SPECIAL_PHP_HEREDOC], ["?>", table.SPECIAL_CLOSE_TAG]);
  if (has.has("attributes")) found.push(["#[", table.SPECIAL_ATTRIBUTE]);
  if (armSeparator) found.push([armSeparator, table.SPECIAL_COMMA]);
  for (const arrow of new Set([armArrow, functions?.arrow, ...(functions?.typeAfter ?? [])])) {
    if (arrow !== undefined)
      found.push([arrow, arrow === ":" ? table.SPECIAL_TYPE_COLON : table.SPECIAL_ARROW]);
  }
  return found.map(([text, special]) => opener(table.OPENER_SPECIAL, text, { value: special }));
}

/** Longest first, so that `??=` is seen before `?`; among equals the order of description. */
function groupByFirstByte(openers: readonly Opener[]): (readonly Opener[] | undefined)[] {
  const groups: (Opener[] | undefined)[] = new Array(256).fill(undefined);
  for (const one of [...openers].sort((a, b) => b.text.length - a.text.length)) {
    const first = one.text[0] as number;
    const group = groups[first] ?? [];
    group.push(one);
    groups[first] = group;
  }
  return groups;
}

function actionTable(word: Uint8Array, openers: readonly (readonly Opener[] | undefined)[]): Uint8Array {
  const actions = new Uint8Array(256).fill(table.ACTION_PLAIN);
  for (const byte of Buffer.from("([{")) actions[byte] = table.ACTION_OPEN;
  for (const byte of Buffer.from(")]}")) actions[byte] = table.ACTION_CLOSE;
  for (let byte = 0; byte < 256; byte += 1) {
    if (word[byte] === 1)
      actions[byte] = byte >= 0x30 && byte <= 0x39 ? table.ACTION_DIGIT : table.ACTION_WORD;
  }
  for (const byte of [0x09, 0x0b, 0x0c, 0x20]) actions[byte] = table.ACTION_SPACE;
  for (const byte of [0x0a, 0x0d]) actions[byte] = table.ACTION_NEWLINE;
  for (let byte = 0; byte < 256; byte += 1) if (openers[byte]) actions[byte] = table.ACTION_SIGN;
  return actions;
}

function wordByteTable(syntax: Syntax): Uint8Array {
  const bytes = new Uint8Array(256);
  for (let byte = 0x80; byte < 256; byte += 1) bytes[byte] = 1;
  const ascii = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_${syntax.wordBytes ?? ""}`;
  for (const byte of Buffer.from(ascii)) bytes[byte] = 1;
  return bytes;
}

/** In what is no program, everything up to the next comment, string or line end is one word. */
function textByteTable(openers: readonly (readonly Opener[] | undefined)[]): Uint8Array {
  const bytes = new Uint8Array(256).fill(1);
  for (const byte of [0, 0x0a, 0x0d]) bytes[byte] = 0;
  for (let byte = 0; byte < 256; byte += 1) if (openers[byte]) bytes[byte] = 0;
  return bytes;
}

function split(list: string | undefined): string[] {
  return list === undefined || list === "" ? [] : list.split(" ");
}
