/**
 * What both sides of the scanner must agree on: numbers for kinds and marks, and where everything lies in the
 * module's memory. TypeScript writes the tables (lexicon-writer.ts), AssemblyScript reads them (wasm/); this file
 * is compiled by both compilers, so it holds nothing but constants.
 */

/** How many brackets are remembered; deeper ones are only counted. */
export const MAX_DEPTH = 4096;

/**
 * The memory, from below: constants of the compiler, the state of the scan (its counters first), the lexicon in
 * use, the open brackets, here-documents that wait for their line, a string rule made on the way, the lexicons
 * written so far, and last the file, which may be as large as the memory grows.
 */
export const STATE_AT = 0x2000;
export const SHELL_AT = 0x2100;
export const LEXICON_AT = 0x2200;
export const KINDS_AT = 0x4000;
export const CLOSERS_AT = 0x5000;
export const VALUES_AT = 0x6000;
export const HEREDOCS_AT = 0xa000;
export const MADE_RULE_AT = 0xd000;
export const MADE_STOPS_AT = 0xd100;
export const LEXICONS_AT = 0x10000;
/** A little below the file, so that what is read before its first byte is zero. */
export const LEXICONS_END = 0x7ffc0;
export const FILE_AT = 0x80000;
/** Zeros behind the file. They end every loop: what reads on from its last byte meets one within sixteen bytes. */
export const PADDING = 64;

// A lexicon: a head of numbers, then tables by byte. What has no fixed size lies behind it, found by address.
/**
 * The bytes of words for sixteen at once: by the lower half of a byte a bit for each upper half, and behind that,
 * by the upper half, its bit.
 */
export const WORD_HALVES_AT = LEXICON_AT + 0x80;
export const ACTIONS_AT = LEXICON_AT + 0x100;
export const WORD_BYTES_AT = LEXICON_AT + 0x200;
/** By first byte: a bit for each length that a keyword has (u16). */
export const LENGTHS_AT = LEXICON_AT + 0x300;
/** By first byte: the address of its keywords (u32). */
export const WORDS_AT = LEXICON_AT + 0x500;
/** By byte: the address of what it may begin (u32). */
export const OPENERS_AT = LEXICON_AT + 0x900;
export const LEXICON_BYTES = 0xd00;

/** What a byte means where code is read: a sign that only says that the line has code … */
export const ACTION_PLAIN = 0;
export const ACTION_SPACE = 1;
export const ACTION_NEWLINE = 2;
export const ACTION_WORD = 3;
export const ACTION_DIGIT = 4;
export const ACTION_OPEN = 5;
export const ACTION_CLOSE = 6;
/** … or one that may begin something. */
export const ACTION_SIGN = 7;

export const OPENER_LINE_COMMENT = 0;
export const OPENER_BLOCK_COMMENT = 1;
export const OPENER_STRING = 2;
export const OPENER_DECISION = 3;
export const OPENER_SIGN = 4;
export const OPENER_SPECIAL = 5;

export const PLACE_ANYWHERE = 0;
export const PLACE_LINE = 1;
export const PLACE_WORD = 2;

export const SPECIAL_QUESTION = 0;
export const SPECIAL_REGEX = 1;
export const SPECIAL_JSX = 2;
export const SPECIAL_DIRECTIVE = 3;
export const SPECIAL_AND_AND = 4;
export const SPECIAL_OR_OR = 5;
export const SPECIAL_BAR = 6;
export const SPECIAL_APOSTROPHE = 7;
export const SPECIAL_HASH_STRING = 8;
export const SPECIAL_ARROW = 9;
export const SPECIAL_TYPE_COLON = 10;
export const SPECIAL_RUBY_HEREDOC = 11;
export const SPECIAL_RUBY_REGEX = 12;
export const SPECIAL_PHP_HEREDOC = 13;
export const SPECIAL_PERCENT = 14;
export const SPECIAL_COLON = 15;
export const SPECIAL_RUBY_GLOBAL = 16;
export const SPECIAL_CLOSE_TAG = 17;
export const SPECIAL_ATTRIBUTE = 18;
export const SPECIAL_COMMA = 19;

export const QUESTION_TERNARY = 0;
export const QUESTION_JAVA = 1;
export const QUESTION_TYPESCRIPT = 2;
export const QUESTION_JAVASCRIPT = 3;
export const QUESTION_CSHARP = 4;
export const QUESTION_PHP = 5;
export const QUESTION_RUBY = 6;
export const QUESTION_SWIFT = 7;
export const QUESTION_DART = 8;

export const NEEDS_NOTHING = 0;
export const NEEDS_BLOCK = 1;
export const NEEDS_BLOCK_ON_LINE = 2;

export const HEREDOC_NO = 0;
export const HEREDOC_PLAIN = 1;
/** White space may precede the closing word. */
export const HEREDOC_INDENTED = 2;

/** What a language has; asked of the lexicon in use. */
export const HAS_WORDS = 1;
export const HAS_COMMENTS = 1 << 1;
export const HAS_SHELL = 1 << 2;
export const HAS_PHP = 1 << 3;
export const HAS_NEWLINE_ENDS = 1 << 4;
export const HAS_DIGIT_QUOTES = 1 << 5;
export const HAS_MEMBER_NAMES = 1 << 6;
export const HAS_KEY_NAMES = 1 << 7;
export const HAS_MACROS = 1 << 8;
export const HAS_RUBY = 1 << 9;
export const HAS_TYPES = 1 << 10;
export const HAS_CPP_RAW = 1 << 11;
export const HAS_HASH_STRINGS = 1 << 12;
export const HAS_SOFT_CASE = 1 << 13;
export const HAS_CLOSURES = 1 << 14;
export const HAS_BODIES = 1 << 15;
export const HAS_FLAT_FUNCTIONS = 1 << 16;
export const HAS_CAPTURES = 1 << 17;
export const HAS_ARROW_TYPES = 1 << 18;
export const HAS_ARM_SEPARATOR = 1 << 19;
export const HAS_ARMS_BEFORE_BRACE = 1 << 20;
export const HAS_CASELESS = 1 << 21;

/** What a keyword means; marks of a word that is listed twice are joined. */
export const MARK_DECISION = 1;
export const MARK_CONTROL = 1 << 1;
export const MARK_EXPECTS = 1 << 2;
export const MARK_FUNCTION = 1 << 3;
export const MARK_TAIL = 1 << 4;
export const MARK_CREATOR = 1 << 5;
export const MARK_ARMS = 1 << 6;
export const MARK_CASE = 1 << 7;
export const MARK_ENUM = 1 << 8;
export const MARK_TYPE = 1 << 9;
export const MARK_PREFIX = 1 << 10;
export const MARK_EXTENDS = 1 << 11;
export const MARK_STATEMENT = 1 << 12;
export const MARK_TYPE_TAIL = 1 << 13;
export const MARK_ACCESSOR = 1 << 14;
/** Longer words are no keywords. */
export const MAX_WORD = 15;
