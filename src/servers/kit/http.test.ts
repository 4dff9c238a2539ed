import { describe, expect, test } from "vitest";
import {
  collect,
  echo,
  events,
  initialize,
  legacy,
  modern,
  openSession,
  serveDemo,
  TOKEN,
} from "../../../test/support/demo-http.ts";

describe("both eras on one endpoint", () => {
  test("a modern request is answered on its own", async () => {
    const { url } = await serveDemo();
    const response = await fetch(url, echo());
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { resultType: "complete", content: [{ type: "text", text: "雁" }] },
    });
  });

  test("a legacy client gets a session, and its calls run in it", async () => {
    const { url } = await serveDemo();
    const session = await openSession(url);
    expect(session["Mcp-Session-Id"]).toMatch(/^[0-9a-f-]{36}$/);
    const call = {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "echo", arguments: { text: "a" } },
    };
    const [result] = await collect(events(await fetch(url, legacy(call, session))));
    expect(result).toMatchObject({ id: 2, result: { content: [{ type: "text", text: "a" }] } });
  });

  test("one legacy request without a handshake is answered, without a session", async () => {
    const { url } = await serveDemo();
    const response = await fetch(url, legacy({ jsonrpc: "2.0", id: 1, method: "tools/list" }));
    expect(response.headers.get("mcp-session-id")).toBeNull();
    const [result] = await collect(events(response));
    expect(result).toMatchObject({
      id: 1,
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: "echo" })]) },
    });
  });

  test("GET and DELETE without a session are 405, with an unknown one 404, and DELETE ends a session", async () => {
    const { url } = await serveDemo();
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await fetch(url, { method, headers: { Accept: "text/event-stream" } });
      expect([method, response.status]).toEqual([method, 405]);
    }
    expect((await fetch(url, { method: "DELETE", headers: { "Mcp-Session-Id": "gone" } })).status).toBe(404);
    const session = await openSession(url);
    expect((await fetch(url, { method: "DELETE", headers: session })).status).toBe(200);
    const after = await fetch(url, legacy({ jsonrpc: "2.0", id: 3, method: "tools/list" }, session));
    expect(after.status).toBe(404);
  });

  test("R15: a batch is refused except in the one revision that has batches", async () => {
    const { url } = await serveDemo();
    const batch = [{ jsonrpc: "2.0", id: 5, method: "ping" }];
    expect((await fetch(url, legacy(batch))).status).toBe(400);
    expect((await fetch(url, legacy(batch, await openSession(url)))).status).toBe(400);
    const opened = await fetch(url, initialize("2025-03-26"));
    const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
    const [answer] = await collect(events(await fetch(url, legacy(batch, session))));
    expect(answer).toEqual({ jsonrpc: "2.0", id: 5, result: {} });
  });

  test("sessions beyond the limit push out the idlest one, and never one in use", async () => {
    const { url } = await serveDemo({ maxSessions: 2 });
    const inUse = await openSession(url);
    const stream = await fetch(url, { headers: { ...inUse, Accept: "text/event-stream" } });
    const idle = await openSession(url);
    await openSession(url);
    const list = { jsonrpc: "2.0", id: 9, method: "tools/list" };
    expect((await fetch(url, legacy(list, idle))).status).toBe(404);
    expect((await fetch(url, legacy(list, inUse))).status).toBe(200);
    await stream.body?.cancel();
  });

  test("a session that nobody uses ends", async () => {
    const { url } = await serveDemo({ sessionIdleMs: 20 });
    const session = await openSession(url);
    const list = { jsonrpc: "2.0", id: 9, method: "tools/list" };
    let status = 200;
    while (status === 200) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      const response = await fetch(url, legacy(list, session));
      status = response.status;
      await response.text();
    }
    expect(status).toBe(404);
  });

  test("an extra route is tried first, behind the guard", async () => {
    const { url, port } = await serveDemo({
      token: TOKEN,
      routes: [
        (request, response) => {
          if (request.url !== "/hello") return false;
          response.end("hello");
          return true;
        },
      ],
    });
    const hello = `http://127.0.0.1:${port}/hello`;
    expect((await fetch(hello)).status).toBe(401);
    const authorized = { headers: { Authorization: `Bearer ${TOKEN}` } };
    expect(await (await fetch(hello, authorized)).text()).toBe("hello");
    expect((await fetch(`${url}x`, authorized)).status).toBe(404);
  });

  test("HTTP+SSE works when asked for and is not there otherwise", async () => {
    const without = await serveDemo();
    expect((await fetch(`http://127.0.0.1:${without.port}/sse`)).status).toBe(404);
    const { port } = await serveDemo({ sse: true });
    const base = `http://127.0.0.1:${port}`;
    const stream = await fetch(`${base}/sse`);
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const endpoint = /data: (.+)/.exec((await reader?.read())?.value ?? "")?.[1] ?? "";
    expect(endpoint).toMatch(/^\/messages\?sessionId=/);
    const posted = await fetch(`${base}${endpoint}`, initialize("2024-11-05"));
    expect(posted.status).toBe(202);
    expect((await reader?.read())?.value).toContain('"protocolVersion":"2024-11-05"');
    expect((await fetch(`${base}/messages?sessionId=no`, initialize())).status).toBe(404);
    expect((await fetch(`${base}${endpoint}`, { ...initialize(), body: '{"no":1}' })).status).toBe(400);
    await reader?.cancel();
  });
});

describe("changes", () => {
  test("a modern listener hears what it asked for, and watching starts with the first one", async () => {
    const { url, changes, watched } = await serveDemo();
    expect(watched()).toBe(0);
    const filter = { notifications: { toolsListChanged: true, resourceSubscriptions: ["demo://item/one"] } };
    const heard = events(await fetch(url, modern("subscriptions/listen", filter)));
    expect((await heard.next()).value).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
    expect(watched()).toBe(1);
    changes.publish({ type: "resource-updated", uri: "demo://item/two" });
    changes.publish({ type: "prompts-changed" });
    changes.publish({ type: "resource-updated", uri: "demo://item/one" });
    changes.publish({ type: "tools-changed" });
    expect((await heard.next()).value).toMatchObject({
      method: "notifications/resources/updated",
      params: { uri: "demo://item/one" },
    });
    expect((await heard.next()).value).toMatchObject({ method: "notifications/tools/list_changed" });
    await heard.return(undefined);
  });

  test("a legacy session hears list changes unasked and updates of what it subscribed to", async () => {
    const { url, changes, watched } = await serveDemo();
    const session = await openSession(url);
    expect(watched()).toBe(0);
    const heard = events(await fetch(url, { headers: { ...session, Accept: "text/event-stream" } }));
    expect(watched()).toBe(1);
    const subscribe = {
      jsonrpc: "2.0",
      id: 4,
      method: "resources/subscribe",
      params: { uri: "demo://item/one" },
    };
    await (await fetch(url, legacy(subscribe, session))).text();
    expect(watched()).toBe(1);
    changes.publish({ type: "resource-updated", uri: "demo://item/two" });
    changes.publish({ type: "resource-updated", uri: "demo://item/one" });
    changes.publish({ type: "resources-changed" });
    expect((await heard.next()).value).toMatchObject({
      method: "notifications/resources/updated",
      params: { uri: "demo://item/one" },
    });
    expect((await heard.next()).value).toMatchObject({ method: "notifications/resources/list_changed" });
    await heard.return(undefined);
  });

  test("closing ends every stream: the listener gets its result, the session's stream its end", async () => {
    const served = await serveDemo();
    const listening = await fetch(
      served.url,
      modern("subscriptions/listen", { notifications: { toolsListChanged: true } }),
    );
    const session = await openSession(served.url);
    const stream = await fetch(served.url, { headers: { ...session, Accept: "text/event-stream" } });
    const [heard, told] = [collect(events(listening)), collect(events(stream))];
    await served.close();
    expect((await heard).at(-1)).toMatchObject({ id: 1, result: { resultType: "complete" } });
    expect(await told).toEqual([]);
    await expect(fetch(served.url, echo())).rejects.toThrow();
  });

  test("a modern client that goes away cancels its call", async () => {
    const { url, waiting, cancelled } = await serveDemo();
    const gone = new AbortController();
    const call = fetch(url, {
      ...modern("tools/call", { name: "wait", arguments: {} }),
      signal: gone.signal,
    });
    await waiting;
    gone.abort();
    await expect(call).rejects.toThrow();
    await cancelled;
  });
});

describe("what a modern request must bring", () => {
  test.each([
    ["no revision header", { "MCP-Protocol-Version": "" }, 400, -32020],
    ["another revision in the header", { "MCP-Protocol-Version": "2025-11-25" }, 400, -32020],
    ["another method in the header", { "Mcp-Method": "tools/list" }, 400, -32020],
    ["another name in the header", { "Mcp-Name": "wait" }, 400, -32020],
  ])("%s is refused", async (_what, headers: Record<string, string>, status, code) => {
    const { url } = await serveDemo();
    const request = echo();
    const response = await fetch(url, { ...request, headers: { ...request.headers, ...headers } });
    expect([response.status, await response.json()]).toMatchObject([status, { id: 1, error: { code } }]);
  });

  test("an unknown revision, an unknown method and a missing envelope have their status", async () => {
    const { url } = await serveDemo();
    const ask = async (request: RequestInit) => {
      const response = await fetch(url, request);
      return [response.status, ((await response.json()) as { error: { code: number } }).error.code];
    };
    const future = modern("tools/list", {}, { "MCP-Protocol-Version": "2099-01-01" });
    expect(await ask({ ...future, body: future.body.replace("2026-07-28", "2099-01-01") })).toEqual([
      400, -32022,
    ]);
    expect(await ask(modern("no/such"))).toEqual([404, -32601]);
    expect(await ask(modern("ping"))).toEqual([404, -32601]);
    const bare = { ...modern("tools/list"), body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' };
    expect(await ask(bare)).toEqual([400, -32602]);
  });

  test.each([
    [{}, -32020],
    [{ "Mcp-Param-Region": "west" }, -32020],
    [{ "Mcp-Param-Region": "=?base64?ZWFzd??=" }, -32020],
    [{ "Mcp-Param-Region": "=?base64?6Zu=?=" }, -32020],
    [{ "Mcp-Param-Region": "=?base64?5p2x?=" }, -32020],
    [{ "Mcp-Param-Region": "=?base64?5p2x=?=", "Mcp-Param-Size": "4" }, -32020],
    [{ "Mcp-Param-Region": "=?base64?5p2x?=", "Mcp-Param-Size": "4" }, undefined],
    [{ "Mcp-Param-Region": "=?base64?5p2x?=", "Mcp-Param-Size": "4.0" }, undefined],
  ])("the headers of a tool's own parameters must say what the body says: %j", async (headers, code) => {
    const { url } = await serveDemo();
    const params = { name: "route", arguments: { region: "東", parcel: { size: 4 } } };
    const response = await fetch(url, modern("tools/call", params, headers as Record<string, string>));
    const answer = (await response.json()) as { error?: { code: number } };
    expect([response.status, answer.error?.code]).toEqual([code === undefined ? 200 : 400, code]);
  });

  test("R30: a state given to one caller does not open for another", async () => {
    const { url } = await serveDemo();
    const order = { name: "order", arguments: { table: 1 } };
    const capabilities = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
    const call = async (more: object, caller: string) => {
      const request = modern("tools/call", { ...order, ...more }, { Authorization: caller });
      const message = JSON.parse(request.body) as { params: { _meta: object } };
      Object.assign(message.params._meta, capabilities);
      const response = await fetch(url, { ...request, body: JSON.stringify(message) });
      return (await response.json()) as { result?: { requestState: string }; error?: { code: number } };
    };
    const inputResponses = { dish: { action: "accept", content: { dish: "soba" } } };
    const { result } = await call({ inputResponses }, "Bearer a");
    const retry = { inputResponses: { sure: { action: "accept" } }, requestState: result?.requestState };
    expect((await call(retry, "Bearer b")).error?.code).toBe(-32602);
    expect((await call(retry, "Bearer a")).result).toMatchObject({ content: [{ text: "soba for table 1" }] });
  });

  test("a missing resource has the code of the era over HTTP too", async () => {
    const { url } = await serveDemo();
    const uri = "demo://item/none";
    expect(await (await fetch(url, modern("resources/read", { uri }))).json()).toMatchObject({
      error: { code: -32602 },
    });
    const read = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } };
    for (const session of [await openSession(url), {}]) {
      const [answer] = await collect(events(await fetch(url, legacy(read, session))));
      expect(answer).toMatchObject({ error: { code: -32002 } });
    }
  });
});

describe("a broken stream of a legacy session", () => {
  test("is taken up again where it broke", async () => {
    const { url, changes } = await serveDemo();
    const session = await openSession(url);
    const open = (extra: Record<string, string> = {}) =>
      fetch(url, { headers: { ...session, Accept: "text/event-stream", ...extra } });
    const first = (await open()).body?.pipeThrough(new TextDecoderStream()).getReader();
    changes.publish({ type: "tools-changed" });
    const id = /^id: (.+)$/m.exec((await first?.read())?.value ?? "")?.[1] ?? "";
    await first?.cancel();
    changes.publish({ type: "prompts-changed" });
    const again = events(await open({ "Last-Event-ID": id }));
    expect((await again.next()).value).toMatchObject({ method: "notifications/prompts/list_changed" });
    await again.return(undefined);
    expect((await open({ "Last-Event-ID": "nonsense" })).status).toBe(400);
  });
});
