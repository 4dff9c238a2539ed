import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createChangeBus } from "./changes.ts";
import { type HttpHandle, type HttpOptions, serveOnHttp } from "./http.ts";
import type { ServerDefinition } from "./server.ts";
import { defineTool, text } from "./tool.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
};
const JSON_HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

const handles: HttpHandle[] = [];
afterEach(async () => {
  await Promise.all(handles.splice(0).map((handle) => handle.close()));
});

async function serve(options: Partial<HttpOptions> = {}, parts: Partial<ServerDefinition> = {}) {
  const changes = createChangeBus();
  let watched = 0;
  const aborted = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const definition: ServerDefinition = {
    name: "demo",
    version: "1.0.0",
    changes,
    tools: [
      defineTool({
        name: "echo",
        description: "Says it again",
        input: z.object({ text: z.string() }),
        run: ({ text: value }) => text(value),
      }),
      defineTool({
        name: "wait",
        description: "Waits until it is cancelled",
        input: z.object({}),
        run: (_args, { signal }) => {
          started.resolve();
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              aborted.resolve();
              resolve(text("stopped"));
            });
          });
        },
      }),
    ],
    resources: {
      list: () => ({ resources: [{ uri: "demo://a", name: "a" }] }),
      read: async (uri) => [{ uri, text: "content" }],
      startWatching: () => {
        watched += 1;
      },
    },
    ...parts,
  };
  const handle = await serveOnHttp(definition, { port: 0, ...options });
  handles.push(handle);
  return { ...handle, changes, aborted: aborted.promise, started: started.promise, watched: () => watched };
}

/** A modern request with all its headers; `extra` replaces or removes (undefined) some. */
function modern(method: string, params: Record<string, unknown> = {}, extra: Record<string, string> = {}) {
  const name = params["name"] ?? params["uri"];
  return {
    method: "POST",
    headers: {
      ...JSON_HEADERS,
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
      ...(typeof name === "string" && { "Mcp-Name": name }),
      ...extra,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }),
  };
}

function legacy(message: object, extra: Record<string, string> = {}) {
  return { method: "POST", headers: { ...JSON_HEADERS, ...extra }, body: JSON.stringify(message) };
}

function initialize(protocolVersion = "2025-11-25", extra: Record<string, string> = {}) {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "wire", version: "1" } };
  return legacy({ jsonrpc: "2.0", id: 0, method: "initialize", params }, extra);
}

const echo = () => modern("tools/call", { name: "echo", arguments: { text: "雁" } });

/** Sends bytes as they are and gives everything the server says until it closes the connection. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("utf8");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

/** The JSON-RPC messages of an event stream, as they come. */
async function* events(response: Response): AsyncGenerator<Record<string, unknown>> {
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    rest += chunk;
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.+)$/m.exec(block)?.[1];
      if (data !== undefined) yield JSON.parse(data) as Record<string, unknown>;
    }
  }
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

async function openSession(url: string, extra: Record<string, string> = {}) {
  const opened = await fetch(url, initialize("2025-11-25", extra));
  const id = opened.headers.get("mcp-session-id") ?? "";
  await opened.text();
  const session = { ...extra, "Mcp-Session-Id": id };
  await fetch(url, legacy({ jsonrpc: "2.0", method: "notifications/initialized" }, session));
  return session;
}

describe("both eras on one endpoint", () => {
  test("a modern request is answered on its own", async () => {
    const { url } = await serve();
    const response = await fetch(url, echo());
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { resultType: "complete", content: [{ type: "text", text: "雁" }] },
    });
  });

  test("a legacy client gets a session, and its calls run in it", async () => {
    const { url } = await serve();
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
    const { url } = await serve();
    const response = await fetch(url, legacy({ jsonrpc: "2.0", id: 1, method: "tools/list" }));
    expect(response.headers.get("mcp-session-id")).toBeNull();
    const [result] = await collect(events(response));
    expect(result).toMatchObject({ id: 1, result: { tools: [{ name: "echo" }, { name: "wait" }] } });
  });

  test("GET and DELETE without a session are 405, with an unknown one 404, and DELETE ends a session", async () => {
    const { url } = await serve();
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
    const { url } = await serve();
    const batch = [{ jsonrpc: "2.0", id: 5, method: "ping" }];
    expect((await fetch(url, legacy(batch))).status).toBe(400);
    expect((await fetch(url, legacy(batch, await openSession(url)))).status).toBe(400);
    const opened = await fetch(url, initialize("2025-03-26"));
    const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
    const [answer] = await collect(events(await fetch(url, legacy(batch, session))));
    expect(answer).toEqual({ jsonrpc: "2.0", id: 5, result: {} });
  });

  test("sessions beyond the limit push out the idlest one, and never one in use", async () => {
    const { url } = await serve({ maxSessions: 2 });
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
    const { url } = await serve({ sessionIdleMs: 20 });
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
    const { url, port } = await serve({
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
    const without = await serve();
    expect((await fetch(`http://127.0.0.1:${without.port}/sse`)).status).toBe(404);
    const { port } = await serve({ sse: true });
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
    const { url, changes, watched } = await serve();
    expect(watched()).toBe(0);
    const filter = { notifications: { toolsListChanged: true, resourceSubscriptions: ["demo://a"] } };
    const heard = events(await fetch(url, modern("subscriptions/listen", filter)));
    expect((await heard.next()).value).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
    expect(watched()).toBe(1);
    changes.publish({ type: "resource-updated", uri: "demo://b" });
    changes.publish({ type: "prompts-changed" });
    changes.publish({ type: "resource-updated", uri: "demo://a" });
    changes.publish({ type: "tools-changed" });
    expect((await heard.next()).value).toMatchObject({
      method: "notifications/resources/updated",
      params: { uri: "demo://a" },
    });
    expect((await heard.next()).value).toMatchObject({ method: "notifications/tools/list_changed" });
    await heard.return(undefined);
  });

  test("a legacy session hears list changes unasked and updates of what it subscribed to", async () => {
    const { url, changes, watched } = await serve();
    const session = await openSession(url);
    const heard = events(await fetch(url, { headers: { ...session, Accept: "text/event-stream" } }));
    const subscribe = { jsonrpc: "2.0", id: 4, method: "resources/subscribe", params: { uri: "demo://a" } };
    await (await fetch(url, legacy(subscribe, session))).text();
    expect(watched()).toBe(1);
    changes.publish({ type: "resource-updated", uri: "demo://b" });
    changes.publish({ type: "resource-updated", uri: "demo://a" });
    changes.publish({ type: "resources-changed" });
    expect((await heard.next()).value).toMatchObject({
      method: "notifications/resources/updated",
      params: { uri: "demo://a" },
    });
    expect((await heard.next()).value).toMatchObject({ method: "notifications/resources/list_changed" });
    await heard.return(undefined);
  });

  test("closing ends every stream: the listener gets its result, the session's stream its end", async () => {
    const served = await serve();
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
    const { url, started, aborted } = await serve();
    const gone = new AbortController();
    const call = fetch(url, {
      ...modern("tools/call", { name: "wait", arguments: {} }),
      signal: gone.signal,
    });
    await started;
    gone.abort();
    await expect(call).rejects.toThrow();
    await aborted;
  });
});

describe("hostile callers", () => {
  test.each([
    "evil.com",
    "evil.com:80",
    "127.0.0.1.evil.com",
    "localhost@evil.com",
    "192.168.0.7",
    "",
    "[::1",
  ])("N1: the Host %j is refused", async (host) => {
    const { port } = await serve();
    const answer = await raw(port, `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  test.each(["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8080", "proxy.example"])(
    "the Host %j is known",
    async (host) => {
      const { port } = await serve({ allowedHosts: ["proxy.example"] });
      const answer = await raw(
        port,
        `GET /mcp HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    },
  );

  test.each([
    { Origin: "https://evil.com" },
    { Origin: "null" },
    { Origin: "http://localhost.evil.com" },
    { Origin: "file://" },
    { Origin: "http://localhost, https://evil.com" },
    { Cookie: "a=b" },
    { "Sec-Fetch-Site": "cross-site" },
  ])("N2: a page with %j is refused", async (headers: Record<string, string>) => {
    const { port } = await serve();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = await raw(
      port,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join("")}Content-Length: 0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("a page on loopback or an allowed one may call, and with cors it may read the answer", async () => {
    const { url } = await serve({ cors: true, allowedOrigins: ["https://app.example"] });
    for (const Origin of ["http://localhost:5173", "https://app.example"]) {
      const response = await fetch(url, modern("tools/list", {}, { Origin }));
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe(Origin);
    }
    const preflight = await fetch(url, {
      method: "OPTIONS",
      headers: { Origin: "https://app.example", "Access-Control-Request-Headers": "mcp-method" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      "mcp-method",
    ]);
  });

  test.each([
    undefined,
    "",
    "Bearer",
    "Bearer x",
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN}0`,
    `Basic ${TOKEN}`,
    TOKEN,
  ])("N3: the authorization %j is answered 401", async (authorization) => {
    const { url } = await serve({ token: TOKEN });
    const response = await fetch(
      url,
      modern("tools/list", {}, authorization === undefined ? {} : { Authorization: authorization }),
    );
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="mcp"/);
  });

  test("the right token opens the endpoint in both eras", async () => {
    const { url } = await serve({ token: TOKEN });
    const authorized = { Authorization: `Bearer ${TOKEN}` };
    expect((await fetch(url, modern("tools/list", {}, authorized))).status).toBe(200);
    expect((await openSession(url, authorized))["Mcp-Session-Id"]).not.toBe("");
  });

  test("N3: an empty or a short token never becomes the token of a server", async () => {
    await expect(serve({ token: "" })).rejects.toThrow("The token has 0 characters");
    await expect(serve({ token: "short" })).rejects.toThrow("use at least 16");
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/json-seq",
  ])("N4: a simple POST of %s is answered 415", async (type) => {
    const { url } = await serve();
    const request = modern("tools/list");
    const response = await fetch(url, { ...request, headers: { ...request.headers, "Content-Type": type } });
    expect(response.status).toBe(415);
  });

  test("N4: a compressed body is answered 415", async () => {
    const { url } = await serve();
    expect((await fetch(url, modern("tools/list", {}, { "Content-Encoding": "gzip" }))).status).toBe(415);
  });

  test("N5: an event stream or a WebSocket without the token is refused and closed", async () => {
    const { port } = await serve({ token: TOKEN, sse: true });
    for (const path of ["/mcp", "/sse"]) {
      const answer = await raw(
        port,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    }
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    expect(await raw(port, `GET /mcp HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`)).toMatch(
      /^HTTP\/1\.1 401 /,
    );
  });

  test.each(["0.0.0.0", "::", "192.168.1.2", "example.com"])(
    "N6: it refuses to listen on %s without a token",
    async (host) => {
      await expect(serve({ host })).rejects.toThrow(`Refusing to listen on ${host} without a token`);
    },
  );

  test("N6: with a token it may listen on every address, and foreign names are still refused", async () => {
    const { port } = await serve({ host: "0.0.0.0", token: TOKEN });
    const ask = (host: string) =>
      raw(
        port,
        `GET /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
      );
    expect(await ask("10.1.2.3:8080")).toMatch(/^HTTP\/1\.1 405 /);
    expect(await ask("evil.com")).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("N9: headers that never end are cut off", async () => {
    const { port } = await serve({ timeouts: { headersMs: 100, requestMs: 200 } });
    expect(await raw(port, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("N9: a body that never comes is cut off", async () => {
    const { port } = await serve({ timeouts: { headersMs: 100, requestMs: 200 } });
    const head = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n";
    expect(await raw(port, `POST /mcp HTTP/1.1\r\n${head}\r\n{`)).toMatch(/^HTTP\/1\.1 408 |^$/);
  });

  test("N9: a client that does not read its answer is cut off", async () => {
    const big = "x".repeat(32 * 1024 * 1024);
    const { port } = await serve(
      { timeouts: { stallMs: 50 } },
      {
        tools: [defineTool({ name: "big", description: "A lot", input: z.object({}), run: () => text(big) })],
      },
    );
    const { headers, body } = modern("tools/call", { name: "big", arguments: {} });
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const closed = new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(
          `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join("")}Content-Length: ${body.length}\r\n\r\n${body}`,
        );
      });
      socket.pause();
      // Paused, the socket sees the end only when it asks whether it is still there.
      const ask = setInterval(() => socket.write("\r\n"), 20);
      socket.on("error", () => {});
      socket.on("close", () => {
        clearInterval(ask);
        resolve();
      });
    });
    await closed;
  });

  test("a body over the limit is answered 413, whether it says its length or not", async () => {
    const { url } = await serve({ maxBodyBytes: 1000 });
    const request = modern("tools/call", { name: "echo", arguments: { text: "x".repeat(2000) } });
    expect((await fetch(url, request)).status).toBe(413);
    const unsized = new Blob([request.body]).stream();
    const response = await fetch(url, { ...request, body: unsized, duplex: "half" } as RequestInit);
    expect(response.status).toBe(413);
  });

  test.each(["", "{", "null", "1", '"a"'])("a body of %j is answered 400", async (body) => {
    const { url } = await serve();
    const response = await fetch(url, { ...modern("tools/list"), body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null });
  });

  test("R12: nesting of a hundred thousand levels gets an answer, and the server goes on", async () => {
    const { url } = await serve();
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const request = modern("tools/call", { name: "echo", arguments: { text: "DEEP" } });
    const response = await fetch(url, { ...request, body: request.body.replace('"DEEP"', deep) });
    await response.text();
    expect((await fetch(url, echo())).status).toBe(200);
  });

  test("a port in use is said in words", async () => {
    const { port } = await serve();
    await expect(serve({ port })).rejects.toThrow(`Cannot listen on 127.0.0.1:${port}: the port is in use`);
  });
});
