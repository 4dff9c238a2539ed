/**
 * The vocabulary in which a language's surface is described: comments, strings, and the words and signs at which
 * a program decides. Everything here is data; scan/ turns it into tables and reads bytes by them.
 * What a grammar would be needed for (types, scopes, names) is deliberately not expressible.
 */

/** A comment to the end of the line (`"//"`), or one between two marks. */
export type CommentRule =
  | string
  | {
      readonly open: string;
      readonly close?: string;
      readonly nested?: boolean;
      /** The end counts only at the start of a line. */
      readonly closesLine?: boolean;
      /** `line`: only as the first thing on a line. `word`: only where a word could begin. */
      readonly at?: "line" | "word";
    };

export interface StringRule {
  readonly open: string;
  /** The same as `open` when absent. */
  readonly close?: string;
  /** `backslash` when absent. `double`: the closing quote, doubled, stands for itself. */
  readonly escape?: "backslash" | "backquote" | "double" | "none";
  /** The end counts only at the start of a line. */
  readonly closesLine?: boolean;
  /** Whether it may go on over line ends. One that may not ends with its line, closed or not. */
  readonly multiline?: boolean;
  /** What begins code inside the string; the code ends with the bracket that matches. */
  readonly interpolate?: "${" | "#{" | "{" | "\\(" | "$(" | "{{";
  /** Words directly before the quote that choose this rule: Python's `f`, `rb` … */
  readonly prefixes?: string;
  /** A string that stands alone as a statement is documentation, and a comment. */
  readonly documents?: boolean;
}

/** What a `?` means. */
export type QuestionRule =
  | "ternary"
  | "java"
  | "typescript"
  | "javascript"
  | "csharp"
  | "php"
  | "ruby"
  | "swift"
  | "dart";

/** Constructs that no table of strings and comments can say, each with its own few lines in scan/. */
export type Feature =
  /** A word after a dot is a name and no keyword. */
  | "member-names"
  /** A word before a colon is a key and no keyword. */
  | "key-names"
  /** A statement ends with its line. */
  | "newline-ends"
  | "regex"
  | "jsx"
  /** TypeScript: `T extends U ? X : Y`. */
  | "conditional-types"
  /** C: lines that begin with `#`. */
  | "preprocessor"
  /** C++: `T&& x`. */
  | "reference-types"
  | "digit-quotes"
  | "cpp-raw"
  /** Rust: `'a`, `|| x`, `name!(…)`, `r#"…"#`. */
  | "lifetimes"
  | "closures"
  | "macros"
  | "hash-strings"
  /** `#[…]` before what it describes. */
  | "attributes"
  /** Swift: `#"…"#`. */
  | "hash-sign-strings"
  /** Python: `case` is a keyword only in its place. */
  | "soft-case"
  | "ruby"
  | "php"
  | "shell";

/** Words, separated by spaces. */
export interface WordRules {
  /** Each is a decision: `if`, `for`, `catch` … */
  readonly decisions?: string;
  /** Of the decisions, those that decide only at the start of a statement: Rust's `impl T for U` has no loop. */
  readonly statements?: string;
  /** A parenthesis after one of these is its condition and not a call. */
  readonly controls?: string;
  /** After one of these an operand follows, so that `/` begins a regex and `?` is no operator. */
  readonly expects?: string;
  /** Each begins a function: `def`, `lambda` … */
  readonly functions?: string;
  /** May stand between the parameters of a function and its body. */
  readonly tails?: string;
  /** The same, and types follow it: `throws`. */
  readonly typeTails?: string;
  /** Directly before a brace they are a function: C#'s `get {`. */
  readonly accessors?: string;
  /** `new`: what follows looks like a function and is an object. */
  readonly creators?: string;
  /** Open a block whose arrows are cases: `match`, `when`, `switch` as an expression. */
  readonly arms?: string;
  /** Case labels that count only inside such blocks or at the start of a statement. */
  readonly cases?: string;
  /** Open a block in which `case` declares and does not decide. */
  readonly enums?: string;
  /** Open the body of a type: `class`, `interface`. */
  readonly types?: string;
}

export interface FunctionRules {
  /** `name(…) {` is a function. */
  readonly bodies?: boolean;
  /** Functions do not nest, so that a macro with a block inside one is not another. */
  readonly flat?: boolean;
  /** A word of `words.functions` is one only when this follows: a block before the next semicolon, or a line's end. */
  readonly needs?: "block" | "block-on-line";
  /** `[&] {` is one. */
  readonly captures?: boolean;
  /** `=>` or `->` begins one. */
  readonly arrow?: "=>" | "->";
  /** After the parameters, a type (or what C++ initialises) may follow one of these. */
  readonly typeAfter?: readonly (":" | "->")[];
}

export interface Syntax {
  readonly comments?: readonly CommentRule[];
  readonly strings?: readonly StringRule[];
  /** Absent for what is no program: data, markup, prose. Then there is no complexity. */
  readonly words?: WordRules;
  /** Signs that are decisions, separated by spaces: `&& || ??`. */
  readonly operators?: string;
  /** Longer signs that begin the same and are none. */
  readonly signs?: string;
  readonly question?: QuestionRule;
  /** The arrow of an arm in a block opened by one of `words.arms`. */
  readonly armArrow?: "=>" | "->";
  /** What stands before the arrow of the arm that takes the rest: `_`, `else`, `default`. */
  readonly armDefault?: string;
  /** Arms are separated by commas, and may contain functions with the same arrow. */
  readonly armSeparator?: ",";
  /** The word in `words.arms` opens such a block only directly before the brace. */
  readonly armsBeforeBrace?: boolean;
  /** Words before or after which a word of `words.cases` is no case. */
  readonly caseNotBefore?: string;
  readonly caseNotAfter?: string;
  readonly functions?: FunctionRules;
  readonly features?: readonly Feature[];
  /** Keywords in any case. */
  readonly caseless?: boolean;
  /** Bytes, besides letters, digits and `_`, that belong to a word. */
  readonly wordBytes?: string;
}

export interface Language {
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extensions?: string;
  /** Whole file names, lower case. */
  readonly filenames?: string;
  /** Interpreters named in a first line `#!`. */
  readonly interpreters?: string;
  readonly syntax: Syntax;
  /** Other surfaces of the same language, by extension. */
  readonly dialects?: Readonly<Record<string, Syntax>>;
}
