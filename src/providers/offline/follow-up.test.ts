import { describe, expect, test } from "vitest";
import type { JsonObject, ToolDefinition } from "../../conversation/index.ts";
import { converse, developerTools } from "./example-tools.ts";

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

  test("a result that says how to go on is taken at its word", async () => {
    const lister = define(
      "list_entries",
      "List entries",
      { after: { type: "string" }, start_line: { type: "integer" } },
      [],
    );
    for (const [text, expected] of [
      ['a\n[3 more; go on with after: "b \\"c\\""]', { after: 'b "c"' }],
      ["a\n(read on with start_line=41)", { start_line: 41 }],
      ["a\n[more follows: read on from line 2001]", { start_line: 2001 }],
    ] as const) {
      const talk = converse({ tools: [lister] });
      await talk.say("list entries");
      await talk.result(text);
      expect((await talk.say("次のページ")).call?.[1]).toEqual(expected);
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
