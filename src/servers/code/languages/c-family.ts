/** Languages that look like C: braces, `//`, conditions in parentheses. */
import type { Language, StringRule, Syntax } from "./syntax.ts";

const SLASHES = ["//", { open: "/*", close: "*/" }] as const;
const QUOTES: readonly StringRule[] = [{ open: '"' }, { open: "'" }];
const TRIPLE: StringRule = { open: '"""', multiline: true };
const CONTROLS = "if for while switch catch";
const EXPECTS = "return case throw else do";

const C: Syntax = {
  comments: SLASHES,
  strings: QUOTES,
  words: { decisions: "if for while case", controls: "if for while switch sizeof", expects: EXPECTS },
  operators: "&& ||",
  question: "ternary",
  functions: { bodies: true, flat: true },
  features: ["preprocessor"],
};

const CPP: Syntax = {
  comments: SLASHES,
  strings: QUOTES,
  words: {
    decisions: "if for while case catch and or",
    controls: `${CONTROLS} sizeof alignas decltype noexcept constexpr`,
    expects: EXPECTS,
    tails: "const noexcept override final mutable volatile try",
    creators: "new",
  },
  operators: "||",
  question: "ternary",
  functions: { bodies: true, typeAfter: ["->", ":"], captures: true },
  features: ["preprocessor", "reference-types", "digit-quotes", "cpp-raw"],
};

const JAVA: Syntax = {
  comments: SLASHES,
  strings: [TRIPLE, ...QUOTES],
  words: {
    decisions: "if for while case catch",
    controls: `${CONTROLS} synchronized try`,
    expects: `${EXPECTS} instanceof assert`,
    typeTails: "throws",
    creators: "new",
    types: "record",
  },
  operators: "&& ||",
  question: "java",
  functions: { bodies: true, arrow: "->" },
  features: ["member-names"],
};

const CSHARP: Syntax = {
  comments: SLASHES,
  strings: [
    { open: '$$"""', close: '"""', escape: "none", multiline: true, interpolate: "{{" },
    { open: '$"""', close: '"""', escape: "none", multiline: true, interpolate: "{" },
    { open: '"""', escape: "none", multiline: true },
    { open: '$@"', close: '"', escape: "double", multiline: true, interpolate: "{" },
    { open: '@$"', close: '"', escape: "double", multiline: true, interpolate: "{" },
    { open: '$"', close: '"', interpolate: "{" },
    { open: '@"', close: '"', escape: "double", multiline: true },
    ...QUOTES,
  ],
  words: {
    decisions: "if for foreach while catch",
    cases: "case",
    controls: `${CONTROLS} foreach using lock fixed when`,
    expects: `${EXPECTS} is as in out ref await yield`,
    typeTails: "where",
    accessors: "get set init add remove",
    creators: "new",
    arms: "switch",
  },
  operators: "&& || ?? ??=",
  question: "csharp",
  armArrow: "=>",
  armSeparator: ",",
  armsBeforeBrace: true,
  caseNotAfter: "goto",
  functions: { bodies: true, arrow: "=>" },
  features: ["preprocessor", "member-names"],
};

const GO: Syntax = {
  comments: SLASHES,
  strings: [{ open: '"' }, { open: "'" }, { open: "`", escape: "none", multiline: true }],
  words: { decisions: "if for case", functions: "func" },
  operators: "&& ||",
  functions: { needs: "block-on-line" },
  features: ["member-names"],
};

const RUST: Syntax = {
  comments: ["//", { open: "/*", close: "*/", nested: true }],
  strings: [{ open: '"', multiline: true }],
  words: {
    decisions: "if while loop",
    statements: "for",
    expects: "return if while match in else move break box as mut ref",
    functions: "fn",
    arms: "match",
  },
  armArrow: "=>",
  functions: { needs: "block" },
  features: ["lifetimes", "closures", "macros", "hash-strings", "attributes"],
};

const KOTLIN: Syntax = {
  comments: ["//", { open: "/*", close: "*/", nested: true }],
  strings: [
    { open: '"""', escape: "none", multiline: true, interpolate: "${" },
    { open: '"', interpolate: "${" },
    { open: "'" },
    { open: "`", escape: "none" },
  ],
  words: {
    decisions: "if for while catch",
    controls: CONTROLS,
    expects: "return else in is as throw",
    functions: "fun",
    arms: "when",
  },
  operators: "&& || ?:",
  armArrow: "->",
  armDefault: "else",
  features: ["member-names"],
};

const SWIFT: Syntax = {
  comments: ["//", { open: "/*", close: "*/", nested: true }],
  strings: [
    { open: '"""', multiline: true, interpolate: "\\(" },
    { open: '"', interpolate: "\\(" },
    { open: "`", escape: "none" },
  ],
  words: {
    decisions: "if guard for while catch",
    expects: "return case in is as throw else where",
    functions: "func init deinit subscript",
    cases: "case",
    enums: "enum",
  },
  operators: "&& || ??",
  question: "swift",
  caseNotAfter: "if guard while for indirect",
  features: ["member-names", "hash-sign-strings"],
};

const SCALA: Syntax = {
  comments: ["//", { open: "/*", close: "*/", nested: true }],
  strings: [
    { open: '"""', multiline: true, escape: "none", interpolate: "${", prefixes: "s f raw" },
    { open: '"', interpolate: "${", prefixes: "s f raw" },
    { open: '"""', multiline: true, escape: "none" },
    { open: '"' },
  ],
  words: {
    decisions: "if for while",
    controls: CONTROLS,
    expects: "return case match throw else yield",
    functions: "def",
    cases: "case",
    enums: "enum",
  },
  operators: "&& ||",
  caseNotBefore: "class object _",
  features: ["lifetimes", "member-names"],
};

const DART: Syntax = {
  comments: SLASHES,
  strings: [
    { open: '"""', escape: "none", multiline: true, prefixes: "r" },
    { open: "'''", escape: "none", multiline: true, prefixes: "r" },
    { open: '"', escape: "none", prefixes: "r" },
    { open: "'", escape: "none", prefixes: "r" },
    { open: '"""', multiline: true, interpolate: "${" },
    { open: "'''", multiline: true, interpolate: "${" },
    { open: '"', interpolate: "${" },
    { open: "'", interpolate: "${" },
  ],
  words: { decisions: "if for while case catch", controls: CONTROLS, expects: `${EXPECTS} is as in await` },
  operators: "&& || ?? ??=",
  question: "dart",
  functions: { bodies: true, arrow: "=>" },
  features: ["member-names"],
};

const GROOVY: Syntax = {
  comments: SLASHES,
  strings: [
    { open: '"""', multiline: true, interpolate: "${" },
    { open: "'''", multiline: true },
    { open: '"', interpolate: "${" },
    { open: "'" },
  ],
  words: {
    decisions: "if for while case catch",
    controls: CONTROLS,
    expects: `${EXPECTS} in instanceof`,
    creators: "new",
  },
  operators: "&& || ?:",
  signs: "?.",
  question: "java",
  functions: { bodies: true },
  features: ["member-names", "key-names", "regex"],
};

/** C without much: enough for shading languages, contracts and the like. */
const PLAIN_C: Syntax = { ...C, features: ["preprocessor", "member-names"] };

const OBJECTIVE_C: Syntax = {
  ...C,
  words: { ...C.words, decisions: "if for while case @catch" },
  wordBytes: "@",
};

const D: Syntax = {
  comments: [...SLASHES, { open: "/+", close: "+/", nested: true }],
  strings: [{ open: '"', multiline: true }, { open: "'" }, { open: "`", escape: "none", multiline: true }],
  words: {
    decisions: "if for foreach foreach_reverse while case catch",
    controls: `${CONTROLS} foreach`,
    expects: EXPECTS,
  },
  operators: "&& ||",
  question: "ternary",
  functions: { bodies: true },
};

const ZIG: Syntax = {
  comments: ["//"],
  strings: [{ open: '"' }, { open: "'" }, { open: "\\\\", close: "\n", escape: "none" }],
  words: { decisions: "if for while catch and or orelse", functions: "fn", arms: "switch" },
  armArrow: "=>",
  armDefault: "else",
  functions: { needs: "block" },
  features: ["member-names"],
};

export const C_FAMILY: readonly Language[] = [
  { name: "c", extensions: "c h", syntax: C },
  { name: "cpp", extensions: "cc cpp cxx c++ hh hpp hxx h++ inl ipp tcc", syntax: CPP },
  { name: "objective-c", extensions: "m", syntax: OBJECTIVE_C },
  { name: "objective-cpp", extensions: "mm", syntax: OBJECTIVE_C },
  { name: "cuda", extensions: "cu cuh", syntax: CPP },
  { name: "java", extensions: "java", syntax: JAVA },
  { name: "csharp", extensions: "cs csx", syntax: CSHARP },
  { name: "go", extensions: "go", syntax: GO },
  { name: "rust", extensions: "rs", syntax: RUST },
  { name: "kotlin", extensions: "kt kts", syntax: KOTLIN },
  { name: "swift", extensions: "swift", syntax: SWIFT },
  { name: "scala", extensions: "scala sc sbt", syntax: SCALA },
  { name: "dart", extensions: "dart", syntax: DART },
  { name: "groovy", extensions: "groovy gradle gvy", filenames: "jenkinsfile", syntax: GROOVY },
  { name: "d", extensions: "d di", syntax: D },
  { name: "zig", extensions: "zig zon", syntax: ZIG },
  { name: "solidity", extensions: "sol", syntax: { ...PLAIN_C, features: ["member-names"] } },
  { name: "glsl", extensions: "glsl vert frag geom comp tesc tese", syntax: PLAIN_C },
  { name: "hlsl", extensions: "hlsl fx fxh", syntax: PLAIN_C },
  { name: "opencl", extensions: "cl", syntax: PLAIN_C },
  { name: "actionscript", extensions: "as", syntax: { ...JAVA, question: "ternary" } },
  { name: "haxe", extensions: "hx", syntax: { ...JAVA, question: "ternary" } },
  { name: "vala", extensions: "vala vapi", syntax: { ...JAVA, question: "csharp", operators: "&& || ??" } },
  {
    name: "verilog",
    extensions: "v vh sv svh",
    syntax: {
      comments: SLASHES,
      strings: [{ open: '"' }],
      words: { decisions: "if for while repeat case casez casex" },
      operators: "&& ||",
      question: "ternary",
    },
  },
  { name: "protobuf", extensions: "proto", syntax: { comments: SLASHES, strings: QUOTES } },
  { name: "thrift", extensions: "thrift", syntax: { comments: [...SLASHES, "#"], strings: QUOTES } },
];
