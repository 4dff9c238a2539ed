import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { echo, modern, openSession, raw, serveDemo, TOKEN } from "../../../test/support/demo-http.ts";
import { defineTool, text } from "./tool.ts";

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
    const { port } = await serveDemo();
    const answer = await raw(port, `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  test.each(["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8080", "proxy.example"])(
    "the Host %j is known",
    async (host) => {
      const { port } = await serveDemo({ allowedHosts: ["proxy.example"] });
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
    const { port } = await serveDemo();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = await raw(
      port,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join("")}Content-Length: 0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("a page on loopback or an allowed one may call, and with cors it may read the answer", async () => {
    const { url } = await serveDemo({ cors: true, allowedOrigins: ["https://app.example"] });
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
    const { url } = await serveDemo({ token: TOKEN });
    const response = await fetch(
      url,
      modern("tools/list", {}, authorization === undefined ? {} : { Authorization: authorization }),
    );
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="mcp"/);
  });

  test("the right token opens the endpoint in both eras", async () => {
    const { url } = await serveDemo({ token: TOKEN });
    const authorized = { Authorization: `Bearer ${TOKEN}` };
    expect((await fetch(url, modern("tools/list", {}, authorized))).status).toBe(200);
    expect((await openSession(url, authorized))["Mcp-Session-Id"]).not.toBe("");
  });

  test("N3: an empty or a short token never becomes the token of a server", async () => {
    await expect(serveDemo({ token: "" })).rejects.toThrow("The token has 0 characters");
    await expect(serveDemo({ token: "short" })).rejects.toThrow("use at least 16");
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/json-seq",
  ])("N4: a simple POST of %s is answered 415", async (type) => {
    const { url } = await serveDemo();
    const request = modern("tools/list");
    const response = await fetch(url, { ...request, headers: { ...request.headers, "Content-Type": type } });
    expect(response.status).toBe(415);
  });

  test("N4: a compressed body is answered 415", async () => {
    const { url } = await serveDemo();
    expect((await fetch(url, modern("tools/list", {}, { "Content-Encoding": "gzip" }))).status).toBe(415);
  });

  test("N5: an event stream or a WebSocket without the token is refused and closed", async () => {
    const { port } = await serveDemo({ token: TOKEN, sse: true });
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
      await expect(serveDemo({ host })).rejects.toThrow(`Refusing to listen on ${host} without a token`);
    },
  );

  test("N6: with a token it may listen on every address, and foreign names are still refused", async () => {
    const { port } = await serveDemo({ host: "0.0.0.0", token: TOKEN });
    const ask = (host: string) =>
      raw(
        port,
        `GET /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
      );
    expect(await ask("10.1.2.3:8080")).toMatch(/^HTTP\/1\.1 405 /);
    expect(await ask("evil.com")).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("N9: headers that never end are cut off", async () => {
    const { port } = await serveDemo({ timeouts: { headersMs: 100 } });
    expect(await raw(port, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("N9: a body that never comes is cut off", async () => {
    const { port } = await serveDemo({ timeouts: { headersMs: 100, requestMs: 200 } });
    const head = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n";
    expect(await raw(port, `POST /mcp HTTP/1.1\r\n${head}\r\n{`)).toMatch(/^HTTP\/1\.1 408 |^$/);
  });

  test("N9: a client that does not read its answer is cut off", async () => {
    const big = "x".repeat(32 * 1024 * 1024);
    const { port } = await serveDemo(
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
    const { url } = await serveDemo({ maxBodyBytes: 1000 });
    const request = modern("tools/call", { name: "echo", arguments: { text: "x".repeat(2000) } });
    expect((await fetch(url, request)).status).toBe(413);
    // Far more than the buffers on the way hold: the client is still writing when it is answered.
    for (const text of ["x".repeat(2000), "x".repeat(32 * 1024 * 1024)]) {
      const unsized = new Blob([request.body, text]).stream();
      const response = await fetch(url, { ...request, body: unsized, duplex: "half" } as RequestInit);
      expect(response.status).toBe(413);
    }
  });

  test.each(["", "{", "null", "1", '"a"'])("a body of %j is answered 400", async (body) => {
    const { url } = await serveDemo();
    const response = await fetch(url, { ...modern("tools/list"), body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null });
  });

  test("R12: nesting of a hundred thousand levels gets an answer, and the server goes on", async () => {
    const { url } = await serveDemo();
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const request = modern("tools/call", { name: "echo", arguments: { text: "DEEP" } });
    const response = await fetch(url, { ...request, body: request.body.replace('"DEEP"', deep) });
    await response.text();
    expect((await fetch(url, echo())).status).toBe(200);
  });

  test("a port in use is said in words", async () => {
    const { port } = await serveDemo();
    await expect(serveDemo({ port })).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${port}: the port is in use`,
    );
  });
});
