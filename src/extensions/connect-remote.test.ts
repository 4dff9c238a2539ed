/** Addresses of every kind, and what is not one: over real sockets on loopback. */
import { spawn } from "node:child_process";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { createDemoServer } from "../../test/support/demo-server.ts";
import { call, never, openManager, textOf } from "../../test/support/open-manager.ts";
import { type HttpHandle, type HttpOptions, serveOnHttp } from "../servers/kit/http.ts";
import type { RemoteConfig } from "./config.ts";

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function demo(options: Partial<HttpOptions> = {}): Promise<HttpHandle & { base: string }> {
  const handle = await serveOnHttp(createDemoServer().definition, { port: 0, ...options });
  closers.push(() => handle.close());
  return { ...handle, base: `http://127.0.0.1:${handle.port}` };
}

async function plain(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const remote = (url: string, more: Partial<RemoteConfig> = {}): RemoteConfig => ({
  type: "streamable_http",
  key: "far",
  url,
  headers: {},
  ...more,
});

/** server-everything over HTTP, on a port of its own choosing is not possible: it is given a free one. */
async function everything(mode: "sse" | "streamableHttp"): Promise<string> {
  const port = await freePort();
  const script = fileURLToPath(
    new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
  );
  const child = spawn(process.execPath, [script, mode], {
    env: { PATH: process.env["PATH"] ?? "", PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  closers.push(() => {
    child.kill("SIGKILL");
  });
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer) => /running|listening|port/i.test(chunk.toString()) && resolve();
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) => reject(new Error(`server-everything exited with ${code}`)));
  });
  return `http://127.0.0.1:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

describe("what answers is found out", () => {
  test("a modern server is spoken to in the modern era", async () => {
    const extension = openManager().add(remote((await demo()).url));
    await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "modern", transport: "streamable_http" });
    expect(textOf(await call(extension, "echo", { text: "雁" }))).toBe("雁");
  });

  test("a legacy server behind streamable HTTP is greeted the old way", async () => {
    const extension = openManager().add(remote(`${await everything("streamableHttp")}/mcp`));
    await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "legacy", transport: "streamable_http" });
    expect(textOf(await call(extension, "echo", { message: "雁" }))).toBe("Echo: 雁");
  });

  test.each(["sse", "streamable_http"] as const)(
    "an address that only speaks HTTP+SSE works although its type says %s",
    async (type) => {
      const extension = openManager().add(remote(`${await everything("sse")}/sse`, { type }));
      await extension.start();
      expect(extension.state).toMatchObject({ type: "ready", era: "legacy", transport: "sse" });
      expect(textOf(await call(extension, "echo", { message: "雁" }))).toBe("Echo: 雁");
    },
  );

  test("type sse with an address of the newer kind works too", async () => {
    const extension = openManager().add(remote((await demo()).url, { type: "sse" }));
    await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "modern", transport: "streamable_http" });
  });

  test("what was found is remembered, tried first, and corrected when it is wrong", async () => {
    const { url } = await demo();
    const memory = new Map<string, unknown>();
    const remembering = {
      recall: () => ({
        listing: { tools: [], hasResources: false },
        prior: { kind: "legacy" as const },
        transport: "sse" as const,
      }),
      remember: (_config: unknown, remembered: unknown) => void memory.set("last", remembered),
    };
    const extension = openManager({}, { memory: remembering }).add(remote(url));
    await extension.start();
    expect(extension.state).toMatchObject({ era: "modern", transport: "streamable_http" });
    expect(memory.get("last")).toMatchObject({ prior: { kind: "modern" }, transport: "streamable_http" });
  });

  test("configured headers reach the server", async () => {
    const { url } = await demo({ token: "0123456789abcdef0123456789abcdef" });
    const headers = { Authorization: "Bearer 0123456789abcdef0123456789abcdef" };
    const extension = openManager().add(remote(url, { headers }));
    await extension.start();
    expect(extension.state.type).toBe("ready");
  });
});

describe("what is no server says so", () => {
  test.each([401, 403])(
    "HTTP %i is a matter of authorization, and no other kind is tried",
    async (status) => {
      const methods: string[] = [];
      const url = await plain((request, response) => {
        methods.push(request.method ?? "");
        response.writeHead(status).end("no");
      });
      await expect(openManager().add(remote(url)).start()).rejects.toThrow(
        new RegExp(`far did not start[\\s\\S]*wants an authorization[\\s\\S]*${status}`),
      );
      expect(methods).toEqual(["POST"]);
    },
  );

  test("nobody listening is an outage", async () => {
    const port = await freePort();
    const extension = openManager().add(remote(`http://127.0.0.1:${port}/mcp`));
    await expect(extension.start()).rejects.toThrow(
      /cannot be reached: 127\.0\.0\.1:\d+: nothing listens there/,
    );
    expect(extension.state).toMatchObject({ type: "failed" });
  });

  test("a server that takes the request and is silent is an outage, not an old server", async () => {
    const url = await plain(() => {});
    const { add } = openManager({ startupTimeoutMs: 400 });
    await expect(add(remote(url)).start()).rejects.toThrow(/No answer within 0.4 s: an outage/);
  });

  test("a server that answers with 500 has failed; its kind is not guessed", async () => {
    const methods: string[] = [];
    const url = await plain((request, response) => {
      methods.push(request.method ?? "");
      response.writeHead(500).end("kaputt");
    });
    await expect(openManager().add(remote(url)).start()).rejects.toThrow(/HTTP 500/);
    expect(methods).toEqual(["POST"]);
  });

  test("a web page is not an MCP server", async () => {
    const url = await plain((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>");
    });
    await expect(openManager().add(remote(url)).start()).rejects.toThrow(
      /No MCP server answers there. As streamable HTTP: it answers with text\/html/,
    );
  });

  test("an event stream that never names its endpoint is given up", async () => {
    const url = await plain((request, response) => {
      if (request.method === "POST") return response.writeHead(404).end();
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
      return undefined;
    });
    const { add } = openManager({ startupTimeoutMs: 400 });
    await expect(add(remote(url)).start()).rejects.toThrow(/No answer within 0.4 s/);
  });

  test("an address that is none is named", async () => {
    await expect(openManager().add(remote("ftp://example.com")).start()).rejects.toThrow(
      /"ftp:\/\/example.com" is not an http or https address/,
    );
  });

  test("a redirect to another host is not followed", async () => {
    const url = await plain((_request, response) => {
      response.writeHead(307, { location: "https://example.com/mcp" }).end();
    });
    await expect(openManager().add(remote(url)).start()).rejects.toThrow(/HTTP 307|example\.com/);
  });
});

describe("a server that is restarted", () => {
  test("a call finds it again, with its new list", async () => {
    const first = await demo();
    const { add, manager } = openManager();
    const extension = add(remote(first.url));
    await extension.start();
    await first.close();
    const { definition } = createDemoServer();
    const second = await serveOnHttp(
      { ...definition, tools: definition.tools.filter(({ name }) => name !== "fail") },
      { port: first.port },
    );
    closers.push(() => second.close());
    expect(textOf(await call(extension, "echo", { text: "back" }))).toBe("back");
    await expect.poll(() => manager.table.find("far__fail"), { timeout: 5000 }).toBeUndefined();
  });

  test("a legacy session that the server has forgotten is opened again", async () => {
    const url = `${await everything("streamableHttp")}/mcp`;
    const extension = openManager().add(remote(url));
    await extension.start();
    await closers.pop()?.();
    const port = Number(new URL(url).port);
    const script = fileURLToPath(
      new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
    );
    const child = spawn(process.execPath, [script, "streamableHttp"], {
      env: { PATH: process.env["PATH"] ?? "", PORT: String(port) },
      stdio: "ignore",
    });
    closers.push(() => void child.kill("SIGKILL"));
    expect(textOf(await call(extension, "echo", { message: "again" }))).toBe("Echo: again");
  });

  test("a call that was cut off is repeated only when its tool says that this is harmless", async () => {
    let runs = 0;
    const front = await cuttingServer(() => {
      runs += 1;
    });
    const extension = openManager().add(remote(front.url));
    await extension.start();
    await expect(call(extension, "write")).rejects.toThrow(/may or may not have taken effect/);
    expect(runs).toBe(1);
    await expect(call(extension, "read")).rejects.toThrow(/cut the connection/);
    expect(runs).toBe(3);
  });
});

test("an event stream that ends without the answer fails its call at once", async () => {
  const { url } = await cuttingServer(
    () => {},
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(": thinking\n\n");
    },
  );
  const extension = openManager().add(remote(url));
  await extension.start();
  await expect(call(extension, "write")).rejects.toThrow(
    /broke off before the answer came[\s\S]*may or may not/,
  );
});

test("a legacy server that forgets the session with 404 gets a new one, and the call goes on", async () => {
  const sessions: string[] = [];
  let forgotten = "";
  const url = await plain(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { id, method, params } = JSON.parse(body) as {
      id: unknown;
      method: string;
      params: { protocolVersion?: string };
    };
    const session = String(request.headers["mcp-session-id"] ?? "");
    if (method !== "initialize" && (session === "" || session === forgotten))
      return response.writeHead(session ? 404 : 400).end();
    if (id === undefined) return response.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "old", version: "1" },
      },
      "tools/list": { tools: [{ name: "write", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: session }] },
    };
    if (method === "initialize") sessions.push(`session-${sessions.length + 1}`);
    const headers = method === "initialize" ? { "mcp-session-id": sessions.at(-1) ?? "" } : {};
    response.writeHead(200, { "content-type": "application/json", ...headers });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
  });
  const extension = openManager().add(remote(url));
  expect(textOf(await call(extension, "write"))).toBe("session-1");
  forgotten = "session-1";
  expect(textOf(await call(extension, "write"))).toBe("session-2");
});

/** A modern server, by hand, that cuts every call off, or ends it as it is told. */
async function cuttingServer(
  onCall: () => void,
  end: (response: ServerResponse) => void = (response) => response.destroy(),
): Promise<{ url: string }> {
  const url = await plain((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      const { id, method } = JSON.parse(body) as { id: unknown; method: string };
      if (method === "tools/call") {
        onCall();
        return end(response);
      }
      const results: Record<string, object> = {
        "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
        "tools/list": {
          tools: [
            { name: "write", inputSchema: { type: "object" } },
            { name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
          ],
        },
      };
      const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", ...results[method] };
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  return { url };
}

describe("calls over HTTP", () => {
  test("progress comes through, and a cancelled call is cancelled at the server", async () => {
    const server = createDemoServer();
    const handle = await serveOnHttp(server.definition, { port: 0 });
    closers.push(() => handle.close());
    const extension = openManager().add(remote(handle.url));
    const steps: (string | undefined)[] = [];
    await extension.callTool("count", {}, { ...never(), onProgress: ({ message }) => steps.push(message) });
    expect(steps.at(-1)).toBe("step 3");
    const abort = new AbortController();
    const waiting = extension.callTool("wait", {}, { signal: abort.signal });
    await server.waiting;
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    await server.cancelled;
  });
});
