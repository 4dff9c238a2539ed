/**
 * Chat completions as a model of the AI SDK's specification, spoken by ourselves: the package for it leads every
 * answer through four web streams and checks each chunk against a schema, which was most of a short turn. What it
 * knows of odd servers is kept: tool calls are put together by the package's own tracker (read-chat.ts), and a test
 * compares the bodies that both send.
 */
import type { IncomingMessage } from "node:http";
import type { StreamingModel } from "../ai-sdk/model.ts";
import { httpSend } from "../http-fetch.ts";
import { toChatBody } from "./body.ts";
import { readChat } from "./read-chat.ts";

export interface ChatModelOptions {
  /** Whose data it is that comes with a block, such as signatures. */
  readonly host: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Of an error's body: more is no explanation. */
const MAX_ERROR_BYTES = 1_000_000;

export function createChatModel(options: ChatModelOptions): StreamingModel {
  const { host, model, apiKey } = options;
  const url = new URL(`${options.baseUrl.replace(/\/+$/, "")}/chat/completions`);
  const headers = {
    "content-type": "application/json",
    "user-agent": "kari",
    ...(apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
    ...options.headers,
  };
  return {
    async doStream(call) {
      const body = JSON.stringify(toChatBody(call, { host, model }));
      const answer = await httpSend(url, { method: "POST", headers, body, signal: call.abortSignal ?? null });
      const status = answer.statusCode ?? 0;
      if (status < 200 || status >= 300) throw await failureOf(answer, status);
      return { stream: readChat(answer, host) };
    },
  };
}

/** With the fields that failure.ts reads, which are those of the packages. */
async function failureOf(answer: IncomingMessage, statusCode: number): Promise<Error> {
  const responseBody = await readText(answer);
  return Object.assign(new Error(errorMessage(responseBody) ?? answer.statusMessage ?? ""), {
    statusCode,
    responseHeaders: answer.headers,
    responseBody,
  });
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function errorMessage(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } };
    return typeof error?.message === "string" ? error.message : undefined;
  } catch {
    return undefined;
  }
}
