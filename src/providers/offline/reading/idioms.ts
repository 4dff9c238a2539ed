/**
 * Everyday ways of asking that share no word with any tool ("what's in README.md?", `cat notes.txt`, srcフォルダの中),
 * said again in words that tools use. Data and no knowledge of any tool; what no line knows stays as it was. A rewritten
 * request is English: only the planner reads it, and the person is answered in their own language.
 */
const FILE = String.raw`["'\`「]?((?:[\w@.~-]+/)*(?:[\w@-][\w@.-]*\.\w{1,8}|LICEN[SC]E|Makefile|Dockerfile))["'\`」]?`;
const FOLDER = String.raw`["'\`「]?((?:\.{0,2}/)?[\w@.-]+(?:/[\w@.-]+)*)/?["'\`」]?`;
/** Folders that nearly every project has: here the bare word is enough. */
const USUAL = `((?:src|lib|tests?|docs?|bin|dist|build|scripts|app|packages|examples|public|assets|config)/?)`;
/** "the current directory" names none. */
const UNNAMED =
  /^(?:current|working|this|that|the|a|an|my|our|its|each|every|root|whole|entire|parent|which|what|any|new|same|project|home|last|first|present|following)$/i;
const NAME = String.raw`["'\`「]?([A-Za-z_$][\w$]*(?:[A-Z_]\w*|\(\)))["'\`」]?`;
/** Command lines that people type as they are. */
const PROGRAM =
  "(?:git\\s+(?:status|log|diff|branch|show|pull|push|commit|add|checkout|switch|fetch|stash|merge|rebase|remote|tag|blame|init|clone|reset|restore)(?![\\w-])|(?:npm|npx|pnpm|yarn|node|python3?|pip3?|cargo|docker|kubectl|curl|echo|rg)(?=\\s+[\\w./'\"-]))";
const REST_OF_LINE = "[\\x20-\\x3e\\x40-\\x7e]{0,500}";
const PLEASE = String.raw`^\s*(?:please\s+|can you\s+|could you\s+)?`;
const END = String.raw`\s*[.?!。？！]*\s*$`;

interface Idiom {
  readonly pattern: RegExp;
  said(...groups: readonly string[]): string | undefined;
}

const idiom = (pattern: string, said: Idiom["said"]): Idiom => ({ pattern: new RegExp(pattern, "i"), said });
const readFile = (file = "") => `show the contents of the file ${file}`;
const listFolder = (folder = "") => (UNNAMED.test(folder) ? "list the files" : `list the files in ${folder}`);
/** createRanker and make_list are names of code; Tokyo is not. */
const findName = (name = "") =>
  /[a-z][A-Z]|_|\(\)$/.test(name) ? `find ${name.replace("()", "")} in the code` : undefined;

/** How the files of a language end. */
const ENDINGS: Readonly<Record<string, string>> = {
  markdown: "md",
  typescript: "ts",
  javascript: "js",
  python: "py",
  ruby: "rb",
  rust: "rs",
  go: "go",
  java: "java",
  json: "json",
  yaml: "yaml",
  html: "html",
  css: "css",
  pdf: "pdf",
  csv: "csv",
  text: "txt",
  shell: "sh",
};
const LANGUAGE = `(${Object.keys(ENDINGS).join("|")})`;
const findEnding = (language = "") => `find *.${ENDINGS[language.toLowerCase()]} files`;

const IDIOMS: readonly Idiom[] = [
  idiom(
    `${PLEASE}(?:find|list|show|search for|look for)\\s+(?:me\\s+)?(?:all\\s+)?(?:the\\s+)?${LANGUAGE}\\s+files${END}`,
    findEnding,
  ),
  idiom(
    `^\\s*(?:すべての|全ての)?\\s*${LANGUAGE}\\s*(?:の)?ファイル(?:の?一覧)?を(?:すべて|全部|全て)?(?:探|検索|見つけ|一覧|リスト|表示)`,
    findEnding,
  ),
  idiom(`^\\s*(${PROGRAM}${REST_OF_LINE})$`, (line = "") => `run the command: ${line.trim()}`),
  idiom(`^\\s*(?:ls|dir)(?:\\s+-\\w+)*${END}`, () => "list the files"),
  idiom(`^\\s*(?:ls|dir)(?:\\s+-\\w+)*\\s+${FOLDER}\\s*$`, listFolder),
  idiom(`^\\s*(?:cat|less|more|head|tail)\\s+${FILE}\\s*$`, readFile),
  idiom(
    `^\\s*what(?:'s|’s| is| are)?\\s+(?:written\\s+)?(?:in|inside)\\s+(?:the\\s+)?(?:file\\s+)?${FILE}${END}`,
    readFile,
  ),
  idiom(
    `^\\s*what\\s+does\\s+(?:the\\s+)?(?:file\\s+)?${FILE}\\s+(?:say|contain|have|look like)(?:\\s+in it)?${END}`,
    readFile,
  ),
  idiom(
    `^\\s*what(?:'s|’s| is| are)?\\s+(?:there\\s+)?(?:in|inside)\\s+(?:the\\s+)?(?:folder|directory)\\s+${FOLDER}${END}`,
    listFolder,
  ),
  idiom(
    `^\\s*what(?:'s|’s| is| are)?\\s+(?:there\\s+)?(?:in|inside)\\s+(?:the\\s+)?${FOLDER}\\s+(?:folder|directory)${END}`,
    listFolder,
  ),
  idiom(`^\\s*what(?:'s|’s| is| are)?\\s+(?:there\\s+)?(?:in|inside)\\s+${USUAL}${END}`, listFolder),
  idiom(
    `${PLEASE}(?:show|open|list|display|see|view|look (?:at|in|into|inside))\\s+(?:me\\s+)?(?:(?:all\\s+)?(?:the\\s+)?(?:contents?|files?|entries)\\s+(?:of|in|inside)\\s+)?(?:the\\s+)?${FOLDER}\\s+(?:folder|directory)${END}`,
    listFolder,
  ),
  idiom(
    `^\\s*where\\s+(?:is|are|do (?:we|I|you)|does)\\s+(?:the\\s+)?(?:(?:function|class|method|type|variable|constant)\\s+)?${NAME}(?:\\s+(?:defined|declared|implemented|used|called|coming from|come from))?${END}`,
    findName,
  ),
  idiom(
    `^\\s*who\\s+(?:wrote|made|created|changed|developed|contributed to|works on|maintains)\\s+(?:this|the)\\s+(?:project|code|repository|repo)${END}`,
    () => "show who changed what in the git history",
  ),
  idiom(`^\\s*${FILE}\\s*(?:の中)?に(?:は)?何が(?:書|入|あ)`, readFile),
  idiom(
    `^\\s*${FOLDER}\\s*(?:という)?(?:フォルダー?|ディレクトリー?)(?:の(?:中身?|内容|ファイル(?:一覧)?))?(?:を(?:見|表示|一覧|開|教え|リスト)|(?:の中)?に(?:は)?何が(?:入|あ))`,
    listFolder,
  ),
  idiom(
    `${PLEASE}(?:count the lines (?:in|of)|how many lines (?:are (?:there )?in|does)|how long is)\\s+(?:the\\s+)?(?:file\\s+)?${FILE}(?:\\s+have)?${END}`,
    (file = "") => `run the command: wc -l ${file}`,
  ),
  idiom(`^\\s*${NAME}\\s*(?:という関数)?(?:は|が|って)?どこ(?:で|に)(?:定義|宣言|実装|使|呼|あ)`, findName),
];

/** Files that are spoken of by half their name. */
const HALF_NAMED =
  /(?<![\w./@-])(README|CHANGELOG|CONTRIBUTING|(?<=\bthe )(?:readme|changelog))(?![\w/@-]|\.\w)/g;

/** "the word ranker", 月という言葉: what follows or precedes is the very text. */
const THE_WORD = /\bthe (?:word|text|string|phrase|term) ([\w$.-]+)(?![\w$.-])/gi;
const JAPANESE_WORD = /([^\s、。「」をにはがで]{1,40})という(?:言葉|単語|文字列|語|文字)/g;

/** An idiom is a short sentence; a long request is a story of its own. */
const MAX_LENGTH = 300;

/** "I want to", "let me": that one wants it goes without saying. */
const WISH =
  /^\s*(?:i(?:'d| would) like to|i want to|i need to|let me|let's|can i|could i|may i)\s+(?=[a-z])/i;

export function plainWords(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  const whole = text
    .replace(WISH, "")
    .replace(/^\s*(?:see|look at)\b/i, "show")
    .replace(/^\s*look for\b/i, "search for")
    .replace(HALF_NAMED, (name) => `${name.toUpperCase()}.md`)
    .replace(THE_WORD, '"$1"')
    .replace(JAPANESE_WORD, "「$1」");
  for (const { pattern, said } of IDIOMS) {
    const match = pattern.exec(whole);
    const words = match === null ? undefined : said(...match.slice(1));
    if (words !== undefined) return words;
  }
  return whole;
}

const HELP: readonly RegExp[] = [
  /^\s*(?:help|hello|hi|hey|who are you|what are you|what can you do(?: for me)?|what do you do|how (?:do|can) i use (?:you|this|kari)|how do you work|(?:what|which) tools (?:do you have|are there|can you use|are available)|(?:list|show)(?: me)?(?: all| the| your)* tools)\W*$/i,
  /^\s*(?:ヘルプ|使い方|こんにちは|はじめまして|あなたは(?:誰|だれ|何)|何ができ|なにができ|(?:どんな|使える|利用できる)ツール|ツールの?一覧)[^、.]{0,12}$/,
];

/** "What can you do?": a question about the planner itself. */
export function asksForHelp(text: string): boolean {
  return HELP.some((pattern) => pattern.test(text));
}
