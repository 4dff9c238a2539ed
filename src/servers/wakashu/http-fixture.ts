/** For tests: the server over HTTP on a free port of this process, asked by node:http so that headers are ours. */
import { type IncomingHttpHeaders, request } from "node:http";
import { type HttpHandle, serveOnHttp } from "../kit/http.ts";
import type { HttpOptions } from "../kit/index.ts";
import { createWakashuServer, type WakashuServerOptions } from "./server.ts";

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpFixture {
  readonly handle: HttpHandle;
  send(
    method: string,
    path: string,
    options?: { readonly headers?: Record<string, string>; readonly body?: string | Buffer },
  ): Promise<HttpReply>;
  /** One call of the plain endpoint; the reply's JSON. */
  rpc(method: string, params?: unknown, id?: unknown): Promise<Record<string, unknown>>;
}

export async function serveForTest(
  options: WakashuServerOptions,
  http: Partial<HttpOptions> = {},
): Promise<HttpFixture> {
  const server = createWakashuServer(options);
  const handle = await serveOnHttp(server, { port: 0, routes: server.routes, ...http });
  const send: HttpFixture["send"] = (method, path, { headers = {}, body } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
    const call = request({ host: "127.0.0.1", port: handle.port, method, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    call.on("error", reject);
    call.end(body);
    return promise;
  };
  return {
    handle,
    send,
    async rpc(method, params = {}, id = 1) {
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      const reply = await send("POST", "/", { headers: { "Content-Type": "application/json" }, body });
      return JSON.parse(reply.body.toString("utf8"));
    },
  };
}
