/**
 * What a new person says first, to the built executable on a fresh machine: no key, an empty home, the default
 * extensions. Each sentence must end in the right tool call and a useful answer, or in an honest "I cannot".
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshHome, type Home, kari } from "../support/kari.ts";

let home: Home;

beforeAll(() => {
  home = freshHome();
  mkdirSync(join(home.work, "src"));
  home.file("package.json", '{\n  "name": "tiny",\n  "version": "1.2.3"\n}\n');
  home.file("README.md", "# Tiny\n\nA tiny project.\n");
  home.file("src/small.ts", "export const one = 1;\n// TODO: two\nexport const three = 3;\n");
  home.file("src/large.ts", `${'export const text = "long";\n'.repeat(40)}export function makeList() {}\n`);
});

afterAll(() => home.remove());

/** Nobody answers there, whatever runs on the machine of the test. */
const ALONE = { OLLAMA_HOST: "127.0.0.1:9" };

async function say(sentence: string, ...flags: readonly string[]) {
  const args = ["run", "--output-format", "stream-json", ...flags, "-t", sentence];
  const result = await kari(args, { home, env: ALONE });
  const events = result.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const calls = events
    .filter(({ type }) => type === "tool-call")
    .map(({ request }) => [request.name, request.arguments]);
  const outcome = events.find(({ type }) => type === "run-end")?.outcome;
  // stderr is not compared; it stands there for whoever has to see why a sentence failed.
  return { code: result.code, calls, text: String(outcome?.text ?? ""), stderr: result.stderr };
}

const file = (path: string) => [
  ["platform__read_resource", { uri: `code://file/${path}`, extension_name: "code" }],
];
const stats = (name: string) => [
  ["platform__read_resource", { uri: `code://stats/${name}`, extension_name: "code" }],
];
const list = (args: object) => [["developer__list_files", args]];
const grep = (args: object) => [["code__find_and_grep", args]];
const shell = (command: string) => [["developer__shell", { command }]];

describe("what the issue names", () => {
  test.each([
    ["現在のディレクトリのファイル一覧を表示して", list({}), /package\.json[\s\S]*src\//],
    ["show me package.json of this project", file("package.json"), /"version": "1\.2\.3"/],
    [
      "how many lines of TypeScript are in this project?",
      stats("languages"),
      /^\|.*\n\|.*\n\| typescript +\| +2 \| +44 \|/,
    ],
  ])(
    "%s",
    async (sentence, calls, answer) => {
      const said = await say(sentence);
      expect(said).toMatchObject({ code: 0, calls });
      expect(said.text).toMatch(answer);
    },
    60_000,
  );

  test("第1回の和歌集のランキング1位から3位を取得して", async () => {
    const said = await say("第1回の和歌集のランキング1位から3位を取得して");
    expect(said.code).toBe(0);
    expect(said.calls.at(-1)).toEqual([
      "wakashu__wakashu_getRanking",
      { wakashuName: expect.any(String), edition: 1, rankStart: 1, rankEnd: 3 },
    ]);
    expect(said.text).toMatch(/1位：[\s\S]*2位：[\s\S]*3位：/);
    expect(said.text).not.toContain("4位：");
  }, 60_000);

  test("write me a poem: an honest sentence, and nothing runs", async () => {
    const said = await say("write me a poem");
    expect(said).toMatchObject({ code: 0, calls: [] });
    expect(said.text).toMatch(/not a language model.*kari configure/);
  }, 60_000);
});

describe("what people say as well", () => {
  test.each([
    ["what's in README.md?", file("README.md"), /A tiny project/],
    ["READMEを読んで", file("README.md"), /A tiny project/],
    ["srcフォルダの中を見せて", list({ path: "src" }), /small\.ts/],
    ["what is in the src folder?", list({ path: "src" }), /small\.ts/],
    ["ls src", list({ path: "src" }), /small\.ts/],
    ["find TODO in src", grep({ query: "TODO", path: "src" }), /small\.ts[\s\S]*2: \/\/ TODO: two/],
    ["TODOを探して", grep({ query: "TODO" }), /small\.ts/],
    ["where is makeList defined?", grep({ query: "makeList" }), /large\.ts/],
    ["find all markdown files", grep({ name: "*.md" }), /README\.md/],
    [
      "show me lines 1 to 2 of src/small.ts",
      [["developer__read_file", { path: "src/small.ts", start_line: 1, limit: 2 }]],
      /one = 1[\s\S]*TODO: two(?![\s\S]*three)/,
    ],
    ["show me the biggest files", stats("files"), /^\|.*\n\|.*\n\| src\/large\.ts/],
    ["I want to see the README", file("README.md"), /A tiny project/],
    ["which files are the largest?", stats("files"), /^\|.*\n\|.*\n\| src\/large\.ts/],
    ["このプロジェクトのTypeScriptは何行？", stats("languages"), /typescript +\| +2 \| +44/],
  ])(
    "%s",
    async (sentence, calls, answer) => {
      const said = await say(sentence);
      expect(said).toMatchObject({ code: 0, calls });
      expect(said.text).toMatch(answer);
    },
    60_000,
  );

  test.each([
    ["Run the command: echo hi", "echo hi", /^hi$/m],
    ["please execute: echo a b", "echo a b", /^a b$/m],
    ["コマンド echo hi を実行して", "echo hi", /^hi$/m],
  ])(
    "%s, with --approve all",
    async (sentence, command, answer) => {
      const said = await say(sentence, "--approve", "all");
      expect(said).toMatchObject({ code: 0, calls: shell(command) });
      expect(said.text).toMatch(answer);
    },
    60_000,
  );

  test("what would need a yes does not run where nobody can be asked, and that is exit code 3", async () => {
    const said = await say("Run the command: echo hi");
    expect(said).toMatchObject({ code: 3, calls: shell("echo hi") });
    expect(said.text).toContain("--approve");
  }, 60_000);

  test.each([
    "delete package.json",
    "package.jsonを削除して",
    "remove the folder src",
    "build the project",
    "send an email to bob@example.com",
    "summarize README.md",
    "translate hello to Japanese",
    "what is today's date?",
    "今日の天気は？",
  ])(
    "%s: nothing fits, nothing runs, whatever is allowed",
    async (sentence) => {
      const said = await say(sentence, "--approve", "all");
      expect(said).toMatchObject({ code: 0, calls: [] });
      expect(said.text).toMatch(/not a language model|言語モデルではなく/);
    },
    60_000,
  );

  test.each(["what can you do?", "何ができますか"])(
    "%s: what there is",
    async (sentence) => {
      const said = await say(sentence);
      expect(said).toMatchObject({ code: 0, calls: [] });
      expect(said.text).toMatch(/- developer: .*Read a file/);
    },
    60_000,
  );
});
