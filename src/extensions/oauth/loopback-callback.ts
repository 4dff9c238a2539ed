/**
 * Waits on 127.0.0.1 for the browser to come back from an authorization. It takes one answer that carries the state
 * we sent out, on one path, under our own name; everything else is turned away and changes nothing.
 */
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const PATH = "/callback";

export class LoopbackCallback {
  readonly #server: Server;
  readonly #port: number;
  #waiting: { readonly state: string; readonly answer: PromiseWithResolvers<URLSearchParams> } | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    server.on("request", (request, response) => this.#answer(request, response));
  }

  /** On the port that was registered before if it is free, else on any. */
  static async listen(preferredPort = 0): Promise<LoopbackCallback> {
    const server = createServer();
    try {
      await listenOn(server, preferredPort);
    } catch {
      await listenOn(server, 0);
    }
    server.unref();
    return new LoopbackCallback(server);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${PATH}`;
  }

  /** Rejects when the person takes too long or the signal ends it. */
  async wait(
    state: string,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<URLSearchParams> {
    const answer = Promise.withResolvers<URLSearchParams>();
    this.#waiting = { state, answer };
    const limit = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
    const giveUp = () =>
      answer.reject(new Error(`nobody came back from the browser within ${options.timeoutMs / 1000} s`));
    limit.addEventListener("abort", giveUp, { once: true });
    // The program must not end while the person is in the browser.
    this.#server.ref();
    try {
      return await answer.promise;
    } finally {
      limit.removeEventListener("abort", giveUp);
      this.#waiting = undefined;
      this.#server.unref();
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.url);
    // A page elsewhere that makes its name point here is still called by that name.
    if (request.headers.host !== `127.0.0.1:${this.#port}`)
      return show(response, 403, "This is not the address.");
    if (request.method !== "GET" || url.pathname !== PATH)
      return show(response, 404, "There is nothing here.");
    const waiting = this.#waiting;
    if (!waiting) return show(response, 410, "This authorization is over already.");
    if (!sameText(url.searchParams.get("state") ?? "", waiting.state))
      return show(response, 400, "This answer does not belong to the authorization that Kari asked for.");
    this.#waiting = undefined;
    waiting.answer.resolve(url.searchParams);
    const refused = url.searchParams.has("error");
    return show(
      response,
      200,
      refused
        ? "Kari was not authorized. You may close this window. 許可されませんでした。この画面は閉じて構いません。"
        : "Kari is authorized. You may close this window. 許可されました。この画面は閉じて構いません。",
    );
  }
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Fixed words only: nothing of the request is shown. */
function show(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>Kari</title><p>${words}</p>`);
}
