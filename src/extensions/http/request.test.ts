/** Connections that break while they are used, on real sockets on loopback. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { openManager } from "../../../test/support/open-manager.ts";
import { PendingRequests } from "../message-guard.ts";
import { createRemoteAuth } from "../oauth/index.ts";
import { createRequest } from "./request.ts";
import { createServerFetch } from "./server-fetch.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** Answers the first request of each connection and cuts it at the second. */
function oneAnswerEach(seen: string[]): RequestListener {
  const used = new WeakSet<object>();
  return (request, response) => {
    seen.push(request.method ?? "");
    if (used.has(request.socket)) return request.socket.destroy();
    used.add(request.socket);
    return response.end("fine");
  };
}

describe("a kept connection that the server closes as it is used again", () => {
  test("costs nothing where the request only reads", async () => {
    const seen: string[] = [];
    const url = await listen(oneAnswerEach(seen));
    const request = createRequest({ environment: {} });
    await (await request(url)).text();
    expect(await (await request(url)).text()).toBe("fine");
    expect(seen).toEqual(["GET", "GET", "GET"]);
  });

  test("is told where the request may have done something", async () => {
    const seen: string[] = [];
    const url = await listen(oneAnswerEach(seen));
    const request = createRequest({ environment: {} });
    await (await request(url, { method: "POST", body: "{}" })).text();
    await expect(request(url, { method: "POST", body: "{}" })).rejects.toThrow("cut the connection");
    expect(seen).toEqual(["POST", "POST"]);
  });
});

test("a request that asks for a connection of its own gets one", async () => {
  const seen: string[] = [];
  const url = await listen(oneAnswerEach(seen));
  const request = createRequest({ environment: {} });
  await (await request(url)).text();
  const own = { method: "POST", body: "code=1", headers: { connection: "close" } };
  expect(await (await request(url, own)).text()).toBe("fine");
  expect(await (await request(url, own)).text()).toBe("fine");
});

test("what is asked of an authorization server goes over a connection of its own, wherever that server is", async () => {
  const asked: (string | null)[] = [];
  const fetch = createServerFetch({
    request: async (_, init) => {
      asked.push(new Headers(init?.headers).get("connection"));
      return new Response("{}");
    },
    server: new URL("https://far.example/mcp"),
    headers: {},
    pending: new PendingRequests(),
    maxMessageBytes: 1000,
    onSessionLost: () => {},
    onNetworkFailure: () => {},
  });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  await fetch("https://far.example/mcp", { method: "POST", headers: { "content-type": "application/json" } });
  await fetch("https://far.example/token", { method: "POST", headers: form });
  await fetch("https://login.example/.well-known/oauth-authorization-server");
  expect(asked).toEqual([null, "close", "close"]);
});

test("a greeting that was cut off is tried once more, and only once", async () => {
  let greetings = 0;
  const url = await listen((request) => {
    greetings += 1;
    request.socket.destroy();
  });
  const extension = openManager().add({ type: "streamable_http", key: "far", url, headers: {} });
  await expect(extension.start()).rejects.toThrow("cut the connection");
  expect(greetings).toBe(2);
});

test("a description of the server that could not be fetched is an outage: nobody registers elsewhere", async () => {
  const paths: string[] = [];
  const url = await listen((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    if (request.url?.includes("oauth-protected-resource")) return request.socket.destroy();
    return response.writeHead(request.url === "/mcp" ? 401 : 404, { "www-authenticate": "Bearer" }).end();
  });
  const extension = openManager({
    authFor: async (config) =>
      createRemoteAuth(config, {
        store: { get: async () => undefined, set: async () => {}, delete: async () => {} },
        clientName: "Kari",
        openBrowser: async () => {},
      }),
  }).add({ type: "streamable_http", key: "far", url, headers: {} });
  await expect(extension.start()).rejects.toThrow("cut the connection");
  expect(paths).not.toContain("POST /register");
});
