import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { certificate, key } from "../../test/support/self-signed-certificate.ts";
import { createHttpFetch, httpFetch } from "./http-fetch.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener, tls = false): Promise<string> {
  const server = tls ? createTlsServer({ key, cert: certificate }, listener) : createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("httpFetch", () => {
  test("posts a body and reads JSON, status and headers", async () => {
    const url = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.writeHead(201, { "x-kari": "雁".length.toString(), "content-type": "application/json" });
      response.end(JSON.stringify({ got: Buffer.concat(chunks).toString(), headers: request.headers }));
    });
    const response = await httpFetch(`${url}/v1?a=b`, {
      method: "POST",
      headers: { "X-Key": "k" },
      body: "こんにちは",
    });
    expect([response.ok, response.status, response.headers.get("x-kari")]).toEqual([true, 201, "1"]);
    expect(await response.json()).toMatchObject({ got: "こんにちは", headers: { "x-key": "k" } });
  });

  test("asks for no compression, because it does not undo any", async () => {
    const url = await serve((request, response) => response.end(request.headers["accept-encoding"]));
    expect(await (await httpFetch(url)).text()).toBe("identity");
  });

  test("an error status is an answer, with its body", async () => {
    const url = await serve((_request, response) =>
      response.writeHead(429, { "retry-after": "3" }).end("slow"),
    );
    const response = await httpFetch(url);
    expect([response.ok, response.status, response.headers.get("retry-after")]).toEqual([false, 429, "3"]);
    expect(await response.text()).toBe("slow");
  });

  test("R3: a character split between chunks stays whole", async () => {
    const bytes = Buffer.from("雁と🦢");
    const url = await serve((_request, response) => {
      let index = 0;
      const next = (): unknown =>
        index < bytes.length
          ? response.write(bytes.subarray(index++, index), () => setImmediate(next))
          : response.end();
      next();
    });
    expect(await (await httpFetch(url)).text()).toBe("雁と🦢");
  });

  test("a reader that waits holds the sender back, and loses nothing", async () => {
    const size = 8 * 1024 * 1024;
    const url = await serve((_request, response) => response.end(Buffer.alloc(size, "x")));
    const { body } = await httpFetch(url);
    await new Promise((resolve) => setImmediate(resolve));
    let total = 0;
    for await (const chunk of body as ReadableStream<Uint8Array>) total += chunk.length;
    expect(total).toBe(size);
  });

  test("an abort before the request throws at once", async () => {
    const error = await httpFetch("http://127.0.0.1:9", { signal: AbortSignal.abort() }).catch(
      (e: Error) => e,
    );
    expect((error as Error).name).toBe("AbortError");
  });

  test("an abort while waiting for the answer closes the connection", async () => {
    const gone = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const url = await serve((request) => {
      arrived.resolve();
      request.on("close", () => gone.resolve());
    });
    const abort = new AbortController();
    const answer = httpFetch(url, { signal: abort.signal });
    await arrived.promise;
    abort.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    await gone.promise;
  });

  test("an abort in the middle of the body ends the body with an AbortError", async () => {
    const url = await serve((_request, response) => void response.write("first"));
    const abort = new AbortController();
    const response = await httpFetch(url, { signal: abort.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(Buffer.from((await reader.read()).value as Uint8Array).toString()).toBe("first");
    abort.abort();
    await expect(reader.read()).rejects.toMatchObject({ name: "AbortError" });
  });

  test("N19: a body that is cut off is an error, never a short answer", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.socket?.destroy());
    });
    await expect((await httpFetch(url)).text()).rejects.toThrow();
  });

  test("N7: a redirect is refused, so that a key never travels to another host", async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    );
    await expect(httpFetch(url)).rejects.toThrow(/redirects to http:\/\/169\.254\.169\.254\//);
  });

  test("a port where nothing listens is said in plain words", async () => {
    const url = await serve(() => {});
    await new Promise((resolve) => servers.pop()?.close(resolve));
    await expect(httpFetch(url)).rejects.toThrow(/nothing listens there \(ECONNREFUSED\)/);
  });

  test("N11: a certificate that nobody vouches for is refused in plain words", async () => {
    const url = await serve((_request, response) => response.end("ok"), true);
    await expect(httpFetch(url)).rejects.toThrow(/certificate is signed by itself/);
  });

  test("other protocols are refused", async () => {
    await expect(httpFetch("file:///etc/passwd")).rejects.toThrow(/not a protocol for an API/);
  });

  test("one connection serves several requests", async () => {
    const url = await serve((_request, response) => response.end("ok"));
    const sockets = new Set();
    servers[0]?.on("connection", (socket) => sockets.add(socket));
    for (let index = 0; index < 3; index++) await (await httpFetch(url)).text();
    expect(sockets.size).toBe(1);
  });

  test("a connection that the server closed while it was idle is replaced without a word", async () => {
    let served = 0;
    const url = await serve((request, response) => {
      served += 1;
      // The second request comes over the first connection, and finds it closing.
      if (served === 2) return void request.socket.destroy();
      response.end(`answer ${served}`);
    });
    expect(await (await httpFetch(url)).text()).toBe("answer 1");
    expect(await (await httpFetch(url, { method: "POST", body: "again" })).text()).toBe("answer 3");
  });

  test("N9: a server that falls silent, before or within its answer, is given up", async () => {
    const impatient = createHttpFetch({ idleTimeoutMs: 30 });
    const silent = await serve(() => {});
    await expect(impatient(silent)).rejects.toMatchObject({
      code: "EIDLE",
      message: expect.stringContaining("no data for 0.03 s"),
    });
    const half = await serve((_request, response) => void response.write("half"));
    await expect((await impatient(half)).text()).rejects.toMatchObject({ code: "EIDLE" });
  });

  test("the body of an error is cut at a megabyte", async () => {
    const url = await serve((_request, response) =>
      response.writeHead(500).end(Buffer.alloc(20_000_000, "x")),
    );
    const text = await (await httpFetch(url)).text();
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(text.length).toBeLessThan(2_000_000);
  });
});
