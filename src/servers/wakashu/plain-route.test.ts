import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpFixture, serveForTest } from "./http-fixture.ts";
import { sampleRoot } from "./package-root.ts";

const wakashuName = "遠慮したラップトップ和歌集";
const json = { "Content-Type": "application/json" };
let server: HttpFixture;
beforeAll(async () => {
  server = await serveForTest({ root: sampleRoot() ?? "" });
});
afterAll(() => server.handle.close());

describe("POST / without a handshake", () => {
  test("E4: the three requests of the document, and resources and prompts besides", async () => {
    expect(await server.rpc("capabilities/list")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        capabilities: { tools: { listChanged: false }, resources: { subscribe: false, listChanged: false } },
      },
    });
    const { result } = await server.rpc("tools/list");
    expect((result as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      "wakashu/getRanking",
      "wakashu/getPost",
      "wakashu/listCollections",
      "wakashu/listEditions",
      "wakashu/search",
    ]);
    expect(await server.rpc("ping", {}, "a")).toEqual({ jsonrpc: "2.0", id: "a", result: {} });
    expect(await server.rpc("initialize", { protocolVersion: "2025-06-18" })).toMatchObject({
      result: { protocolVersion: "2025-06-18", serverInfo: { name: "wakashu" } },
    });
    expect(await server.rpc("initialize", { protocolVersion: "2099-01-01" })).toMatchObject({
      result: { protocolVersion: "2025-11-25" },
    });
    expect(await server.rpc("resources/templates/list")).toMatchObject({
      result: { resourceTemplates: { length: 6 } },
    });
    expect(await server.rpc("prompts/list")).toMatchObject({
      result: { prompts: [{ name: "wakashu_conversation" }] },
    });
  });

  test("resources are listed and read under readable names", async () => {
    const { result } = await server.rpc("resources/list");
    const uris = (result as { resources: { uri: string }[] }).resources.map(({ uri }) => uri);
    const text = uris.find((uri) => uri.endsWith("第2回/3-Hotaru/TextData3.json"));
    expect(uris).toContain(`wakashu://post/${wakashuName}/1/1`);
    expect(await server.rpc("resources/read", { uri: text })).toMatchObject({
      result: { contents: [{ uri: text, text: expect.stringContaining("撫子") }] },
    });
  });

  test("the tool is called by any of its names", async () => {
    for (const name of ["wakashu/getRanking", "wakashu_getRanking", "wakashu.getRanking", "getRanking"]) {
      const reply = await server.rpc("tools/call", {
        name,
        arguments: { wakashuName, edition: 1, rankStart: 3, rankEnd: 3 },
      });
      expect(reply).toMatchObject({ result: { content: [{ text: "3位：@Kari" }, {}, {}], isError: false } });
    }
  });

  test("the other tools answer", async () => {
    const call = async (name: string, args: object) =>
      (await server.rpc("tools/call", { name, arguments: args }))["result"] as {
        content: { text: string }[];
      };
    expect((await call("wakashu/listCollections", {})).content[0]?.text).toBe(`「${wakashuName}」（全2回）`);
    expect((await call("wakashu/listEditions", { wakashuName })).content[0]?.text).toBe(
      `「${wakashuName}」\n第1回：4件（1位から4位）\n第2回：4件（1位から4位）`,
    );
    expect((await call("wakashu/getPost", { wakashuName, edition: 2, rank: 3 })).content[0]?.text).toBe(
      "3位：@Hotaru",
    );
    expect((await call("wakashu/search", { query: "のーと こたつ" })).content[0]?.text).toMatch(
      /1件あります[\s\S]*第2回 2位：@Laptop/,
    );
    expect(
      (await call("wakashu/search", { query: "laptop", field: "account", limit: 1 })).content[0]?.text,
    ).toMatch(/2件あります[\s\S]*offset を 1 に/);
  });

  test("wrong arguments are a result that says what is wrong", async () => {
    const reply = await server.rpc("tools/call", { name: "wakashu/getRanking", arguments: { edition: "x" } });
    expect(reply).toMatchObject({
      result: {
        isError: true,
        content: [{ text: expect.stringMatching(/wakashu\/getRanking[\s\S]*wakashuName[\s\S]*edition/) }],
      },
    });
  });

  test("a prompt is written", async () => {
    const args = { wakashuName, edition: "1", rankStart: "1", rankEnd: "3" };
    expect(await server.rpc("prompts/get", { name: "wakashu_conversation", arguments: args })).toMatchObject({
      result: {
        messages: [
          {
            role: "user",
            content: {
              text: expect.stringContaining("取得するのは第1回の和歌集のランキング1位から3位の投稿です。"),
            },
          },
        ],
      },
    });
    expect(await server.rpc("prompts/get", { name: "wakashu_conversation", arguments: {} })).toMatchObject({
      error: { code: -32602 },
    });
    expect(await server.rpc("prompts/get", { name: "x" })).toMatchObject({ error: { code: -32602 } });
  });
});

describe("errors are JSON-RPC errors", () => {
  const post = (body: string | Buffer, headers: Record<string, string> = json) =>
    server.send("POST", "/", { headers, body });
  const error = (reply: { body: Buffer }) => JSON.parse(reply.body.toString()).error;

  test("an unknown method, tool or resource", async () => {
    expect(await server.rpc("no/such")).toMatchObject({
      id: 1,
      error: { code: -32601, message: expect.stringContaining("/mcp") },
    });
    expect(await server.rpc("constructor")).toMatchObject({ error: { code: -32601 } });
    expect(await server.rpc("resources/subscribe", { uri: "x" })).toMatchObject({
      error: { code: -32601, message: expect.stringContaining("pushed") },
    });
    expect(await server.rpc("tools/call", { name: "no" })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("wakashu/getRanking") },
    });
    expect(await server.rpc("tools/call", {})).toMatchObject({ error: { code: -32602 } });
    expect(await server.rpc("resources/read", { uri: "wakashu://edition/x/99" })).toMatchObject({
      error: { code: -32602 },
    });
    expect(await server.rpc("resources/read", {})).toMatchObject({ error: { code: -32602 } });
    expect(await server.rpc("resources/list", { cursor: "x" })).toMatchObject({ error: { code: -32602 } });
  });

  test("no JSON, no object, no method, wrong version, wrong params", async () => {
    expect(error(await post("{"))).toMatchObject({ code: -32700 });
    expect(error(await post("5"))).toMatchObject({ code: -32600 });
    expect(error(await post('{"jsonrpc":"2.0","id":1}'))).toMatchObject({ code: -32600 });
    expect(error(await post('{"jsonrpc":"1.0","id":1,"method":"ping"}'))).toMatchObject({ code: -32600 });
    expect(error(await post('{"jsonrpc":"2.0","id":{},"method":"ping"}'))).toMatchObject({ code: -32600 });
    expect(error(await post('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}'))).toMatchObject({
      code: -32602,
    });
  });

  test("R10: keys in another case are not honoured", async () => {
    expect(error(await post('{"jsonrpc":"2.0","id":1,"Method":"ping"}'))).toMatchObject({ code: -32600 });
  });

  test("R15: a batch is refused", async () => {
    const reply = await post('[{"jsonrpc":"2.0","id":1,"method":"ping"}]');
    expect([reply.status, error(reply).code]).toEqual([400, -32600]);
  });

  test("a notification gets no answer", async () => {
    const reply = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect([reply.status, reply.body.length]).toEqual([202, 0]);
  });

  test("N4: what a web form can send is refused", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/jsonp",
    ]) {
      expect((await post("{}", { "Content-Type": type })).status).toBe(415);
    }
    expect((await post("{}", {})).status).toBe(415);
  });

  test("a body over the limit is refused before it is read", async () => {
    expect((await post(Buffer.alloc(1024 * 1024 + 1, 32))).status).toBe(413);
  });

  test("N1, N2: a foreign Host or Origin is refused, and CORS is off", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect((await post(body, { ...json, Host: "evil.example" })).status).toBe(403);
    expect((await post(body, { ...json, Origin: "https://evil.example" })).status).toBe(403);
    expect((await post(body, { ...json, Origin: "null" })).status).toBe(403);
    const own = await post(body, { ...json, Origin: `http://127.0.0.1:${server.handle.port}` });
    expect(own.status).toBe(200);
    expect(own.headers["access-control-allow-origin"]).toBeUndefined();
    expect((await server.send("OPTIONS", "/", { headers: { Origin: "http://127.0.0.1" } })).status).not.toBe(
      204,
    );
  });

  test("no Accept header is needed, and other paths are not this endpoint", async () => {
    expect(
      (
        await server.send("POST", "/?x=1", {
          headers: json,
          body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        })
      ).status,
    ).toBe(200);
    expect((await server.send("POST", "/other", { headers: json, body: "{}" })).status).toBe(404);
    expect((await server.send("DELETE", "/")).status).toBeGreaterThanOrEqual(404);
  });

  test("R3: Japanese split anywhere between two packets arrives whole", async () => {
    const body = Buffer.from(
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "getPost", arguments: { wakashuName, edition: 1, rank: 1 } },
      }),
    );
    const socket = connect(server.handle.port, "127.0.0.1");
    socket.setNoDelay(true);
    socket.write(
      `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
    );
    for (const byte of body) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    let answer = "";
    for await (const part of socket) answer += part;
    expect(answer).toContain("1位：@Laptop");
  });

  test("a caller that leaves in the middle leaves nothing behind", async () => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "getRanking", arguments: { wakashuName, edition: 1, rankStart: 1, rankEnd: 4 } },
    });
    for (let round = 0; round < 40; round += 1) {
      const socket = connect(server.handle.port, "127.0.0.1");
      socket.write(
        `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
    }
    expect(await server.rpc("ping")).toMatchObject({ result: {} });
  });
});
