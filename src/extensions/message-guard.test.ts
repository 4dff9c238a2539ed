import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { PendingRequests } from "./message-guard.ts";

const modern = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
const bare: JSONRPCMessage = { jsonrpc: "2.0", id: 1, result: { content: [] } };

function answered(
  method: string,
  params: Record<string, unknown>,
  answer: JSONRPCMessage = bare,
): JSONRPCMessage {
  const pending = new PendingRequests();
  pending.noteSent({ jsonrpc: "2.0", id: 1, method, params });
  return pending.noteReceived(answer);
}

test("a modern result that does not say what it is, is complete", () => {
  expect(answered("tools/call", modern)).toEqual({
    ...bare,
    result: { content: [], resultType: "complete" },
  });
});

test("what says what it is, an error, a legacy result and the answer to the probe stay as they are", () => {
  const asking: JSONRPCMessage = { jsonrpc: "2.0", id: 1, result: { resultType: "input_required" } };
  const error: JSONRPCMessage = { jsonrpc: "2.0", id: 1, error: { code: -32_602, message: "no" } };
  expect(answered("tools/call", modern, asking)).toBe(asking);
  expect(answered("tools/call", modern, error)).toBe(error);
  expect(answered("tools/call", {})).toBe(bare);
  expect(answered("server/discover", modern)).toBe(bare);
});
