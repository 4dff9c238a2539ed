/**
 * Where Anthropic shall cache: after the tools, after the system prompt, after the newest message, and after
 * the message that was newest in the last turn, because a look back for a known prefix goes 20 blocks at most.
 * Four marks is all a request may have. A mark is no part of the prefix that is compared.
 */
import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";

export const CACHE_MARK: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

export function markForCaching(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const newest = prompt.length - 1;
  const lastAnswer = prompt.findLastIndex((message) => message.role === "assistant");
  const marked = new Set([newest, lastAnswer - 1]);
  return prompt.map((message, index) =>
    message.role === "system" || marked.has(index) ? { ...message, providerOptions: CACHE_MARK } : message,
  );
}
