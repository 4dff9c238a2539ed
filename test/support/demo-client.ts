/** A raw client of the demo server on a pair of streams: it writes lines, reads lines, and knows nothing else. */
import { PassThrough } from "node:stream";
import { afterEach } from "vitest";
import { serveOnStreams } from "../../src/servers/kit/stdio.ts";
import { createDemoServer } from "./demo-server.ts";

export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string; data?: unknown };
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

export function connectDemo(limits: { readonly maxMessageBytes?: number } = {}) {
  const demo = createDemoServer();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const service = serveOnStreams(demo.definition, { input, output, ...limits });
  ends.push(() => service.close());
  const received: Message[] = [];
  const waiting: { wanted(message: Message): boolean; resolve(message: Message): void }[] = [];
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      received.push(message);
      for (const waiter of waiting.filter(({ wanted }) => wanted(message))) {
        waiting.splice(waiting.indexOf(waiter), 1);
        waiter.resolve(message);
      }
    }
  });
  const next = (wanted: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve) => waiting.push({ wanted, resolve }));
  const write = (message: unknown) => void input.write(`${JSON.stringify(message)}\n`);
  let id = 0;
  const request = (method: string, params?: object): Promise<Message> => {
    id += 1;
    const mine = id;
    const answer = next((message) => message.id === mine && message.method === undefined);
    write({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    return answer;
  };
  const meta = (clientCapabilities: object, more: object = {}) => ({
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
    ...more,
  });
  return {
    ...demo,
    service,
    input,
    received,
    next,
    write,
    request,
    modern: (method: string, params: object = {}, capabilities: object = {}, more: object = {}) =>
      request(method, { ...params, _meta: meta(capabilities, more) }),
    initialize: async (protocolVersion = "2025-11-25", capabilities: object = {}) => {
      const clientInfo = { name: "wire", version: "1" };
      const answer = await request("initialize", { protocolVersion, capabilities, clientInfo });
      write({ jsonrpc: "2.0", method: "notifications/initialized" });
      return answer;
    },
    lastId: () => id,
  };
}
