/** Languages whose comments begin with `#` or `--`, and their like. */
import type { Language, StringRule, Syntax } from "./syntax.ts";

const F = "f fr rf t tr rt";
const RAW = "r br rb";
const OTHER = "b u";

const PYTHON_STRINGS: readonly StringRule[] = ['"""', "'''", '"', "'"].flatMap((open): StringRule[] => {
  const multiline = open.length === 3;
  return [
    { open, multiline, prefixes: F, interpolate: "{" },
    { open, multiline, prefixes: RAW, documents: true },
    { open, multiline, prefixes: OTHER, documents: true },
    { open, multiline, documents: true },
  ];
});

const PYTHON: Syntax = {
  comments: ["#"],
  strings: PYTHON_STRINGS,
  words: {
    decisions: "if elif for while except and or",
    functions: "def lambda",
    cases: "case",
  },
  features: ["soft-case", "newline-ends"],
};

const RUBY: Syntax = {
  comments: ["#", { open: "=begin", close: "=end", at: "line", closesLine: true }],
  strings: [
    { open: '"', multiline: true, interpolate: "#{" },
    { open: "'", multiline: true },
    { open: "`", multiline: true, interpolate: "#{" },
  ],
  words: {
    decisions: "if elsif unless while until for when rescue and or",
    expects:
      "if elsif unless while until when rescue and or not return puts in then do else raise case yield",
    functions: "def",
    cases: "in",
  },
  operators: "&& || &&= ||=",
  question: "ruby",
  functions: { arrow: "->" },
  features: ["ruby", "member-names", "key-names", "newline-ends"],
};

const PERL: Syntax = {
  comments: [
    "#",
    { open: "=pod", close: "=cut", at: "line", closesLine: true },
    { open: "=head", close: "=cut", at: "line", closesLine: true },
    { open: "=over", close: "=cut", at: "line", closesLine: true },
    { open: "=item", close: "=cut", at: "line", closesLine: true },
    { open: "=begin", close: "=cut", at: "line", closesLine: true },
    { open: "=encoding", close: "=cut", at: "line", closesLine: true },
  ],
  strings: [
    { open: '"', multiline: true },
    { open: "'", multiline: true },
  ],
  words: {
    decisions: "if elsif unless while until for foreach and or",
    expects: "if elsif unless while until and or not return split grep map",
    functions: "sub",
  },
  operators: "&& || // &&= ||= //=",
  question: "ternary",
  features: ["member-names", "regex"],
  wordBytes: "$@%",
};

const LUA: Syntax = {
  comments: [
    { open: "--[[", close: "]]" },
    { open: "--[=[", close: "]=]" },
    { open: "--[==[", close: "]==]" },
    "--",
  ],
  strings: [
    { open: "[[", close: "]]", escape: "none", multiline: true },
    { open: "[=[", close: "]=]", escape: "none", multiline: true },
    { open: "[==[", close: "]==]", escape: "none", multiline: true },
    { open: '"' },
    { open: "'" },
  ],
  words: { decisions: "if elseif for while repeat and or", functions: "function" },
  features: ["member-names"],
};

const POWERSHELL: Syntax = {
  comments: [
    { open: "<#", close: "#>" },
    { open: "#", at: "word" },
  ],
  strings: [
    { open: "@'", close: "'@", closesLine: true, escape: "none", multiline: true },
    { open: '@"', close: '"@', closesLine: true, escape: "none", multiline: true },
    { open: '"', escape: "backquote", multiline: true, interpolate: "$(" },
    { open: "'", escape: "double", multiline: true },
  ],
  words: {
    decisions: "if elseif for foreach while until catch -and -or",
    controls: "if elseif for foreach while until switch",
    functions: "function filter",
  },
  operators: "&& ||",
  features: ["member-names"],
  caseless: true,
  wordBytes: "$-",
};

const R: Syntax = {
  comments: ["#"],
  strings: [{ open: '"', multiline: true }, { open: "'", multiline: true }, { open: "`" }],
  words: { decisions: "if for while repeat", controls: "if for while", functions: "function" },
  operators: "&& ||",
  wordBytes: ".",
};

const JULIA: Syntax = {
  comments: [{ open: "#=", close: "=#", nested: true }, "#"],
  strings: [
    { open: '"""', multiline: true, interpolate: "$(", documents: true },
    { open: '"', multiline: true, interpolate: "$(" },
    { open: "`", multiline: true },
  ],
  words: { decisions: "if elseif for while catch", functions: "function" },
  operators: "&& ||",
  question: "swift",
  functions: { arrow: "->" },
  features: ["lifetimes", "member-names"],
  wordBytes: "!",
};

const ELIXIR: Syntax = {
  comments: ["#"],
  strings: [
    { open: '"""', multiline: true, interpolate: "#{" },
    { open: "'''", multiline: true },
    { open: '"', multiline: true, interpolate: "#{" },
    { open: "'", interpolate: "#{" },
  ],
  words: { decisions: "if unless for case cond rescue and or", functions: "def defp fn defmacro" },
  operators: "&& ||",
  features: ["member-names", "key-names"],
};

const NIM: Syntax = {
  comments: [{ open: "#[", close: "]#", nested: true }, "#"],
  strings: [{ open: '"""', escape: "none", multiline: true }, { open: '"' }],
  words: {
    decisions: "if elif for while of except and or when",
    functions: "proc func method iterator macro template converter",
  },
  features: ["lifetimes", "member-names"],
};

const AWK: Syntax = {
  comments: ["#"],
  strings: [{ open: '"' }],
  words: {
    decisions: "if for while case",
    controls: "if for while",
    expects: "return",
    functions: "function",
  },
  operators: "&& ||",
  question: "ternary",
  features: ["regex"],
};

const HASH: Syntax = { comments: ["#"] };
const SHELL: Syntax = { comments: ["#"], words: {}, features: ["shell"], wordBytes: "-" };

export const SCRIPTING: readonly Language[] = [
  {
    name: "python",
    extensions: "py pyw pyi pyx pxd",
    filenames: "sconstruct sconscript wscript",
    interpreters: "python python2 python3 pypy",
    syntax: PYTHON,
  },
  {
    name: "starlark",
    extensions: "bzl star bazel",
    filenames: "build workspace module.bazel build.bazel",
    syntax: PYTHON,
  },
  {
    name: "ruby",
    extensions: "rb rake gemspec ru podspec rbi jbuilder",
    filenames: "rakefile gemfile guardfile vagrantfile podfile brewfile capfile fastfile",
    interpreters: "ruby jruby",
    syntax: RUBY,
  },
  { name: "crystal", extensions: "cr", syntax: RUBY },
  {
    name: "shell",
    extensions: "sh bash zsh ksh bats command",
    filenames: ".bashrc .bash_profile .profile .zshrc .bash_aliases pkgbuild",
    interpreters: "sh bash zsh ksh dash ash",
    syntax: SHELL,
  },
  {
    name: "fish",
    extensions: "fish",
    interpreters: "fish",
    syntax: {
      comments: ["#"],
      strings: [
        { open: '"', multiline: true },
        { open: "'", multiline: true },
      ],
      words: { decisions: "if for while case and or", functions: "function" },
    },
  },
  { name: "perl", extensions: "pl pm t pod psgi", interpreters: "perl", syntax: PERL },
  { name: "lua", extensions: "lua", interpreters: "lua luajit", syntax: LUA },
  { name: "powershell", extensions: "ps1 psm1 psd1", interpreters: "pwsh", syntax: POWERSHELL },
  { name: "r", extensions: "r rprofile", interpreters: "rscript", syntax: R },
  { name: "julia", extensions: "jl", interpreters: "julia", syntax: JULIA },
  { name: "elixir", extensions: "ex exs heex", interpreters: "elixir", syntax: ELIXIR },
  { name: "nim", extensions: "nim nims", syntax: NIM },
  {
    name: "tcl",
    extensions: "tcl tk itcl",
    interpreters: "tclsh wish expect",
    syntax: {
      comments: [{ open: "#", at: "line" }],
      words: { decisions: "if elseif for foreach while case catch", functions: "proc" },
      operators: "&& ||",
    },
  },
  { name: "awk", extensions: "awk gawk", interpreters: "awk gawk mawk", syntax: AWK },
  {
    name: "makefile",
    extensions: "mk mak make",
    filenames: "makefile gnumakefile makefile.am makefile.in",
    syntax: HASH,
  },
  {
    name: "cmake",
    extensions: "cmake",
    filenames: "cmakelists.txt",
    syntax: {
      comments: [{ open: "#[[", close: "]]" }, "#"],
      strings: [{ open: '"', multiline: true }],
      words: { decisions: "if elseif foreach while and or", functions: "function macro" },
      caseless: true,
    },
  },
  {
    name: "dockerfile",
    extensions: "dockerfile containerfile",
    filenames: "dockerfile containerfile",
    syntax: HASH,
  },
  {
    name: "nix",
    extensions: "nix",
    syntax: {
      comments: ["#", { open: "/*", close: "*/" }],
      strings: [
        { open: "''", escape: "none", multiline: true, interpolate: "${" },
        { open: '"', multiline: true, interpolate: "${" },
      ],
      words: { decisions: "if" },
      operators: "&& ||",
    },
  },
  {
    name: "hcl",
    extensions: "tf tfvars hcl",
    syntax: {
      comments: ["#", "//", { open: "/*", close: "*/" }],
      strings: [{ open: '"', interpolate: "${" }],
    },
  },
  {
    name: "meson",
    filenames: "meson.build meson_options.txt",
    syntax: {
      comments: ["#"],
      strings: [{ open: "'''", multiline: true }, { open: "'" }],
      words: { decisions: "if elif foreach and or" },
    },
  },
];
