import { describe, expect, test } from "vitest";
import type { JsonObject, ToolDefinition } from "../../conversation/index.ts";
import { allTools, converse, developerTools } from "./example-tools.ts";

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

describe("doubt", () => {
  const tools = [
    define("delete_user", "Remove a user for good", { user: { type: "string" } }, ["user"], false),
    define("archive_user", "Remove a user to the archive", { user: { type: "string" } }, ["user"], false),
  ];

  test("a guess at what is not read-only is a question, and shows the best three", async () => {
    const talk = converse({ tools });
    const { call, text } = await talk.say("remove user 'bob'");
    expect(call).toBeUndefined();
    expect(text).toContain("1. `x__delete_user`");
    expect(text).toContain("2. `x__archive_user`");
    expect((await talk.say("2")).call).toEqual(["x__archive_user", { user: "bob" }]);
  });

  test("the choice may be made by name, or refused", async () => {
    const talk = converse({ tools });
    await talk.say("remove user 'bob'");
    expect((await talk.say("delete_user")).call?.[0]).toBe("x__delete_user");
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

describe("follow-ups", () => {
  const found = "src/a.ts:12: createRanker(\nsrc/b.ts:7: import { createRanker }";

  test("find X and show the first file is two steps", async () => {
    for (const text of [
      "find createRanker and show the first file",
      "createRankerを検索して、最初のファイルを表示して",
    ]) {
      const talk = converse();
      expect((await talk.say(text)).call).toEqual(["code__find_and_grep", { pattern: "createRanker" }]);
      expect((await talk.result(found)).call?.[1]).toMatchObject({ uri: "code://file/src/a.ts" });
      expect((await talk.result("the text")).text).toBe("the text");
    }
  });

  test("a second step that cannot be taken is said, with the first result", async () => {
    const talk = converse();
    await talk.say("find createRanker and show the first file");
    const { call, text } = await talk.result("no match");
    expect(call).toBeUndefined();
    expect(text).toContain("no match");
    expect(text).toContain('Not done: "show the first file"');
  });

  test("a second step that does more than read is not taken by itself", async () => {
    const find = {
      ...define("find_text", "Find text in files", { pattern: { type: "string" } }, ["pattern"]),
    };
    const talk = converse({ tools: [...developerTools, find] });
    expect((await talk.say("find text createRanker and show the first file")).call?.[0]).toBe("x__find_text");
    const { call, text } = await talk.result(found);
    expect(call).toBeUndefined();
    expect(text).toContain("Not done");
  });

  test("that file, the second file, そのファイル and 最後のファイル point into the last results", async () => {
    const talk = converse();
    await talk.say("find createRanker");
    await talk.result(found);
    expect((await talk.say("show me the second file")).call?.[1]).toMatchObject({
      uri: "code://file/src/b.ts",
    });
    await talk.result("text of b, which speaks of /etc/passwd");
    expect((await talk.say("そのファイルを表示して")).call?.[1]).toMatchObject({
      uri: "code://file/src/b.ts",
    });
    await talk.result("text of b");
    expect((await talk.say("最初のファイルを見せて")).call?.[1]).toMatchObject({
      uri: "code://file/src/a.ts",
    });
  });

  test("an entry of a listing is looked for in the folder that was listed", async () => {
    const talk = converse();
    await talk.say("list files in src");
    await talk.result("a.ts\nb.ts");
    expect((await talk.say("show the last file")).call?.[1]).toMatchObject({ uri: "code://file/src/b.ts" });
  });

  test("what cannot be pointed at is asked for", async () => {
    const { call, text } = await converse().say("show it");
    expect(call).toBeUndefined();
    expect(text).toContain('"it"');
  });

  test("the next page follows the cursor, wherever the server put it", async () => {
    for (const response of [
      { structuredContent: { files: ["a"], nextCursor: "p2" } },
      { meta: { nextCursor: "p2" } },
      { content: [{ type: "text" as const, text: "a\nnextCursor: p2" }] },
    ]) {
      const talk = converse();
      await talk.say("list files in src");
      await talk.result(response);
      expect((await talk.say("the next page")).call).toEqual([
        "developer__list_files",
        { path: "src", cursor: "p2" },
      ]);
    }
  });

  test("次のページ of a range is the next range, and of a page number the next number", async () => {
    const talk = converse();
    await talk.say("第1回の「春の和歌集」の1位から3位を取得して");
    await talk.result("…");
    expect((await talk.say("次のページ")).call?.[1]).toMatchObject({ rankStart: 4, rankEnd: 6 });
    const paged = [define("list_items", "List items", { page: { type: "integer", default: 1 } }, [])];
    const other = converse({ tools: paged });
    await other.say("list items");
    await other.result("…");
    expect((await other.say("more")).call).toEqual(["x__list_items", { page: 2 }]);
  });

  test("no next page, and nothing to continue, are said", async () => {
    const talk = converse();
    expect((await talk.say("次のページ")).text).toContain("まだ何も実行していない");
    await talk.say("list files");
    await talk.result("a");
    expect((await talk.say("next page")).text).toContain("no next page");
  });

  test("again repeats the call, again with 5 changes its number", async () => {
    const talk = converse();
    await talk.say("list files in src depth=2");
    await talk.result("a");
    expect((await talk.say("again")).call?.[1]).toEqual({ path: "src", depth: 2 });
    await talk.result("a");
    expect((await talk.say("again with 5")).call?.[1]).toEqual({ path: "src", depth: 5 });
  });

  test("a question in the middle of a chain of answers is still found after a restart", async () => {
    const talk = converse();
    await talk.say("和歌集のランキング情報を取得して");
    await talk.say("第2回の1位から5位");
    // A new model, the same messages: nothing but the conversation is remembered.
    const resumed = converse();
    resumed.messages.push(...talk.messages);
    expect((await resumed.say("春の和歌集")).call?.[1]).toMatchObject({
      edition: 2,
      wakashuName: "春の和歌集",
    });
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
