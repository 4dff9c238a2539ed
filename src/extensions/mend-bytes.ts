/**
 * Bytes in an answer that are not base64. The SDK would throw the whole answer away for them; here each such block
 * of a result becomes a line that says so, and the others arrive. A resource that is nothing but such bytes is an
 * error of its own, so that nobody takes the line for the resource.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { cleanBase64 } from "../lib/base64.ts";

type Answer = Extract<JSONRPCMessage, { readonly result: object }>;
type Fields = Readonly<Record<string, unknown>>;

/** The answer as it can be read, or the reason why it cannot. */
export function mendBytes(message: Answer): Answer | string {
  const result = message.result as Fields;
  const { content, contents, messages } = result;
  if (Array.isArray(contents)) {
    const broken = contents.filter((part) => isObject(part) && isBroken(part["blob"])).map(addressOf);
    return broken.length === 0 ? message : `the bytes of ${broken.join(", ")} are not valid base64`;
  }
  if (Array.isArray(content) && content.some(isBrokenBlock))
    return { ...message, result: { ...message.result, content: content.map(mendBlock) } };
  if (Array.isArray(messages) && messages.some((one) => isObject(one) && isBrokenBlock(one["content"])))
    return { ...message, result: { ...message.result, messages: messages.map(mendMessage) } };
  return message;
}

function mendMessage(message: unknown): unknown {
  return isObject(message) ? { ...message, content: mendBlock(message["content"]) } : message;
}

function mendBlock(block: unknown): unknown {
  if (!isObject(block) || !isBrokenBlock(block)) return block;
  const inner = isObject(block["resource"]) ? block["resource"] : block;
  const data = String(inner["data"] ?? inner["blob"]);
  const what = [addressOf(inner), inner["mimeType"]].filter((word) => typeof word === "string").join(" ");
  const { annotations, type } = block;
  return {
    type: "text",
    text: `[${String(type)} ${what}: its data is not valid base64, ${data.length} characters]`,
    ...(annotations !== undefined && { annotations }),
  };
}

function isBrokenBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  const { type, data, resource } = block;
  if (type === "image" || type === "audio") return isBroken(data);
  return type === "resource" && isObject(resource) && isBroken(resource["blob"]);
}

/** What is no string at all is left to those who check shapes. */
function isBroken(data: unknown): boolean {
  return typeof data === "string" && data !== "" && cleanBase64(data) === undefined;
}

function addressOf(part: unknown): string | undefined {
  return isObject(part) && typeof part["uri"] === "string" ? part["uri"] : undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
