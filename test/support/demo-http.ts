/** Raw requests of either era to a demo server over HTTP, and what it says, event by event. */
import { connect } from "node:net";
import { afterEach } from "vitest";
import { type HttpHandle, type HttpOptions, serveOnHttp } from "../../src/servers/kit/http.ts";
import type { ServerDefinition } from "../../src/servers/kit/index.ts";
import { createDemoServer } from "./demo-server.ts";

export const TOKEN = "0123456789abcdef0123456789abcdef";
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

export async function serveDemo(options: Partial<HttpOptions> = {}, parts: Partial<ServerDefinition> = {}) {
  const demo = createDemoServer();
  const handle = await serveOnHttp({ ...demo.definition, ...parts }, { port: 0, ...options });
  handles.push(handle);
  return { ...demo, ...handle };
}

/** A modern request with all its headers; `extra` adds or replaces some. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  extra: Record<string, string> = {},
) {
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

export function legacy(message: object, extra: Record<string, string> = {}) {
  return { method: "POST", headers: { ...JSON_HEADERS, ...extra }, body: JSON.stringify(message) };
}

export function initialize(protocolVersion = "2025-11-25", extra: Record<string, string> = {}) {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "wire", version: "1" } };
  return legacy({ jsonrpc: "2.0", id: 0, method: "initialize", params }, extra);
}

export const echo = () => modern("tools/call", { name: "echo", arguments: { text: "雁" } });

/** Sends bytes as they are and gives everything the server says until it closes the connection. */
export function raw(port: number, bytes: string): Promise<string> {
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
export async function* events(response: Response): AsyncGenerator<Record<string, unknown>> {
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

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

export async function openSession(url: string, extra: Record<string, string> = {}) {
  const opened = await fetch(url, initialize("2025-11-25", extra));
  const id = opened.headers.get("mcp-session-id") ?? "";
  await opened.text();
  const session = { ...extra, "Mcp-Session-Id": id };
  await fetch(url, legacy({ jsonrpc: "2.0", method: "notifications/initialized" }, session));
  return session;
}
