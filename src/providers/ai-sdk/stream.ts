/**
 * Reads the parts of an answer into our events. Deltas flow at once; the finished blocks are held back, in the
 * order in which they ended, until the answer is complete. So a call out of an answer that was cut off is
 * never seen and never runs, and the same question may be asked again. An answer without a finish is a cut one.
 */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { AssistantContent, JsonObject, ToolRequest, Usage } from "../../conversation/index.ts";
import { ModelError, type ModelEvent, type StopReason } from "../model.ts";
import { parseToolArguments } from "../tool-arguments.ts";
import { mergeMetadata, textProviderData, toProviderData } from "./provider-data.ts";
import type { Translation } from "./translation.ts";

export async function* readStream(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
  translation: Translation,
): AsyncGenerator<ModelEvent> {
  const texts = new OpenBlocks();
  const thoughts = new OpenBlocks();
  const contents: AssistantContent[] = [];
  const finish = (content: AssistantContent | undefined) => {
    if (content !== undefined) contents.push(content);
  };

  for await (const part of parts) {
    switch (part.type) {
      case "stream-start":
        yield* newWarnings(part.warnings, translation.warned);
        break;
      case "text-start":
        texts.add(part, "");
        break;
      case "text-delta":
        texts.add(part, part.delta);
        if (part.delta !== "") yield { type: "text-delta", text: part.delta };
        break;
      case "text-end":
        texts.add(part, "");
        finish(toText(texts.take(part.id), translation));
        break;
      case "reasoning-start":
        thoughts.add(part, "");
        break;
      case "reasoning-delta":
        thoughts.add(part, part.delta);
        if (part.delta !== "") yield { type: "thinking-delta", text: part.delta };
        break;
      case "reasoning-end":
        thoughts.add(part, "");
        finish(toThinking(thoughts.take(part.id), translation));
        break;
      case "tool-call":
        if (!part.providerExecuted) finish(toToolRequest(part, translation));
        break;
      case "file":
        if (part.data.type === "data" && part.mediaType.startsWith("image/"))
          finish({ type: "image", mimeType: part.mediaType, data: toBase64(part.data.data) });
        break;
      case "error":
        throw part.error;
      case "finish": {
        for (const id of thoughts.ids()) finish(toThinking(thoughts.take(id), translation));
        for (const id of texts.ids()) finish(toText(texts.take(id), translation));
        const reason = stopReason(part.finishReason, contents);
        for (const content of withOwnIds(contents))
          yield { type: "content", content: withCutReason(content, reason) };
        yield { type: "finish", reason, usage: toUsage(part.usage) };
        return;
      }
      default:
        break;
    }
  }
  throw brokenOff();
}

function* newWarnings(warnings: readonly SharedV4Warning[], warned: Set<string>): Generator<ModelEvent> {
  for (const warning of warnings) {
    if (warning.type === "deprecated") continue;
    const text =
      warning.type === "other"
        ? warning.message
        : `${warning.feature}: ${warning.details ?? "not supported here"}`;
    if (warned.has(text)) continue;
    warned.add(text);
    yield { type: "notice", level: "info", text };
  }
}

interface Block {
  readonly text: string;
  readonly metadata: JsonObject | undefined;
}

type BlockPart = { readonly id: string; readonly providerMetadata?: Readonly<Record<string, unknown>> };

/** Blocks that have begun and not ended. Some servers never say that one began. */
class OpenBlocks {
  readonly #blocks = new Map<string, Block>();

  add(part: BlockPart, delta: string): void {
    const { text, metadata } = this.#blocks.get(part.id) ?? { text: "", metadata: undefined };
    const merged =
      part.providerMetadata === undefined ? metadata : mergeMetadata(metadata, part.providerMetadata);
    this.#blocks.set(part.id, { text: text + delta, metadata: merged });
  }

  take(id: string): Block {
    const block = this.#blocks.get(id) ?? { text: "", metadata: undefined };
    this.#blocks.delete(id);
    return block;
  }

  ids(): string[] {
    return [...this.#blocks.keys()];
  }
}

function toText({ text, metadata }: Block, { id }: Translation): AssistantContent | undefined {
  const providerData = textProviderData(id, metadata);
  if (providerData !== undefined) return { type: "text", text, providerData };
  return text === "" ? undefined : { type: "text", text };
}

/** Thinking without words may still carry its signature. */
function toThinking({ text, metadata }: Block, { id }: Translation): AssistantContent | undefined {
  if (text === "" && metadata === undefined) return undefined;
  return { type: "thinking", text, providerData: toProviderData(id, metadata) };
}

type ToolCallPart = Extract<LanguageModelV4StreamPart, { type: "tool-call" }>;

function toToolRequest(part: ToolCallPart, { id, names, properties }: Translation): ToolRequest {
  const parsed = parseToolArguments(part.input);
  const request: ToolRequest = {
    type: "tool-request",
    id: part.toolCallId,
    name: names.fromWire(part.toolName),
    ...parsed,
    arguments: properties.renameFromWire(parsed.arguments),
  };
  if (part.providerMetadata === undefined) return request;
  return { ...request, providerData: toProviderData(id, mergeMetadata(undefined, part.providerMetadata)) };
}

/**
 * An id stands for one call. The same call sent twice is dropped, so that it does not run twice; different calls
 * under one id (some servers number each answer from zero, and badly) get ids of their own.
 */
function withOwnIds(contents: readonly AssistantContent[]): AssistantContent[] {
  const seen = new Map<string, string>();
  return contents.flatMap((content): AssistantContent[] => {
    if (content.type !== "tool-request") return [content];
    const call = JSON.stringify([content.name, content.arguments, content.invalid?.raw]);
    if (seen.get(content.id) === call) return [];
    let { id } = content;
    while (seen.has(id)) id = `${id}-again`;
    seen.set(id, call);
    return [{ ...content, id }];
  });
}

function withCutReason(content: AssistantContent, reason: StopReason): AssistantContent {
  if (reason !== "length" || content.type !== "tool-request" || content.invalid === undefined) return content;
  const why = "The answer reached its token limit in the middle of these arguments.";
  return { ...content, invalid: { raw: content.invalid.raw, reason: `${why} ${content.invalid.reason}` } };
}

function stopReason(reason: LanguageModelV4FinishReason, contents: readonly AssistantContent[]): StopReason {
  switch (reason.unified) {
    case "stop":
    case "tool-calls":
    case "other":
      // Some servers say `stop` although they ask for tools.
      if (contents.some((content) => content.type === "tool-request")) return "tool-calls";
      return reason.unified === "other" ? "other" : "end";
    case "length":
      return "length";
    case "content-filter":
      return "refused";
    case "interrupted":
      throw brokenOff();
    case "error":
      throw new ModelError(
        "protocol",
        `The model stopped with ${reason.raw ?? "an error that it did not explain"}.`,
      );
    default:
      return reason.unified satisfies never;
  }
}

function brokenOff(): ModelError {
  return new ModelError("network", "The answer broke off before it was complete.");
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    ...(inputTokens.total !== undefined && { inputTokens: inputTokens.total }),
    ...(outputTokens.total !== undefined && { outputTokens: outputTokens.total }),
    ...(inputTokens.cacheRead !== undefined && { cacheReadTokens: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite !== undefined && { cacheWriteTokens: inputTokens.cacheWrite }),
  };
}

function toBase64(data: string | Uint8Array): string {
  return typeof data === "string" ? data : Buffer.from(data).toString("base64");
}
