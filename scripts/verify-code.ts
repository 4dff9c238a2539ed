/**
 * `npm run verify:code -- DIR [--limit N] [--show N] [--language NAME] [--grammars DIR] [--eslint DIR] [--no-cloc]`:
 * checks the scanner of the code server on a real project. Lines against cloc's blank+comment+code, decisions and
 * functions against tree-sitter on files that it parses without an error, and the complexity of JavaScript and
 * TypeScript functions against ESLint. cloc is looked for on the PATH, ESLint in the node_modules of the folder that
 * `--eslint` names; what is missing is said. `--grammars` names a folder with more `tree-sitter-*.wasm` files.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Language, type Node, Parser, Query } from "web-tree-sitter";
import {
  languageByContent,
  languageName,
  languageOfPath,
  languageOfShebang,
  syntaxOf,
} from "../src/servers/code/languages/index.ts";
import { listFiles } from "../src/servers/code/listing.ts";
import { sharedScanner } from "../src/servers/code/scan/scanner.ts";
import { DECISIONS } from "../src/servers/code/syntax/decisions.ts";
import { measure } from "../src/servers/code/syntax/measure.ts";
import { functionChecker } from "./verify-functions.ts";
import { MORE_DECISIONS } from "./verify-grammars.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: "string", default: "3000" },
    show: { type: "string", default: "5" },
    language: { type: "string" },
    grammars: { type: "string" },
    eslint: { type: "string" },
    "no-cloc": { type: "boolean", default: false },
  },
});
const root = resolve(positionals[0] ?? ".");
const limit = Number(values.limit);
const show = Number(values.show);
const wasmFolders = [
  ...(values.grammars ? [values.grammars] : []),
  fileURLToPath(new URL("../node_modules/@vscode/tree-sitter-wasm/wasm", import.meta.url)),
];
/** Languages whose grammar has another name than they. */
const GRAMMAR_OF: Readonly<Record<string, string>> = { csharp: "c-sharp", shell: "bash", starlark: "python" };

interface FileResult {
  readonly path: string;
  readonly language: string;
  readonly lines: number;
  readonly decisions: number;
  readonly functions: number;
  readonly text: string;
}

const QUERIES: Readonly<Record<string, string>> = { ...MORE_DECISIONS, ...DECISIONS };
const ESLINT_GRAMMARS = new Set(["javascript", "typescript", "tsx"]);
const judge = values.eslint === undefined ? undefined : functionChecker(values.eslint);
const judged = { files: 0, unread: 0, functions: 0, equal: 0, wrong: [] as string[] };

await Parser.init();
const results = await scanProject();
if (!values["no-cloc"]) compareLines(results);
await compareDecisions(results);
reportFunctions();

async function scanProject(): Promise<FileResult[]> {
  const { names } = await listFiles(root);
  const found: FileResult[] = [];
  const scanner = sharedScanner();
  for (const path of names.toString("utf8").split("\0").filter(Boolean)) {
    const bytes = readIfFile(join(root, path));
    if (!bytes || bytes.subarray(0, 8000).includes(0)) continue;
    let number = languageOfPath(path);
    number =
      number < 0
        ? languageOfShebang(bytes, bytes.length)
        : languageByContent(number, path, bytes, bytes.length);
    if (number < 0 || (values.language && languageName(number) !== values.language)) continue;
    scanner.room(bytes.length).set(bytes);
    const { lines, decisions, functions } = scanner.scan(bytes.length, syntaxOf(number, path));
    found.push({
      path,
      language: languageName(number),
      lines,
      decisions,
      functions,
      text: bytes.toString("utf8"),
    });
  }
  return found;
}

function readIfFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function compareLines(files: readonly FileResult[]): void {
  if (spawnSync("cloc", ["--version"]).status !== 0) {
    console.log("lines: cloc is not on the PATH, not compared");
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), "verify-code-"));
  const list = join(scratch, "files");
  const report = join(scratch, "cloc.json");
  writeFileSync(list, files.map((file) => file.path).join("\n"));
  const options = [
    "--by-file",
    "--json",
    "--skip-uniqueness",
    "--quiet",
    "--max-file-size=1000",
    "--timeout=10",
  ];
  spawnSync("cloc", [...options, `--list-file=${list}`, `--report-file=${report}`], {
    cwd: root,
    maxBuffer: 1 << 30,
  });
  const cloc = JSON.parse(readFileSync(report, "utf8")) as Record<
    string,
    { blank: number; comment: number; code: number }
  >;
  rmSync(scratch, { recursive: true });
  let both = 0;
  let equal = 0;
  let shown = 0;
  for (const file of files) {
    const theirs = cloc[file.path] ?? cloc[`./${file.path}`];
    if (!theirs) continue;
    both += 1;
    const lines = theirs.blank + theirs.comment + theirs.code;
    if (lines === file.lines) equal += 1;
    else if (shown++ < show) console.log(`  lines differ: ${file.path} ours ${file.lines}, cloc ${lines}`);
  }
  console.log(
    `lines: ${equal} of ${both} files equal to cloc (${percent(equal, both)}); ${files.length} files scanned`,
  );
}

async function compareDecisions(files: readonly FileResult[]): Promise<void> {
  const groups = Map.groupBy(files, grammarOf);
  console.log(
    "| language | files | parse-clean | decisions equal | functions equal |\n|---|---|---|---|---|",
  );
  for (const [grammar, all] of [...groups].sort()) {
    if (grammar === undefined) continue;
    await compareGrammar(grammar, sample(all));
  }
}

function grammarOf(file: FileResult): string | undefined {
  const name = file.path.endsWith(".tsx") ? "tsx" : (GRAMMAR_OF[file.language] ?? file.language);
  return QUERIES[name] !== undefined && wasmOf(name) !== undefined ? name : undefined;
}

function wasmOf(grammar: string): string | undefined {
  return wasmFolders
    .map((folder) => join(folder, `tree-sitter-${grammar}.wasm`))
    .find((path) => existsSync(path));
}

/** Evenly over the whole list, so that no folder decides the result. */
function sample(files: readonly FileResult[]): readonly FileResult[] {
  if (files.length <= limit) return files;
  const step = files.length / limit;
  return Array.from({ length: limit }, (_, i) => files[Math.floor(i * step)] as FileResult);
}

async function compareGrammar(grammar: string, files: readonly FileResult[]): Promise<void> {
  const language = await Language.load(wasmOf(grammar) as string);
  const parser = new Parser().setLanguage(language);
  const query = new Query(language, QUERIES[grammar] as string);
  let clean = 0;
  let equal = 0;
  let functions = 0;
  const wrong: string[] = [];
  const wrongFunctions: string[] = [];
  for (const file of files) {
    const tree = file.text.length < 2_000_000 ? parser.parse(file.text.replace(/^\ufeff/, "")) : null;
    if (tree && !tree.rootNode.hasError) {
      clean += 1;
      const expected = measure(query, tree.rootNode);
      if (expected.decisions === file.decisions) equal += 1;
      else wrong.push(`  ${file.path}: ours ${file.decisions}, tree-sitter ${expected.decisions}`);
      if (expected.functions.length === file.functions) functions += 1;
      else
        wrongFunctions.push(
          `  ${file.path}: ours ${file.functions} functions, tree-sitter ${expected.functions.length}`,
        );
      if (ESLINT_GRAMMARS.has(grammar)) checkFunctions(file, tree.rootNode, query);
    }
    tree?.delete();
  }
  for (const line of [...wrong.slice(0, show), ...wrongFunctions.slice(0, show)]) console.log(line);
  console.log(
    `| ${grammar} | ${files.length} | ${clean} | ${equal} (${percent(equal, clean)}) | ${functions} (${percent(functions, clean)}) |`,
  );
}

function checkFunctions(file: FileResult, root: Node, query: Query): void {
  const result = judge?.(file.path, file.text.replace(/^\ufeff/, ""), root, query);
  if (!judge) return;
  if (!result) {
    judged.unread += 1;
    return;
  }
  judged.files += 1;
  judged.functions += result.functions;
  judged.equal += result.equal;
  judged.wrong.push(...result.wrong.map((line) => `  ${file.path} ${line}`));
}

function reportFunctions(): void {
  if (!judge) {
    console.log("functions: without --eslint DIR the complexity of functions is not compared with ESLint");
    return;
  }
  const { files, unread, functions, equal, wrong } = judged;
  for (const line of wrong.slice(0, show)) console.log(line);
  console.log(
    `functions: ${equal} of ${functions} equal to ESLint (${percent(equal, functions)}) in ${files} files; ${unread} more it could not read`,
  );
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(2)} %`;
}
