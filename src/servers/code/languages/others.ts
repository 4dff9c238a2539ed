/** Functional languages, older languages, assembly, data and prose. */
import type { Language, Syntax } from "./syntax.ts";

const QUOTE = { open: '"' } as const;
const TEXT: Syntax = {};
const HASH: Syntax = { comments: ["#"] };

const HASKELL: Syntax = {
  comments: [{ open: "{-", close: "-}", nested: true }, "--"],
  strings: [QUOTE],
  words: { decisions: "if case" },
  operators: "&& ||",
  features: ["lifetimes", "member-names"],
  wordBytes: "'",
};

const ML: Syntax = {
  comments: [{ open: "(*", close: "*)", nested: true }],
  strings: [{ open: '"', multiline: true }],
  words: { decisions: "if for while when", functions: "fun function" },
  operators: "&& ||",
  features: ["lifetimes", "member-names"],
};

const FSHARP: Syntax = {
  comments: [{ open: "(*", close: "*)", nested: true }, "//"],
  strings: [
    { open: '"""', escape: "none", multiline: true },
    { open: '@"', close: '"', escape: "double", multiline: true },
    { open: '"', multiline: true },
  ],
  words: { decisions: "if elif for while when", functions: "fun" },
  operators: "&& ||",
  features: ["lifetimes", "member-names"],
};

const LISP: Syntax = {
  comments: [{ open: "#|", close: "|#", nested: true }, ";"],
  strings: [{ open: '"', multiline: true }],
  words: {
    decisions: "if when unless cond case do dolist dotimes loop and or",
    functions: "defun lambda define defmacro fn defn",
  },
  wordBytes: "-*+!?<>=/'.",
};

const SQL: Syntax = {
  comments: ["--", { open: "/*", close: "*/" }],
  strings: [
    { open: "'", escape: "double", multiline: true },
    { open: '"', escape: "double" },
  ],
};

const PASCAL: Syntax = {
  comments: ["//", { open: "{", close: "}" }, { open: "(*", close: "*)" }],
  strings: [{ open: "'", escape: "double" }],
  words: {
    decisions: "if for while repeat except and or",
    functions: "procedure function constructor destructor",
  },
  features: ["member-names"],
  caseless: true,
};

const ADA: Syntax = {
  comments: ["--"],
  strings: [{ open: '"', escape: "double" }],
  words: { decisions: "if elsif for while when", functions: "procedure function" },
  features: ["lifetimes", "member-names"],
  caseless: true,
};

const FORTRAN: Syntax = {
  comments: ["!"],
  strings: [
    { open: '"', escape: "double" },
    { open: "'", escape: "double" },
  ],
  words: { decisions: "if elseif do case where", functions: "subroutine function" },
  caseless: true,
};

const BASIC: Syntax = {
  comments: ["'", { open: "REM ", at: "line" }],
  strings: [{ open: '"', escape: "double" }],
  words: { decisions: "If ElseIf For While Case Catch And Or AndAlso OrElse", functions: "Sub Function" },
  features: ["member-names"],
  caseless: true,
};

const ERLANG: Syntax = {
  comments: ["%"],
  strings: [{ open: '"', multiline: true }, { open: "'" }],
  words: { decisions: "if case receive catch andalso orelse", functions: "fun" },
};

const ASSEMBLY: Syntax = {
  comments: [";", { open: "#", at: "word" }, "//", { open: "/*", close: "*/" }, { open: "@", at: "word" }],
};

export const OTHERS: readonly Language[] = [
  { name: "haskell", extensions: "hs lhs hsc", interpreters: "runhaskell", syntax: HASKELL },
  { name: "elm", extensions: "elm", syntax: HASKELL },
  { name: "purescript", extensions: "purs", syntax: HASKELL },
  { name: "ocaml", extensions: "ml mli", interpreters: "ocaml", syntax: ML },
  { name: "fsharp", extensions: "fs fsi fsx", syntax: FSHARP },
  { name: "clojure", extensions: "clj cljs cljc edn", syntax: LISP },
  { name: "lisp", extensions: "lisp lsp asd", syntax: LISP },
  { name: "emacs-lisp", extensions: "el", filenames: ".emacs", syntax: LISP },
  { name: "scheme", extensions: "scm ss rkt", syntax: LISP },
  { name: "erlang", extensions: "erl hrl", interpreters: "escript", syntax: ERLANG },
  { name: "sql", extensions: "sql psql plsql pks pkb", syntax: SQL },
  { name: "pascal", extensions: "pas dpr lpr pp", syntax: PASCAL },
  { name: "ada", extensions: "adb ads ada", syntax: ADA },
  { name: "vhdl", extensions: "vhd vhdl", syntax: ADA },
  { name: "fortran", extensions: "f90 f95 f03 f08 f for f77", syntax: FORTRAN },
  { name: "visual-basic", extensions: "vb vbs bas", syntax: BASIC },
  {
    name: "batch",
    extensions: "bat cmd",
    syntax: {
      comments: [
        { open: "rem ", at: "line" },
        { open: "REM ", at: "line" },
        { open: "@rem", at: "line" },
        { open: "@REM", at: "line" },
        { open: "::", at: "line" },
      ],
    },
  },
  { name: "assembly", extensions: "asm s nasm", syntax: ASSEMBLY },
  {
    name: "vim-script",
    extensions: "vim",
    filenames: ".vimrc vimrc",
    syntax: { comments: [{ open: '"', at: "line" }] },
  },
  { name: "tex", extensions: "tex sty cls bib", syntax: { comments: ["%"] } },
  { name: "matlab", extensions: "matlab mlx", syntax: { comments: [{ open: "%{", close: "%}" }, "%"] } },
  {
    name: "json",
    extensions: "json geojson webmanifest avsc ipynb map har",
    filenames: ".babelrc .eslintrc .prettierrc composer.lock pipfile.lock",
    syntax: TEXT,
  },
  {
    name: "jsonc",
    extensions: "jsonc json5 code-workspace",
    syntax: { comments: ["//", { open: "/*", close: "*/" }], strings: [QUOTE] },
  },
  {
    name: "yaml",
    extensions: "yml yaml",
    filenames: ".clang-format .clang-tidy",
    syntax: { comments: [{ open: "#", at: "word" }] },
  },
  {
    name: "toml",
    extensions: "toml",
    filenames: "cargo.lock poetry.lock pipfile",
    syntax: {
      comments: ["#"],
      strings: [
        { open: '"""', multiline: true },
        { open: "'''", escape: "none", multiline: true },
        QUOTE,
        { open: "'", escape: "none" },
      ],
    },
  },
  {
    name: "ini",
    extensions: "ini cfg conf cnf desktop editorconfig",
    filenames: ".editorconfig .gitconfig .npmrc .gitmodules",
    syntax: {
      comments: [
        { open: ";", at: "line" },
        { open: "#", at: "line" },
      ],
    },
  },
  {
    name: "properties",
    extensions: "properties",
    syntax: {
      comments: [
        { open: "#", at: "line" },
        { open: "!", at: "line" },
      ],
    },
  },
  {
    name: "ignore-list",
    filenames: ".gitignore .dockerignore .npmignore .eslintignore .prettierignore .gitattributes codeowners",
    syntax: { comments: [{ open: "#", at: "line" }] },
  },
  { name: "dotenv", extensions: "env", filenames: ".env .env.example .env.local", syntax: HASH },
  {
    name: "markdown",
    extensions: "md markdown mdx mkd",
    syntax: { comments: [{ open: "<!--", close: "-->" }] },
  },
  { name: "restructuredtext", extensions: "rst", syntax: TEXT },
  { name: "asciidoc", extensions: "adoc asciidoc asc", syntax: { comments: [{ open: "//", at: "line" }] } },
  { name: "org", extensions: "org", syntax: TEXT },
  {
    name: "text",
    extensions: "txt text",
    filenames: "license licence copying notice readme authors contributors changelog install todo version",
    syntax: TEXT,
  },
  { name: "csv", extensions: "csv tsv", syntax: TEXT },
  { name: "gettext", extensions: "po pot", syntax: { comments: [{ open: "#", at: "line" }] } },
  { name: "diff", extensions: "diff patch", syntax: TEXT },
];
