/** Languages of the web: JavaScript and TypeScript, PHP, style sheets and markup. */
import type { Language, StringRule, Syntax } from "./syntax.ts";

const SLASHES = ["//", { open: "/*", close: "*/" }] as const;
const MARKUP_COMMENT = { open: "<!--", close: "-->" } as const;

const JS_STRINGS: readonly StringRule[] = [
  { open: '"' },
  { open: "'" },
  { open: "`", multiline: true, interpolate: "${" },
];

const JAVASCRIPT: Syntax = {
  comments: SLASHES,
  strings: JS_STRINGS,
  words: {
    decisions: "if for while case catch",
    controls: "if for while switch catch with await",
    expects:
      "return case throw else do typeof delete void in of instanceof new await yield default extends async",
    functions: "function",
    types: "class",
  },
  operators: "&& || ?? &&= ||= ??=",
  question: "javascript",
  functions: { bodies: true, arrow: "=>", needs: "block" },
  features: ["member-names", "key-names", "regex", "jsx"],
  wordBytes: "$",
};

const TSX: Syntax = {
  ...JAVASCRIPT,
  words: { ...JAVASCRIPT.words, types: "class interface" },
  question: "typescript",
  functions: { bodies: true, arrow: "=>", typeAfter: [":"], needs: "block" },
  features: ["member-names", "key-names", "regex", "jsx", "conditional-types"],
};

const TYPESCRIPT: Syntax = {
  ...TSX,
  features: ["member-names", "key-names", "regex", "conditional-types"],
};

const PHP: Syntax = {
  comments: ["//", "#", { open: "/*", close: "*/" }],
  strings: [
    { open: '"', multiline: true },
    { open: "'", multiline: true },
    { open: "`", multiline: true },
  ],
  words: {
    decisions: "if elseif for foreach while catch and or",
    controls: "if elseif for foreach while switch catch declare",
    expects:
      "return case throw else echo print new clone instanceof public private protected readonly abstract final const var yield as",
    functions: "function fn",
    arms: "match",
    cases: "case",
    enums: "enum",
  },
  operators: "&& || ?? ??=",
  signs: "?->",
  question: "php",
  armArrow: "=>",
  armDefault: "default",
  armSeparator: ",",
  functions: { needs: "block" },
  features: ["php", "member-names", "attributes"],
  caseless: true,
  wordBytes: "$",
};

export const WEB: readonly Language[] = [
  {
    name: "javascript",
    extensions: "js mjs cjs jsx es6",
    interpreters: "node nodejs deno bun",
    syntax: JAVASCRIPT,
  },
  { name: "typescript", extensions: "ts mts cts tsx", syntax: TYPESCRIPT, dialects: { tsx: TSX } },
  { name: "php", extensions: "php phtml php3 php4 php5 phps inc", interpreters: "php", syntax: PHP },
  {
    name: "css",
    extensions: "css pcss postcss",
    syntax: { comments: [{ open: "/*", close: "*/" }], strings: [{ open: '"' }, { open: "'" }] },
  },
  {
    name: "scss",
    extensions: "scss",
    syntax: { comments: SLASHES, strings: [{ open: '"' }, { open: "'" }] },
  },
  { name: "sass", extensions: "sass", syntax: { comments: SLASHES } },
  {
    name: "less",
    extensions: "less",
    syntax: { comments: SLASHES, strings: [{ open: '"' }, { open: "'" }] },
  },
  { name: "stylus", extensions: "styl", syntax: { comments: SLASHES } },
  { name: "html", extensions: "html htm xhtml", syntax: { comments: [MARKUP_COMMENT] } },
  {
    name: "xml",
    extensions:
      "xml xsd xsl xslt svg plist xaml wsdl xliff xlf resx storyboard xib csproj vbproj fsproj props targets nuspec",
    syntax: { comments: [MARKUP_COMMENT] },
  },
  {
    name: "vue",
    extensions: "vue",
    syntax: { comments: [MARKUP_COMMENT, { open: "//", at: "line" }, { open: "/*", close: "*/" }] },
  },
  {
    name: "svelte",
    extensions: "svelte",
    syntax: { comments: [MARKUP_COMMENT, { open: "//", at: "line" }, { open: "/*", close: "*/" }] },
  },
  {
    name: "astro",
    extensions: "astro",
    syntax: { comments: [MARKUP_COMMENT, { open: "//", at: "line" }, { open: "/*", close: "*/" }] },
  },
  {
    name: "razor",
    extensions: "cshtml razor",
    syntax: { comments: [MARKUP_COMMENT, { open: "@*", close: "*@" }] },
  },
  { name: "erb", extensions: "erb", syntax: { comments: [MARKUP_COMMENT, { open: "<%#", close: "%>" }] } },
  { name: "haml", extensions: "haml", syntax: { comments: [{ open: "-#", at: "line" }] } },
  { name: "slim", extensions: "slim", syntax: { comments: [{ open: "/", at: "line" }] } },
  { name: "ejs", extensions: "ejs", syntax: { comments: [MARKUP_COMMENT, { open: "<%#", close: "%>" }] } },
  {
    name: "handlebars",
    extensions: "hbs handlebars mustache",
    syntax: { comments: [MARKUP_COMMENT, { open: "{{!--", close: "--}}" }, { open: "{{!", close: "}}" }] },
  },
  {
    name: "jinja",
    extensions: "j2 jinja jinja2",
    syntax: { comments: [MARKUP_COMMENT, { open: "{#", close: "#}" }] },
  },
  { name: "twig", extensions: "twig", syntax: { comments: [MARKUP_COMMENT, { open: "{#", close: "#}" }] } },
  { name: "pug", extensions: "pug jade", syntax: { comments: [{ open: "//", at: "line" }] } },
  {
    name: "graphql",
    extensions: "graphql gql graphqls",
    syntax: { comments: ["#"], strings: [{ open: '"""', multiline: true }, { open: '"' }] },
  },
  {
    name: "coffeescript",
    extensions: "coffee cson",
    filenames: "cakefile",
    interpreters: "coffee",
    syntax: {
      comments: [{ open: "###", close: "###" }, "#"],
      strings: [
        { open: '"""', multiline: true, interpolate: "#{" },
        { open: "'''", multiline: true },
        { open: '"', multiline: true, interpolate: "#{" },
        { open: "'", multiline: true },
      ],
      words: { decisions: "if unless for while until when catch and or" },
      operators: "&& ||",
      features: ["member-names", "key-names"],
    },
  },
];
