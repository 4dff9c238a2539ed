import { describe, expect, test } from "vitest";
import { connectDemo as connect } from "../../../test/support/demo-client.ts";

describe("opening a connection", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "a client of revision %s is answered in it",
    async (revision) => {
      const client = connect();
      const { result } = await client.initialize(revision);
      expect(result).toEqual({
        protocolVersion: revision,
        capabilities: {
          logging: {},
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          completions: {},
        },
        serverInfo: { name: "demo", title: "デモ", version: "1.0.0" },
        instructions: "For tests.",
      });
      expect(await client.request("ping")).toMatchObject({ result: {} });
      const call = await client.request("tools/call", { name: "echo", arguments: { text: "雁" } });
      expect(call.result).toEqual({ content: [{ type: "text", text: "雁" }] });
    },
  );

  test("R16: an unknown revision is answered with the newest legacy one", async () => {
    const client = connect();
    expect((await client.initialize("2099-01-01")).result).toMatchObject({ protocolVersion: "2025-11-25" });
  });

  test("a modern client needs no handshake, and may fall back to one after asking", async () => {
    const client = connect();
    const { result } = await client.modern("server/discover");
    expect(result).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      ttlMs: 60_000,
      cacheScope: "public",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "demo" } },
    });
    expect((await client.initialize()).result).toMatchObject({ protocolVersion: "2025-11-25" });
  });

  test("R16: a modern request of an unknown revision is refused first, and also later in the connection", async () => {
    const client = connect();
    const future = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const refusal = { code: -32022, data: { supported: ["2026-07-28"], requested: "2099-01-01" } };
    expect((await client.modern("tools/list", {}, {}, future)).error).toMatchObject(refusal);
    expect((await client.modern("tools/list")).error).toBeUndefined();
    expect((await client.modern("tools/list", {}, {}, future)).error).toMatchObject(refusal);
    expect((await client.modern("subscriptions/listen", {}, {}, future)).error).toMatchObject(refusal);
    expect((await client.modern("tools/list")).error).toBeUndefined();
  });

  test("once modern, a request without its envelope, an old handshake and removed methods are refused", async () => {
    const client = connect();
    await client.modern("tools/list");
    expect((await client.request("tools/list")).error).toMatchObject({ code: -32602 });
    expect((await client.initialize()).error).toMatchObject({ code: -32022 });
    for (const method of ["ping", "logging/setLevel", "resources/subscribe", "no/such"]) {
      expect([method, (await client.modern(method)).error?.code]).toEqual([method, -32601]);
    }
  });
});

describe("lines that are no messages", () => {
  test.each([
    ["{", -32700, null],
    ["npm warn deprecated", -32700, null],
    ["[]", -32600, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ["1", -32600, null],
    ["null", -32600, null],
    ['{"id":7,"method":"ping"}', -32600, 7],
    ['{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":7,"Method":"ping"}', -32600, 7],
    ['{"jsonrpc":"2.0","id":7,"method":5}', -32600, 7],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', -32600, 7],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":3}}', -32600, 7],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"progressToken":{}}}}', -32600, 7],
  ])("R10, R15: %s is answered as an error, and the connection goes on", async (line, code, id) => {
    const client = connect();
    await client.initialize();
    const answer = client.next((message) => message.error !== undefined);
    client.input.write(`${line}\n`);
    expect(await answer).toMatchObject({ id, error: { code } });
    expect(await client.request("ping")).toMatchObject({ result: {} });
  });

  test("R2: a message over the limit costs that message, and is answered by its id", async () => {
    const client = connect({ maxMessageBytes: 10_000 });
    await client.initialize();
    const call = (text: string) => client.request("tools/call", { name: "echo", arguments: { text } });
    expect((await call("x".repeat(20_000))).error).toMatchObject({
      code: -32600,
      message: expect.stringMatching(/^A message of 20\d\d\d bytes is over the limit of 10000$/),
    });
    expect((await call("small")).result).toMatchObject({ content: [{ text: "small" }] });
  });

  test("R3: a message in pieces, in the middle of a kana, arrives whole", async () => {
    const client = connect();
    await client.initialize();
    const params = { name: "echo", arguments: { text: "仮名🦢" } };
    const bytes = Buffer.from(
      `${JSON.stringify({ jsonrpc: "2.0", id: 77, method: "tools/call", params })}\r\n`,
    );
    const answer = client.next((message) => message.id === 77);
    for (const byte of bytes) client.input.write(Buffer.of(byte));
    expect((await answer).result).toEqual({ content: [{ type: "text", text: "仮名🦢" }] });
  });

  test("R5, R8: answers nobody waits for are dropped", async () => {
    const client = connect();
    await client.initialize();
    client.write({ jsonrpc: "2.0", id: 999, result: {} });
    client.write({ jsonrpc: "2.0", id: "x", error: { code: 1, message: "no" } });
    expect(await client.request("ping")).toMatchObject({ result: {} });
  });

  test("R11: keys that would change prototypes change nothing", async () => {
    const client = connect();
    await client.initialize();
    const answer = client.next((message) => message.id === 77);
    client.input.write(
      '{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"echo","__proto__":{"polluted":1},"arguments":{"text":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}\n',
    );
    expect((await answer).result).toEqual({ content: [{ type: "text", text: "a" }] });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("R12: a hundred thousand levels of nesting cost that message at most", async () => {
    const client = connect();
    await client.initialize();
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const answer = client.next((message) => message.id === 77);
    client.input.write(
      `{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"echo","arguments":{"text":${deep}}}}\n`,
    );
    expect((await answer).result).toMatchObject({ isError: true });
    expect(await client.request("ping")).toMatchObject({ result: {} });
  });
});

describe("the end of a connection", () => {
  test("questions that came before the end are still answered, the last line without its newline too", async () => {
    const client = connect();
    await client.initialize();
    const answer = client.next((message) => message.id === 50);
    client.input.end('{"jsonrpc":"2.0","id":50,"method":"tools/list"}');
    expect((await answer).result).toHaveProperty("tools");
    await client.service.ended;
  });

  test("a call that goes on is cancelled, and the definition is closed", async () => {
    const client = connect();
    await client.initialize();
    void client.request("tools/call", { name: "wait" });
    await client.waiting;
    client.input.end();
    await client.service.ended;
    await client.service.close();
    await client.cancelled;
    await client.closed;
  });

  test("listeners get their result when the server closes first", async () => {
    const client = connect();
    const ended = client.modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    await client.next(({ method }) => method === "notifications/subscriptions/acknowledged");
    await client.service.close();
    expect((await ended).result).toMatchObject({ resultType: "complete" });
  });
});
