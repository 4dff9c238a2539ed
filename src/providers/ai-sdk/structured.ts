/**
 * structuredContent as one more text block of a result, unless a text block is the same JSON already. Bytes of
 * a picture that also stand in a block of their own are not sent twice.
 */
import { isJsonObject, type JsonValue, type ToolResponse } from "../../conversation/index.ts";
import type { WirePart } from "./content.ts";

export function structuredParts({ content, structuredContent }: ToolResponse): WirePart[] {
  if (structuredContent === undefined) return [];
  const same = canonical(structuredContent);
  const repeated = content.some((block) => block.type === "text" && canonical(parse(block.text)) === same);
  if (repeated) return [];
  const bytes = new Set(
    content.flatMap((block) => {
      if (block.type === "image" || block.type === "audio") return [block.data];
      return block.type === "resource" && "blob" in block.resource ? [block.resource.blob] : [];
    }),
  );
  const json = JSON.stringify(structuredContent, (_key, value: unknown) =>
    typeof value === "string" && bytes.has(value) ? "[the same bytes as in the content]" : value,
  );
  return [{ type: "text", text: json }];
}

function parse(text: string): JsonValue | undefined {
  if (!/^\s*["[{\d-]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The same value gives the same text, whatever the order of its keys. */
function canonical(value: JsonValue | undefined): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
