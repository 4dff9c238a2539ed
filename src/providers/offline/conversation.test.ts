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

describe("questions and answers", () => {
  test("each missing value is asked for once, and answers may come one by one", async () => {
    const talk = converse();
    const asked = await talk.say("和歌集のランキング情報を取得して");
    for (const name of ["wakashuName", "edition", "rankStart", "rankEnd"])
      expect(asked.text).toContain(`\`${name}\``);
    const next = await talk.say("第2回の1位から5位");
    expect(next.text).toContain("`wakashuName`");
    expect(next.text).not.toContain("`edition`");
    const { call } = await talk.say("「春の和歌集」です");
    expect(call?.[1]).toEqual({ wakashuName: "春の和歌集", edition: 2, rankStart: 1, rankEnd: 5 });
  });

  test("questions are asked in the language of the request", async () => {
    const { text } = await converse().say("get the wakashu ranking of edition 1, ranks 1 to 3");
    expect(text).toContain("What is `wakashuName`?");
  });

  test("'no' drops the question, and a new request is no answer", async () => {
    const talk = converse();
    await talk.say("第1回の和歌集のランキング1位から3位を取得して");
    expect((await talk.say("いいえ")).text).toContain("実行しません");
    const other = converse();
    await other.say("第1回の和歌集のランキング1位から3位を取得して");
    expect((await other.say("list the files of the current directory")).call?.[0]).toBe(
      "developer__list_files",
    );
  });

  test("a value that was given earlier in the conversation is not asked for again", async () => {
    const talk = converse();
    await talk.say("第1回の「春の和歌集」の1位から3位を取得して");
    await talk.result("1位：@a");
    const { call } = await talk.say("和歌集の第2回のランキング4位から6位を取得して");
    expect(call?.[1]).toEqual({ wakashuName: "春の和歌集", edition: 2, rankStart: 4, rankEnd: 6 });
  });
});

describe("looking a missing value up", () => {
  const collections: ToolDefinition = {
    name: "wakashu__listCollections",
    extension: "wakashu",
    toolName: "listCollections",
    title: "和歌集の一覧",
    description: "どんな和歌集があるか、名前と回の数を並べます。",
    inputSchema: { type: "object", properties: {} },
    annotations: { readOnlyHint: true },
  };
  const tools = [...allTools, collections];
  const request = "第1回の和歌集のランキング1位から3位を取得して";
  const ranking = (wakashuName: string) => [
    "wakashu__wakashu_getRanking",
    { wakashuName, edition: 1, rankStart: 1, rankEnd: 3 },
  ];

  test("the only entry of the extension's own listing is the value", async () => {
    for (const response of [
      { structuredContent: { collections: [{ name: "春の和歌集", editions: 2 }] } },
      { content: [{ type: "text" as const, text: "「春の和歌集」（全2回）" }] },
      { content: [{ type: "text" as const, text: '[{"name":"春の和歌集"}]' }] },
    ]) {
      const talk = converse({ tools });
      expect((await talk.say(request)).call).toEqual(["wakashu__listCollections", {}]);
      expect((await talk.result(response)).call).toEqual(ranking("春の和歌集"));
      expect((await talk.result("1位：@a")).text).toBe("1位：@a");
    }
  });

  test("of several the person chooses, and the answer completes the call", async () => {
    const talk = converse({ tools });
    await talk.say(request);
    const asked = await talk.result({
      structuredContent: { collections: [{ name: "春の和歌集" }, { name: "秋の和歌集" }] },
    });
    expect(asked.call).toBeUndefined();
    expect(asked.text).toContain("- 秋の和歌集");
    expect((await talk.say("秋の和歌集")).call).toEqual(ranking("秋の和歌集"));
  });

  test("a listing that fails or is empty leaves the question", async () => {
    for (const response of [
      { isError: true, content: [{ type: "text" as const, text: "「春の和歌集」" }] },
      "なし",
    ]) {
      const talk = converse({ tools });
      await talk.say(request);
      const asked = await talk.result(response);
      expect(asked.call).toBeUndefined();
      expect(asked.text).toContain("`wakashuName` は何ですか？");
    }
  });

  test("nothing is looked up with a tool that may write, that needs values, or of another extension", async () => {
    for (const other of [
      { ...collections, annotations: {} },
      { ...collections, extension: "other" },
      {
        ...collections,
        inputSchema: {
          type: "object" as const,
          properties: { root: { type: "string" } },
          required: ["root"],
        },
      },
    ])
      expect((await converse({ tools: [...allTools, other] }).say(request)).call).toBeUndefined();
  });
});

describe("doubt", () => {
  const tools = [
    define("drop_user", "Remove a user for good", { user: { type: "string" } }, ["user"], false),
    define("purge_user", "Remove a user to the archive", { user: { type: "string" } }, ["user"], false),
  ];

  test("a guess at what is not read-only is a question, and shows the best three", async () => {
    const talk = converse({ tools });
    const { call, text } = await talk.say("remove user 'bob'");
    expect(call).toBeUndefined();
    expect(text).toContain("1. `x__drop_user`");
    expect(text).toContain("2. `x__purge_user`");
    expect((await talk.say("2")).call).toEqual(["x__purge_user", { user: "bob" }]);
  });

  test("the choice may be made by name, or refused", async () => {
    const talk = converse({ tools });
    await talk.say("remove user 'bob'");
    expect((await talk.say("drop_user")).call?.[0]).toBe("x__drop_user");
    const other = converse({ tools });
    await other.say("remove user 'bob'");
    expect((await other.say("cancel")).call).toBeUndefined();
  });

  test("a likely call of what is not read-only waits for a yes", async () => {
    const purge = [define("purge", "Purge an account", { account: { type: "string" } }, ["account"], false)];
    const talk = converse({ tools: purge });
    const asked = await talk.say("purge the old dusty account 'bob'");
    expect(asked.call).toBeUndefined();
    expect(asked.text).toContain('`x__purge` {"account":"bob"}');
    expect((await talk.say("yes")).call).toEqual(["x__purge", { account: "bob" }]);
    const other = converse({ tools: purge });
    await other.say("purge the old dusty account 'bob'");
    expect((await other.say("no")).text).toContain("nothing was run");
  });

  test("the same request runs at once where the tool only reads", async () => {
    const purge = [define("purge", "Purge an account", { account: { type: "string" } }, ["account"])];
    expect((await converse({ tools: purge }).say("purge the old dusty account 'bob'")).call?.[0]).toBe(
      "x__purge",
    );
  });

  test("values alone make no tool fit: what shares no word is never run", async () => {
    const shell = allTools.filter(({ toolName }) => toolName === "shell");
    for (const text of ["what is the weather in Tokyo?", "tell me a joke about 'cats'", "東京の天気は？"])
      expect((await converse({ tools: shell }).say(text)).call, text).toBeUndefined();
  });

  test("a request that says so is certain enough to propose a writing tool", async () => {
    expect((await converse().say("run npm test")).call).toEqual([
      "developer__shell",
      { command: "npm test" },
    ]);
    // "notes.txt" is a value, and no reason to take a tool for notes.
    const notes = define("add_note", "Write and keep a note", { note: { type: "string" } }, ["note"], false);
    expect((await converse({ tools: [...allTools, notes] }).say("write 'hello' to notes.txt")).call).toEqual([
      "developer__text_editor",
      { command: "write", path: "notes.txt", file_text: "hello" },
    ]);
  });
});

describe("mentions", () => {
  const twins = [
    define("search", "Search for things", { query: { type: "string" } }, ["query"]),
    {
      ...define("search", "Search for things", { query: { type: "string" } }, ["query"]),
      name: "memory__search",
      extension: "memory",
    },
  ];

  test.each([
    ["with memory__search find 'tea'", "memory__search"],
    ["use the memory extension to search 'tea'", "memory__search"],
    ["'memory'で「お茶」を検索して", "memory__search"],
    ["search 'tea' using x__search", "x__search"],
  ])("%s", async (text, name) => {
    expect((await converse({ tools: twins }).say(text)).call?.[0]).toBe(name);
  });

  test("the name that was mentioned is no value", async () => {
    const { call, text } = await converse({ tools: twins }).say("'memory'で検索して");
    expect(call).toBeUndefined();
    expect(text).toContain("`query`");
  });

  test("a name of an extension that is only a word of the sentence is no mention", async () => {
    const { call } = await converse().say("search for createRanker in the code");
    expect(call).toEqual(["code__find_and_grep", { pattern: "createRanker" }]);
  });

  test("the name of an extension fills a parameter that wants one", async () => {
    const { call } = await converse().say("list the resources of wakashu");
    expect(call).toEqual(["platform__list_resources", { extension_name: "wakashu" }]);
  });

  test("a resource's URI names its reader", async () => {
    expect((await converse().say("code://stats/overview を見せて")).call).toEqual([
      "platform__read_resource",
      { uri: "code://stats/overview" },
    ]);
  });
});

describe("resources", () => {
  test("URIs of the system prompt are things to ask for", async () => {
    const system =
      "## notes\nThis extension supports resources.\n- notes://daily/today - What I wrote down today\n";
    const tools = [
      ...allTools,
      {
        ...define("add_note", "Add a note", { text: { type: "string" } }, ["text"], false),
        name: "notes__add_note",
        extension: "notes",
      },
    ];
    const { call } = await converse({ tools, system }).say("show what I wrote down today");
    expect(call).toEqual([
      "platform__read_resource",
      { uri: "notes://daily/today", extension_name: "notes" },
    ]);
  });

  test("hints of the options are too, and their templates are filled and escaped", async () => {
    const hints = [
      {
        extension: "developer",
        uri: "docs://page/{file_path}",
        name: "documentation page",
        description: "Read a page of the documentation",
      },
    ];
    const { call } = await converse({ hints }).say("read the documentation page 'a b/c?.md'");
    expect(call?.[1]).toEqual({ uri: "docs://page/a%20b/c%3F.md", extension_name: "developer" });
  });

  test("without a reader there are no resources", async () => {
    const tools = allTools.filter(({ extension }) => extension === "code");
    expect(
      (await converse({ tools }).say("how many lines of TypeScript are in this project?")).call,
    ).toBeUndefined();
  });
});
