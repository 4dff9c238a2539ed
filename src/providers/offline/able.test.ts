/** What the planner declines, chooses and runs when several tools share a request's words. */
import { describe, expect, test } from "vitest";
import type { JsonObject, ToolDefinition } from "../../conversation/index.ts";
import { allTools, converse } from "./example-tools.ts";

const define = (
  name: string,
  description: string,
  properties: JsonObject,
  required: string[],
  readOnlyHint = true,
): ToolDefinition => ({
  name: `x__${name}`,
  extension: "x",
  toolName: name,
  description,
  inputSchema: { type: "object", properties, required },
  annotations: { readOnlyHint },
});

describe("what no tool can do", () => {
  const metric = define(
    "define_metric",
    "Define a metric of your own by a pattern. action: define, list, remove.",
    {
      action: { type: "string", enum: ["define", "list", "remove"], default: "define" },
      pattern: { type: "string", description: "A regular expression" },
      path: { type: "string", description: "Only this folder" },
    },
    [],
    false,
  );
  const tools = [...allTools, metric];

  test.each([
    "delete package.json",
    "remove the folder dist",
    "package.jsonを削除して",
    "hello.txtというファイルを作って",
    "send an email to bob@example.com",
    "summarize README.md",
    "install express",
    "build the project",
    "stop the server",
  ])("%s: a tool that shares a word and does something else is not called", async (request) => {
    const { call, text } = await converse({ tools }).say(request);
    expect(call).toBeUndefined();
    expect(text).toMatch(/not a language model|言語モデルではなく/);
  });

  test("a verb alone is no reason for a tool that makes something else", async () => {
    const report = define(
      "create_report",
      "Write one HTML page about the project: languages, files, history.",
      { path: { type: "string", description: "Where to write it", default: "report.html" } },
      [],
      false,
    );
    const talk = converse({ tools: [...allTools, report] });
    expect((await converse({ tools: [...allTools, report] }).say("build the project")).call).toBeUndefined();
    const { call } = await talk.say("create a file hello.txt with the content hello world");
    expect(call?.[0]).not.toBe("x__create_report");
    const wanted = await converse({ tools: [...allTools, report] }).say("create a report in a.html");
    expect(wanted.call).toEqual(["x__create_report", { path: "a.html" }]);
  });

  test("what is spoken of by its name can still change something", async () => {
    const { call } = await converse({ tools }).say("define_metric with action=remove and pattern=TODO");
    expect(call).toEqual(["x__define_metric", { action: "remove", pattern: "TODO" }]);
  });

  test("an editor's edit is no undo, and a write without its text is a question", async () => {
    const edit = await converse().say("edit README.md");
    expect(edit.call).toBeUndefined();
    const undo = await converse().say("undo the last edit of README.md");
    expect(undo.call?.[1]).toEqual({ command: "undo_edit", path: "README.md" });
  });
});

describe("two tools that search", () => {
  const posts = {
    ...define(
      "wakashu_search",
      "本文・アカウント名・プロンプトに言葉を含む投稿を探します。",
      { query: { type: "string", description: "探す言葉" } },
      ["query"],
    ),
    name: "wakashu__wakashu_search",
    title: "和歌集の検索",
    extension: "wakashu",
  };
  const grep = {
    ...define(
      "find_and_grep",
      "Find files by name and lines by content in the project.",
      {
        query: { type: "string", description: "Text to find in the contents" },
        path: { type: "string", description: "Only below this folder" },
      },
      [],
    ),
    title: "Find files and lines",
  };

  test.each([
    ["search for createRanker in the project", "x__find_and_grep", "createRanker"],
    ["TODOを探して", "x__find_and_grep", "TODO"],
    ["createRankerを検索して", "x__find_and_grep", "createRanker"],
    ["和歌集から雁を検索して", "wakashu__wakashu_search", "雁"],
    ["月という言葉を含む投稿を探して", "wakashu__wakashu_search", "月"],
  ])("%s: %s", async (request, name, query) => {
    for (const tools of [
      [posts, grep],
      [grep, posts],
    ])
      expect((await converse({ tools }).say(request)).call).toEqual([name, { query }]);
  });
});

describe("what to run", () => {
  test.each([
    ["Run the command: echo hi", "echo hi"],
    ["please execute: node --version", "node --version"],
    ["execute git log --oneline", "git log --oneline"],
    ["コマンド echo hi を実行して", "echo hi"],
    ["echo hi を実行して", "echo hi"],
    ["echo こんにちは を実行して", "echo こんにちは"],
    ["シェルで ls を実行して", "ls"],
    ["npm install", "npm install"],
  ])("%s runs %s", async (request, command) => {
    expect((await converse().say(request)).call).toEqual(["developer__shell", { command }]);
  });

  test.each(["run the tests", "テストを実行して"])(
    "%s: no command was said, so it is asked for",
    async (request) => {
      const { call, text } = await converse().say(request);
      expect(call).toBeUndefined();
      expect(text).toContain("`command`");
    },
  );
});
