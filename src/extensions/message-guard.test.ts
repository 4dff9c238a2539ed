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

test("P30: a block whose bytes are not base64 becomes a line that says so; the others stay", () => {
  const fine = { type: "image", mimeType: "image/png", data: "iVBO\r\nRw" };
  const annotations = { audience: ["user"] };
  const content = [
    fine,
    { type: "image", mimeType: "image/png", data: "これは違う", annotations },
    { type: "resource", resource: { uri: "x://z", mimeType: "application/zip", blob: "$$$" } },
  ];
  const mended = [
    fine,
    { type: "text", text: "[image image/png: its data is not valid base64, 5 characters]", annotations },
    { type: "text", text: "[resource x://z application/zip: its data is not valid base64, 3 characters]" },
  ];
  const answer = (result: object) => ({ jsonrpc: "2.0", id: 1, result }) as JSONRPCMessage;
  expect(answered("tools/call", {}, answer({ content }))).toEqual(answer({ content: mended }));
  const messages = (contents: readonly object[]) =>
    answer({ messages: contents.map((one) => ({ role: "user", content: one })) });
  expect(answered("prompts/get", {}, messages(content))).toEqual(messages(mended));
});

test("P30: a resource whose bytes are not base64 is an error, not a text", () => {
  const contents = [{ uri: "x://y", blob: "これは違う" }];
  expect(answered("resources/read", {}, { jsonrpc: "2.0", id: 1, result: { contents } })).toMatchObject({
    id: 1,
    error: { message: "the bytes of x://y are not valid base64" },
  });
});
