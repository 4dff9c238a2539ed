/**
 * The other end of the bench: a chat-completions server on loopback that answers at once and writes down when each
 * request came and when its answer left. A request without tools (a title, a summary) is answered and not counted.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model answers in one turn: words, or a call of the first tool whose name matches. */
export type Step =
  | { readonly text: string }
  | { readonly tool: RegExp; readonly args: (turn: number) => Readonly<Record<string, unknown>> };

export interface Exchange {
  readonly askedAt: number;
  answeredAt: number;
}

export interface BenchLlm {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  play(steps: readonly Step[]): void;
  close(): Promise<void>;
}

interface ChatRequest {
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Milliseconds on one clock for all processes of this machine. */
export const now = (): number => performance.timeOrigin + performance.now();

export async function startBenchLlm(): Promise<BenchLlm> {
  let steps: readonly Step[] = [];
  let exchanges: Exchange[] = [];
  const server = createServer((incoming, response) => {
    const askedAt = now();
    if (incoming.method !== "POST")
      return sendJson(response, { object: "list", data: [{ id: "mock-model", object: "model" }] });
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const request = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ChatRequest;
      if (!request.tools?.length) return answer(response, request, { text: "A title" }, 0);
      const exchange: Exchange = { askedAt, answeredAt: askedAt };
      exchanges.push(exchange);
      const turn = exchanges.length - 1;
      response.on("finish", () => {
        exchange.answeredAt = now();
      });
      answer(response, request, steps[turn] ?? { text: "Nothing more." }, turn);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get exchanges() {
      return exchanges;
    },
    play(next) {
      steps = next;
      exchanges = [];
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(response: ServerResponse, request: ChatRequest, step: Step, turn: number): void {
  const base = { id: "chatcmpl-bench", created: 1, model: "mock-model" };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const call = "tool" in step ? toolCall(request, step, turn) : undefined;
  const content = "text" in step ? step.text : null;
  const finish_reason = call ? "tool_calls" : "stop";
  if (!request.stream) {
    const message = { role: "assistant", content, ...(call && { tool_calls: [call] }) };
    return sendJson(response, {
      ...base,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason }],
      usage,
    });
  }
  const frame = (delta: object, reason: string | null = null) =>
    `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(
    frame({ role: "assistant", content: content ?? "" }) +
      (call ? frame({ tool_calls: [{ index: 0, ...call }] }) : "") +
      frame({}, finish_reason) +
      `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [], usage })}\n\ndata: [DONE]\n\n`,
  );
}

function toolCall(request: ChatRequest, step: Extract<Step, { tool: RegExp }>, turn: number): object {
  const name = request.tools?.find((tool) => step.tool.test(tool.function.name))?.function.name ?? "missing";
  return {
    id: `call_${turn}`,
    type: "function",
    function: { name, arguments: JSON.stringify(step.args(turn)) },
  };
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
