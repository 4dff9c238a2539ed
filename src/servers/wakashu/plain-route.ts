/**
 * `POST /`: the document's endpoint over HTTP, for curl and for whatever else sends one request and reads one
 * answer. A request is small by contract; large answers are let out a few at a time, so that readers who are slow
 * or many cost a bounded amount of memory.
 */
import type { ServerResponse } from "node:http";
import { disconnectSignal, readJsonBody, sendRefusal } from "../kit/http-exchange.ts";
import type { HttpRoute } from "../kit/index.ts";
import { Gate } from "./gate.ts";
import { createPlainRpc, INVALID_REQUEST, type PlainReply } from "./plain-rpc.ts";
import type { WakashuParts } from "./server.ts";

const MAX_BODY_BYTES = 1024 * 1024;
/** A reader who takes nothing for this long is gone. */
const STALL_MS = 30_000;
/** Answers above this wait their turn until they are read to the end. */
const LARGE_BYTES = 512 * 1024;
const IN_FLIGHT_BYTES = 64 * 1024 * 1024;

export function createPlainRoute(parts: WakashuParts): HttpRoute {
  const answer = createPlainRpc(parts);
  const gate = new Gate(Math.max(4, Math.floor(IN_FLIGHT_BYTES / parts.maxAnswerBytes)));
  return async (request, response) => {
    // A web form of a foreign page can send text/plain without asking; it cannot send JSON.
    if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
      const message = "Send the request with Content-Type: application/json";
      sendRefusal(response, { status: 415, message }, INVALID_REQUEST);
      return true;
    }
    const body = await readJsonBody(request, MAX_BODY_BYTES);
    if (!body.ok) {
      sendRefusal(response, body.refusal, body.code);
      return true;
    }
    const leave = await gate.enter();
    try {
      const reply = await answer(body.value, disconnectSignal(response));
      const bytes = send(response, reply);
      if (bytes > LARGE_BYTES) await finished(response);
    } finally {
      leave();
    }
    return true;
  };
}

function send(response: ServerResponse, reply: PlainReply): number {
  if (reply === undefined) {
    response.writeHead(202).end();
    return 0;
  }
  const id = JSON.stringify(reply.id);
  const pieces: Buffer[] =
    "pieces" in reply
      ? [Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`), ...reply.pieces, Buffer.from("}\n")]
      : [Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...reply })}\n`)];
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const malformed = "error" in reply && reply.error.code === INVALID_REQUEST;
  response.setTimeout(STALL_MS, () => response.destroy());
  response.writeHead(malformed ? 400 : 200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": bytes,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
  response.uncork();
  return bytes;
}

function finished(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed || response.writableFinished) resolve();
    else response.once("close", resolve);
  });
}
