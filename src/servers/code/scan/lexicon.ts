/**
 * Compiles a language's description into tables: what to do at a byte, which bytes go on a word, what may begin
 * at a sign. Made once for each syntax and shared by all files; the scanner never looks at the description twice.
 */
import type { CommentRule, Feature, Syntax } from "../languages/syntax.ts";
import { type CompiledString, compileString } from "./string-rules.ts";
import { WordMark, WordTable } from "./word-table.ts";

/** What a byte means where code is read. */
export const Action = {
  /** A sign that only says that the line has code. */
  plain: 0,
  space: 1,
  newline: 2,
  word: 3,
  digit: 4,
  open: 5,
  close: 6,
  /** A sign that may begin something: see `openers`. */
  sign: 7,
} as const;

export type CommentPlace = "anywhere" | "line" | "word";

export const OpenerKind = {
  lineComment: 0,
  blockComment: 1,
  string: 2,
  decision: 3,
  sign: 4,
  special: 5,
} as const;

/** Something that a sign may begin. One shape for all kinds: the scanner meets them in its innermost loop. */
export interface Opener {
  readonly kind: number;
  readonly text: Uint8Array;
  readonly length: number;
  /** The second byte, 0 when there is none: most openers are told apart by it. */
  readonly second: number;
  readonly at: CommentPlace;
  readonly block: BlockComment;
  readonly rule: number;
  readonly special: Special;
}

const NO_BLOCK: BlockComment = { open: Buffer.of(0), close: Buffer.of(0), nested: false, closesLine: false };

function opener(kind: number, sign: string, rest: Partial<Opener> = {}): Opener {
  const text = Buffer.from(sign);
  return {
    kind,
    text,
    length: text.length,
    second: text[1] ?? 0,
    at: rest.at ?? "anywhere",
    block: rest.block ?? NO_BLOCK,
    rule: rest.rule ?? 0,
    special: rest.special ?? "question",
  };
}

/** Signs that need a look around; specials.ts knows what each means. */
export type Special =
  | "question"
  | "regex"
  | "jsx"
  | "directive"
  | "and-and"
  | "or-or"
  | "bar"
  | "apostrophe"
  | "hash-string"
  | "arrow"
  | "type-colon"
  | "ruby-heredoc"
  | "ruby-regex"
  | "php-heredoc"
  | "percent"
  | "colon"
  | "ruby-global"
  | "close-tag"
  | "attribute"
  | "comma";

export interface BlockComment {
  readonly open: Uint8Array;
  readonly close: Uint8Array;
  readonly nested: boolean;
  /** The end counts only at the start of a line. */
  readonly closesLine: boolean;
}

export interface Lexicon {
  readonly syntax: Syntax;
  readonly features: ReadonlySet<Feature>;
  readonly actions: Uint8Array;
  readonly wordBytes: Uint8Array;
  readonly openers: readonly (readonly Opener[] | undefined)[];
  /** Grows: rules of literals whose end depends on how they begin are added when first met. */
  readonly strings: CompiledString[];
  readonly dynamic: Map<string, number>;
  readonly prefixed: readonly {
    readonly words: ReadonlySet<string>;
    readonly open: Uint8Array;
    readonly rule: number;
  }[];
  readonly words: WordTable;
  readonly isProgram: boolean;
  /** The features that are asked at every word. */
  readonly members: boolean;
  readonly keys: boolean;
  readonly macros: boolean;
  readonly suffixes: boolean;
  readonly types: boolean;
  readonly armDefault: string;
  readonly caseNot: readonly Uint8Array[];
  readonly caseNotAfter: readonly string[];
}

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
  const features = new Set(syntax.features);
  const strings: CompiledString[] = [];
  const openers: Opener[] = [];
  const prefixed: { words: ReadonlySet<string>; open: Uint8Array; rule: number }[] = [];
  const words = new WordTable(syntax.caseless === true);
  for (const rule of syntax.comments ?? []) openers.push(commentOpener(rule));
  for (const rule of syntax.strings ?? []) {
    const index = strings.push(compileString(rule)) - 1;
    const open = Buffer.from(rule.open);
    if (rule.prefixes === undefined) openers.push(opener(OpenerKind.string, rule.open, { rule: index }));
    else prefixed.push({ words: new Set(split(rule.prefixes)), open, rule: index });
    for (const prefix of split(rule.prefixes)) {
      for (const word of [prefix, prefix.toUpperCase()]) words.add(word, WordMark.prefix);
    }
  }
  if (syntax.words) {
    addWords(words, syntax);
    for (const text of split(syntax.signs)) openers.push(opener(OpenerKind.sign, text));
    for (const text of split(syntax.operators)) openers.push(opener(OpenerKind.decision, text));
    openers.push(...specialOpeners(syntax, features));
  }
  const byFirst = groupByFirstByte(openers);
  const wordBytes = syntax.words ? wordByteTable(syntax) : textByteTable(byFirst);
  return {
    syntax,
    features,
    actions: actionTable(wordBytes, byFirst),
    wordBytes,
    openers: byFirst,
    strings,
    dynamic: new Map(),
    prefixed,
    words,
    isProgram: syntax.words !== undefined,
    members: features.has("member-names"),
    keys: features.has("key-names"),
    macros: features.has("macros"),
    suffixes: features.has("ruby"),
    types: features.has("conditional-types"),
    armDefault: syntax.armDefault ?? "_",
    caseNot: split(syntax.caseNotBefore).map((word) => Buffer.from(word)),
    caseNotAfter: split(syntax.caseNotAfter),
  };
}

function commentOpener(rule: CommentRule): Opener {
  const described = typeof rule === "string" ? { open: rule } : rule;
  const { open, close, nested = false, at = "anywhere", closesLine = false } = described;
  if (close === undefined) return opener(OpenerKind.lineComment, open, { at });
  const block = { open: Buffer.from(open), close: Buffer.from(close), nested, closesLine };
  return opener(OpenerKind.blockComment, open, { at, block });
}

function addWords(table: WordTable, syntax: Syntax): void {
  const words = syntax.words ?? {};
  const lists: readonly (readonly [string | undefined, number])[] = [
    [words.decisions, WordMark.decision],
    [words.statements, WordMark.decision | WordMark.statement],
    [words.controls, WordMark.control],
    [words.expects, WordMark.expects],
    [words.functions, WordMark.function],
    [words.tails, WordMark.tail],
    [words.typeTails, WordMark.typeTail],
    [words.accessors, WordMark.accessor],
    [words.creators, WordMark.creator],
    [words.arms, WordMark.arms],
    [words.cases, WordMark.case],
    [words.enums, WordMark.enum],
    [words.types, WordMark.type],
  ];
  for (const [list, mark] of lists) for (const word of split(list)) table.add(word, mark);
  const { features = [] } = syntax;
  if (features.includes("conditional-types")) table.add("extends", WordMark.extends | WordMark.expects);
  if (features.includes("cpp-raw"))
    for (const word of ["R", "LR", "u8R", "uR", "UR"]) table.add(word, WordMark.prefix);
  if (features.includes("hash-strings"))
    for (const word of ["r", "br", "cr"]) table.add(word, WordMark.prefix);
}

/** Which signs need a look around, by what the language has. */
function specialOpeners(
  { question, armArrow, armSeparator, functions }: Syntax,
  features: ReadonlySet<Feature>,
): Opener[] {
  const found: [string, Special][] = [];
  if (question) found.push(["?", "question"]);
  if (features.has("preprocessor")) found.push(["#", "directive"]);
  if (features.has("regex")) found.push(["/", "regex"]);
  if (features.has("jsx")) found.push(["<", "jsx"]);
  if (features.has("reference-types")) found.push(["&&", "and-and"]);
  if (features.has("closures")) found.push(["||", "or-or"], ["&&", "or-or"], ["|", "bar"]);
  if (features.has("lifetimes")) found.push(["'", "apostrophe"]);
  if (features.has("hash-sign-strings")) found.push(["#", "hash-string"]);
  if (features.has("ruby")) {
    found.push(
      ["<<", "ruby-heredoc"],
      ["%", "percent"],
      [":", "colon"],
      ["/", "ruby-regex"],
      ["$", "ruby-global"],
    );
  }
  if (features.has("php")) found.push(["<<<", "php-heredoc"], ["?>", "close-tag"]);
  if (features.has("attributes")) found.push(["#[", "attribute"]);
  if (armSeparator) found.push([armSeparator, "comma"]);
  for (const arrow of new Set([armArrow, functions?.arrow, ...(functions?.typeAfter ?? [])])) {
    if (arrow !== undefined) found.push([arrow, arrow === ":" ? "type-colon" : "arrow"]);
  }
  return found.map(([text, special]) => opener(OpenerKind.special, text, { special }));
}

/** Longest first, so that `??=` is seen before `?`; among equals the order of description. */
function groupByFirstByte(openers: readonly Opener[]): (readonly Opener[] | undefined)[] {
  const groups: (Opener[] | undefined)[] = new Array(256).fill(undefined);
  for (const one of [...openers].sort((a, b) => b.length - a.length)) {
    const first = one.text[0] as number;
    const group = groups[first] ?? [];
    group.push(one);
    groups[first] = group;
  }
  return groups;
}

function actionTable(word: Uint8Array, openers: readonly (readonly Opener[] | undefined)[]): Uint8Array {
  const actions = new Uint8Array(256).fill(Action.plain);
  for (const byte of Buffer.from("([{")) actions[byte] = Action.open;
  for (const byte of Buffer.from(")]}")) actions[byte] = Action.close;
  for (let byte = 0; byte < 256; byte += 1) {
    if (word[byte] === 1) actions[byte] = byte >= 0x30 && byte <= 0x39 ? Action.digit : Action.word;
  }
  for (const byte of [0x09, 0x0b, 0x0c, 0x20]) actions[byte] = Action.space;
  for (const byte of [0x0a, 0x0d]) actions[byte] = Action.newline;
  for (let byte = 0; byte < 256; byte += 1) if (openers[byte]) actions[byte] = Action.sign;
  return actions;
}

function wordByteTable(syntax: Syntax): Uint8Array {
  const table = new Uint8Array(256);
  for (let byte = 0x80; byte < 256; byte += 1) table[byte] = 1;
  const ascii = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_${syntax.wordBytes ?? ""}`;
  for (const byte of Buffer.from(ascii)) table[byte] = 1;
  return table;
}

/** In what is no program, everything up to the next comment, string or line end is one word. */
function textByteTable(openers: readonly (readonly Opener[] | undefined)[]): Uint8Array {
  const table = new Uint8Array(256).fill(1);
  for (const byte of [0, 0x0a, 0x0d]) table[byte] = 0;
  for (let byte = 0; byte < 256; byte += 1) if (openers[byte]) table[byte] = 0;
  return table;
}

function split(list: string | undefined): string[] {
  return list === undefined || list === "" ? [] : list.split(" ");
}
