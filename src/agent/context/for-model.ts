/**
 * The conversation as the model gets it: hidden characters of strangers taken out, and a picture that was sent
 * before replaced by one line. Depends only on what comes before each message, so that the bytes of an old message
 * never change from one request to the next.
 */
import { createHash } from "node:crypto";
import {
  isFor,
  type JsonValue,
  type Message,
  type ToolContent,
  type ToolResponse,
} from "../../conversation/index.ts";
import { removeHidden } from "../../lib/hidden-text.ts";

/** A picture smaller than this is cheaper than the words about it. */
const MIN_BLOB_LENGTH = 2000;
const hashes = new WeakMap<object, string>();

/** Words alone: what is made of them depends on nothing else, and is the same object at every turn. */
const cleanWords = new WeakMap<Message, Message>();

export function forModel(messages: readonly Message[]): readonly Message[] {
  const seen = new Map<string, string>();
  return messages.map((message) => {
    if (message.role !== "tool") return message;
    const known = cleanWords.get(message);
    if (known) return known;
    const clean = { ...message, content: message.content.map((response) => cleanResponse(response, seen)) };
    if (message.content.every((response) => response.content.every(isWords))) cleanWords.set(message, clean);
    return clean;
  });
}

function isWords(content: ToolContent): boolean {
  if (content.type === "text" || content.type === "resource-link") return true;
  return content.type === "resource" && "text" in content.resource;
}

function cleanResponse(response: ToolResponse, seen: Map<string, string>): ToolResponse {
  return {
    ...response,
    content: response.content.map((content) => cleanBlock(content, response.name, seen)),
    ...(response.structuredContent !== undefined && {
      structuredContent: cleanJson(response.structuredContent),
    }),
  };
}

function cleanBlock(content: ToolContent, tool: string, seen: Map<string, string>): ToolContent {
  if (content.type === "text") return { ...content, text: removeHidden(content.text) };
  if (content.type === "resource-link") return { ...content, link: cleanJson(content.link) };
  if (content.type === "resource" && "text" in content.resource) {
    return { ...content, resource: { ...content.resource, text: removeHidden(content.resource.text) } };
  }
  // What the model does not get it has not seen: the same bytes may come to it later.
  if (!isFor("assistant", content.annotations)) return content;
  const data =
    content.type === "image" || content.type === "audio"
      ? content.data
      : content.type === "resource" && "blob" in content.resource
        ? content.resource.blob
        : "";
  if (data.length < MIN_BLOB_LENGTH) return content;
  const hash = hashOf(content, data);
  const first = seen.get(hash);
  if (first === undefined) {
    seen.set(hash, tool);
    return content;
  }
  const uri = content.type === "resource" ? ` (${content.resource.uri})` : "";
  return {
    type: "text",
    text: `[The same bytes${uri} as in the result of ${first} above.]`,
    ...(content.source && { source: content.source }),
  };
}

/** Hidden characters stand in JSON as themselves, so that one look tells whether there are any. */
function cleanJson<T extends object | JsonValue>(value: T): T {
  const json = JSON.stringify(value);
  const cleaned = removeHidden(json);
  return cleaned === json ? value : (JSON.parse(cleaned) as T);
}

function hashOf(content: object, data: string): string {
  const known = hashes.get(content);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(data).digest("hex");
  hashes.set(content, hash);
  return hash;
}
