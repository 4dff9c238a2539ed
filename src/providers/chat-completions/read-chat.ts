/**
 * A streamed chat completion as the specification's parts. Servers differ in what they leave out, so a field is used
 * when it is of the right kind and passed over when it is not; an error in the middle, or an end without a reason for
 * it, is an error. Text and thinking are blocks of their own whenever one follows the other.
 */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { generateId, StreamingToolCallTracker } from "@ai-sdk/provider-utils";
import { createParser } from "eventsource-parser";
import { type CallDelta, NamedCalls } from "./named-calls.ts";

export async function* readChat(
  chunks: AsyncIterable<Uint8Array>,
  host: string,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const decoder = new TextDecoder();
  const reader = new ChatReader(host);
  const parser = createParser({ onEvent: ({ data }) => reader.read(data) });
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* reader.parts.splice(0);
  }
  parser.feed(decoder.decode());
  reader.finish();
  yield* reader.parts.splice(0);
}

interface Chunk {
  readonly error?: unknown;
  readonly usage?: ChatUsage | null;
  readonly choices?: readonly {
    readonly delta?: Delta | null;
    readonly finish_reason?: string | null;
  }[];
}

interface Delta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: readonly CallDelta[] | null;
}

interface ChatUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

type Kind = "text" | "reasoning";

class ChatReader {
  readonly parts: LanguageModelV4StreamPart[] = [];
  readonly #calls: NamedCalls;
  #open: Kind | undefined;
  #blocks = 0;
  #finishReason: string | undefined;
  #refused = false;
  #failed = false;
  #usage: ChatUsage | undefined;

  constructor(host: string) {
    const tracker = new StreamingToolCallTracker<CallDelta>(
      { enqueue: (part) => void this.parts.push(part) },
      {
        generateId,
        extractMetadata: ({ extra_content }) => {
          const thoughtSignature = extra_content?.google?.thought_signature;
          return thoughtSignature ? { [host]: { thoughtSignature } } : undefined;
        },
        buildToolCallProviderMetadata: (metadata) => metadata,
      },
    );
    this.#calls = new NamedCalls(tracker);
  }

  read(data: string): void {
    if (data === "[DONE]" || this.#failed) return;
    const chunk = parse(data);
    if (chunk.error !== undefined && chunk.error !== null) return this.#fail(chunk.error);
    this.#usage = chunk.usage ?? this.#usage;
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (typeof choice?.finish_reason === "string") this.#finishReason = choice.finish_reason;
    if (choice?.delta) this.#delta(choice.delta);
  }

  finish(): void {
    if (this.#failed) return;
    this.#close();
    this.#calls.finish();
    if (this.#finishReason === undefined)
      return this.#fail(new Error("The answer ended without a finish reason."));
    this.parts.push({
      type: "finish",
      finishReason: { unified: unified(this.#finishReason, this.#refused), raw: this.#finishReason },
      usage: toUsage(this.#usage ?? {}),
    });
  }

  #delta({ content, refusal, reasoning_content, reasoning, tool_calls }: Delta): void {
    this.#add("reasoning", textOf(reasoning_content) || textOf(reasoning));
    for (const { kind, text } of contentsOf(content)) this.#add(kind, text);
    if (textOf(refusal) !== "") this.#refused = true;
    this.#add("text", textOf(refusal));
    if (!Array.isArray(tool_calls) || tool_calls.length === 0) return;
    if (this.#open === "reasoning") this.#close();
    for (const call of tool_calls) this.#calls.add(call);
  }

  /** After what came before it: the words that had arrived are not lost. */
  #fail(error: unknown): void {
    this.#failed = true;
    this.parts.push({ type: "error", error });
  }

  #add(kind: Kind, delta: string): void {
    if (delta === "") return;
    if (this.#open !== kind) {
      this.#close();
      this.#open = kind;
      this.#blocks += 1;
      this.parts.push({ type: `${kind}-start`, id: this.#id() });
    }
    this.parts.push({ type: `${kind}-delta`, id: this.#id(), delta });
  }

  #close(): void {
    if (this.#open !== undefined) this.parts.push({ type: `${this.#open}-end`, id: this.#id() });
    this.#open = undefined;
  }

  #id(): string {
    return `${this.#open}-${this.#blocks}`;
  }
}

function parse(data: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(data);
    return typeof chunk === "object" && chunk !== null ? chunk : {};
  } catch {
    return { error: new Error(`The server sent an event that is not JSON: ${data.slice(0, 200)}`) };
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Nearly always a string; Mistral sends lists in which thinking stands beside text. */
function contentsOf(content: unknown): { readonly kind: Kind; readonly text: string }[] {
  if (!Array.isArray(content)) return [{ kind: "text", text: textOf(content) }];
  return content.map((part: { type?: unknown; text?: unknown; thinking?: unknown } | null) => {
    if (part?.type !== "thinking" || !Array.isArray(part.thinking))
      return { kind: "text", text: part?.type === "text" ? textOf(part.text) : "" };
    const thoughts = part.thinking.map((thought: { text?: unknown } | null) => textOf(thought?.text));
    return { kind: "reasoning", text: thoughts.join("") };
  });
}

function unified(reason: string, refused: boolean) {
  switch (reason) {
    case "stop":
      return refused ? "content-filter" : "stop";
    case "length":
      return "length";
    case "content_filter":
      return "content-filter";
    case "tool_calls":
    case "function_call":
      return "tool-calls";
    default:
      return "other";
  }
}

function toUsage(usage: ChatUsage): LanguageModelV4Usage {
  const input = usage.prompt_tokens ?? undefined;
  const output = usage.completion_tokens ?? undefined;
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? undefined;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? undefined;
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - (cacheRead ?? 0),
      cacheRead,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : Math.max(0, output - (reasoning ?? 0)),
      reasoning,
    },
  };
}
