import { describe, expect, test } from "vitest";
import { connectDemo as connect } from "../../../test/support/demo-client.ts";

describe("tools", () => {
  test("they are listed in order, with schema and hints, and a cursor nobody gave is refused", async () => {
    const client = connect();
    const { result } = await client.modern("tools/list");
    expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
    const tools = result?.["tools"] as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual([
      "echo",
      "count",
      "route",
      "fail",
      "order",
      "boast",
      "think",
      "wait",
    ]);
    expect(tools[0]).toEqual({
      name: "echo",
      title: "Echo",
      description: "Says it again",
      inputSchema: {
        type: "object",
        properties: { text: { type: "string", description: "What to say" } },
        required: ["text"],
      },
      annotations: { title: "Echo", readOnlyHint: true },
    });
    expect((await client.modern("tools/list", { cursor: "x" })).error).toMatchObject({ code: -32602 });
  });

  test("an unknown tool is a protocol error, wrong arguments and a failing tool are results to read", async () => {
    const client = connect();
    const unknown = await client.modern("tools/call", { name: "ecko", arguments: {} });
    expect(unknown.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool "ecko"'),
    });
    const wrong = await client.modern("tools/call", { name: "echo", arguments: { text: 5 } });
    expect(wrong.result).toMatchObject({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining("- text: Invalid input: expected string") }],
    });
    const failed = await client.modern("tools/call", { name: "fail" });
    expect(failed.result).toMatchObject({ isError: true, content: [{ text: "fail failed: out of luck" }] });
    expect(
      (await client.modern("tools/call", { name: "say", arguments: { text: "a" } })).result,
    ).toMatchObject({
      content: [{ type: "text", text: "a" }],
    });
  });

  test("a request whose parameters do not fit is refused as such", async () => {
    const client = connect();
    for (const [method, params] of [
      ["tools/call", {}],
      ["tools/call", { name: "echo", arguments: "text" }],
      ["resources/read", {}],
      ["prompts/get", { name: 5 }],
      ["completion/complete", { ref: { type: "ref/other" } }],
    ] as const) {
      expect([method, params, (await client.modern(method, params)).error?.code]).toEqual([
        method,
        params,
        -32602,
      ]);
    }
  });

  test("progress and log messages come before the result, only to those who asked", async () => {
    const client = connect();
    await client.modern("tools/call", { name: "count" });
    expect(client.received.filter(({ method }) => method !== undefined)).toEqual([]);
    const wish = { progressToken: "p", "io.modelcontextprotocol/logLevel": "info" };
    const { result } = await client.modern("tools/call", { name: "count" }, {}, wish);
    expect(result).toMatchObject({
      structuredContent: { counted: 3 },
      content: [{ text: '{\n "counted": 3\n}' }],
    });
    expect(client.received.slice(1, -1)).toMatchObject([
      {
        method: "notifications/progress",
        params: { progressToken: "p", progress: 1, total: 3, message: "step 1" },
      },
      { method: "notifications/progress", params: { progress: 2 } },
      { method: "notifications/progress", params: { progress: 3 } },
      { method: "notifications/message", params: { level: "warning", data: "counted" } },
    ]);
  });

  test("a legacy client sets its log level", async () => {
    const client = connect();
    await client.initialize();
    expect((await client.request("logging/setLevel", { level: "error" })).result).toEqual({});
    await client.request("tools/call", { name: "count" });
    expect(client.received.filter(({ method }) => method === "notifications/message")).toEqual([]);
    expect((await client.request("logging/setLevel", { level: "loud" })).error).toMatchObject({
      code: -32602,
    });
  });

  test.each(["legacy", "modern"])(
    "cancelling aborts the running tool and has no answer (%s)",
    async (era) => {
      const client = connect();
      if (era === "legacy") await client.initialize();
      else await client.modern("tools/list");
      void (era === "legacy" ? client.request : client.modern)("tools/call", { name: "wait" });
      const requestId = client.lastId();
      await client.waiting;
      client.write({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId, reason: "enough" },
      });
      await client.cancelled;
      await (era === "legacy" ? client.request : client.modern)("tools/list");
      expect(client.received.filter(({ id }) => id === requestId)).toEqual([]);
    },
  );
});

describe("resources, prompts and completion", () => {
  test("resources come in pages, with the provider's cache hints", async () => {
    const client = connect();
    const names: unknown[] = [];
    let cursor: unknown;
    do {
      const { result } = await client.modern("resources/list", cursor === undefined ? {} : { cursor });
      expect(result).toMatchObject({ ttlMs: 5000, cacheScope: "public" });
      names.push(...((result?.["resources"] ?? []) as { name: string }[]).map(({ name }) => name));
      cursor = result?.["nextCursor"];
    } while (cursor !== undefined);
    expect(names).toEqual(["one", "two", "three", "四", "five"]);
    expect((await client.modern("resources/list", { cursor: "nine" })).error).toMatchObject({ code: -32602 });
    const templates = await client.modern("resources/templates/list");
    expect(templates.result).toMatchObject({
      resourceTemplates: [{ uriTemplate: "demo://item/{name}", name: "item" }],
      ttlMs: 60_000,
    });
    const read = await client.modern("resources/read", { uri: "demo://item/%E5%9B%9B" });
    expect(read.result).toMatchObject({
      contents: [{ text: "item 四" }],
      ttlMs: 1000,
      cacheScope: "private",
    });
  });

  test("what cannot be read has the code of the era", async () => {
    const [legacy, modern] = [connect(), connect()];
    await legacy.initialize();
    for (const [uri, legacyCode, modernCode, reason] of [
      ["demo://item/none", -32002, -32602, "not-found"],
      ["demo://secret", -32602, -32602, "refused"],
      ["demo://broken", -32603, -32603, "failed"],
    ] as const) {
      const data = { uri, reason };
      expect((await legacy.request("resources/read", { uri })).error).toMatchObject({
        code: legacyCode,
        data,
      });
      expect((await modern.modern("resources/read", { uri })).error).toMatchObject({
        code: modernCode,
        data,
      });
    }
  });

  test("prompts are listed and given; an unknown one or a missing argument is refused", async () => {
    const client = connect();
    expect((await client.modern("prompts/list")).result).toMatchObject({
      prompts: [
        { name: "greet", description: "A greeting", arguments: [{ name: "name", required: true }] },
        { name: "ask-first" },
      ],
    });
    const given = await client.modern("prompts/get", { name: "greet", arguments: { name: "Kari" } });
    expect(given.result).toMatchObject({ messages: [{ role: "user", content: { text: "Greet Kari" } }] });
    expect((await client.modern("prompts/get", { name: "greet" })).error).toMatchObject({
      code: -32602,
      message: 'Prompt greet needs the argument "name"',
    });
    expect((await client.modern("prompts/get", { name: "no" })).error).toMatchObject({ code: -32602 });
  });

  test("completion gives at most a hundred values and says how many there are", async () => {
    const client = connect();
    const complete = (ref: object, name: string, value: string) =>
      client.modern("completion/complete", { ref, argument: { name, value } });
    const many = (await complete({ type: "ref/prompt", name: "greet" }, "name", "name")).result;
    expect(many?.["completion"]).toMatchObject({ total: 150, hasMore: true });
    expect(many).toHaveProperty("completion.values.length", 100);
    const few = await complete({ type: "ref/resource", uri: "demo://item/{name}" }, "name", "t");
    expect(few.result).toMatchObject({ completion: { values: ["two", "three"], total: 2, hasMore: false } });
    expect((await complete({ type: "ref/prompt", name: "no" }, "a", "")).error).toMatchObject({
      code: -32602,
    });
    expect((await complete({ type: "ref/resource", uri: "no://" }, "a", "")).error).toMatchObject({
      code: -32602,
    });
  });
});

describe("changes", () => {
  test("a legacy client hears of lists unasked, of resources it subscribed to, and no more after that", async () => {
    const client = connect();
    await client.initialize();
    const uri = "demo://item/one";
    const updated = (about: string) => client.changes.publish({ type: "resource-updated", uri: about });
    await client.request("resources/subscribe", { uri });
    await client.request("resources/subscribe", { uri: "demo://item/two" });
    expect(client.watched()).toBe(1);
    updated(uri);
    updated("demo://item/five");
    client.changes.publish({ type: "tools-changed" });
    await client.request("resources/unsubscribe", { uri });
    updated(uri);
    await client.request("ping");
    expect(client.received.filter(({ method }) => method !== undefined)).toMatchObject([
      { method: "notifications/resources/updated", params: { uri } },
      { method: "notifications/tools/list_changed" },
    ]);
  });

  test("a modern client hears only what it listens to, until it cancels", async () => {
    const client = connect();
    const acknowledged = client.next(({ method }) => method === "notifications/subscriptions/acknowledged");
    const wish = { promptsListChanged: true, resourceSubscriptions: ["demo://item/one"] };
    void client.modern("subscriptions/listen", { notifications: wish });
    const subscription = { _meta: { "io.modelcontextprotocol/subscriptionId": client.lastId() } };
    expect((await acknowledged).params).toMatchObject({ notifications: wish, ...subscription });
    expect(client.watched()).toBe(1);
    const publishAll = () => {
      for (const type of ["tools-changed", "prompts-changed", "resources-changed"] as const) {
        client.changes.publish({ type });
      }
      client.changes.publish({ type: "resource-updated", uri: "demo://item/one" });
      client.changes.publish({ type: "resource-updated", uri: "demo://item/two" });
    };
    const requestId = client.lastId();
    publishAll();
    await client.modern("tools/list");
    client.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    await client.modern("tools/list");
    publishAll();
    await client.modern("tools/list");
    expect(client.received.filter(({ method }) => method !== undefined).slice(1)).toMatchObject([
      { method: "notifications/prompts/list_changed", params: subscription },
      { method: "notifications/resources/updated", params: { uri: "demo://item/one", ...subscription } },
    ]);
  });
});
