/**
 * Which kind of failure it is. The status decides where it is clear; the words of the providers decide the
 * rest, because a context that is too long is a plain 400 nearly everywhere. Each pattern is somebody's text.
 */
import type { ModelErrorCode } from "../model.ts";
import type { Failure } from "./failure.ts";

export interface Verdict {
  readonly code: ModelErrorCode;
  /** Whether asking again may help. */
  readonly transient: boolean;
  /** Whether the pictures are to blame: the model sees none, or one of them cannot be read. */
  readonly aboutPictures: boolean;
}

export function classify(failure: Failure): Verdict {
  const words = `${failure.message}\n${failure.body}`;
  if (failure.status === undefined) return classifyBroken(failure, words);
  const code = codeOf(failure.status, words);
  const mayPass = code === "rate-limit" || code === "overload" || code === "network";
  const aboutPictures = code === "protocol" && /image|vision|multi-?modal/i.test(words);
  return { code, transient: mayPass, aboutPictures };
}

function codeOf(status: number, words: string): ModelErrorCode {
  switch (status) {
    case 401:
      return "auth";
    case 402:
      return "credits";
    case 403:
      if (CREDITS.test(words)) return "credits";
      return REFUSED.test(words) ? "refused" : "auth";
    case 408:
    case 409:
    case 425:
      return "network";
    case 413:
      return RATE_LIMITED.test(words) ? "rate-limit" : "context-overflow";
    case 429:
      if (OVERFLOW.test(words) && !RATE_LIMITED.test(words)) return "context-overflow";
      return CREDITS.test(words) ? "credits" : "rate-limit";
    default:
      break;
  }
  // Local servers also say 500 when the context is too small.
  if (OVERFLOW.test(words)) return "context-overflow";
  if (status >= 500) return "overload";
  return fromWords(words) ?? "protocol";
}

function classifyBroken({ codes }: Failure, words: string): Verdict {
  const verdict = (code: ModelErrorCode, transient: boolean) => ({ code, transient, aboutPictures: false });
  // A key that cannot even be sent.
  if (codes.includes("ERR_INVALID_CHAR")) return verdict("auth", false);
  if (codes.some((code) => HOPELESS.has(code))) return verdict("network", false);
  const code = fromWords(words);
  if (code === undefined) return verdict("protocol", !/redirects to|not a protocol/.test(words));
  return verdict(code, code === "network" || code === "overload" || code === "rate-limit");
}

function fromWords(words: string): ModelErrorCode | undefined {
  for (const [pattern, code] of WORDS) if (pattern.test(words)) return code;
  return undefined;
}

/** Nobody there, or nobody we may trust: asking again at once changes nothing. */
const HOPELESS = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EIDLE", // our own, after five minutes of silence
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

const OVERFLOW = new RegExp(
  [
    "context_length_exceeded", // OpenAI, Cerebras
    "maximum context length", // OpenAI, vLLM, Mistral, OpenRouter, DeepSeek
    "exceeds? the (available )?context (window|size|length)", // OpenAI responses, llama.cpp
    "prompt is too long", // Anthropic
    "exceed(s|ed)? context limit", // Anthropic: input length and max_tokens
    "request_too_large", // Anthropic, 413
    "input token count.{0,40}exceeds the maximum", // Google
    "exceed_context_size_error", // llama.cpp
    "maximum prompt length is", // xAI
    "reduce the length of the messages", // Groq
    "context (the )?overflows|greater than the context length", // LM Studio
    "tokens? .{0,40}must be <=", // Together
    "input is too long", // Bedrock behind a proxy
    "context window exceeds limit|exceeded model token limit", // MiniMax, Kimi
    "too large for model with \\d+ maximum context", // Mistral
  ].join("|"),
  "i",
);
const CREDITS =
  /insufficient.?(quota|credits?|balance|funds)|credit balance|exceeded your current quota|out of credits|payment.?required|billing.{0,20}(hard )?limit|requires more credits/i;
const BAD_KEY =
  /(invalid|incorrect|missing|no) .{0,10}api.?key|api key not valid|api_key_invalid|authentication_error|unauthori[sz]ed/i;
const RATE_LIMITED =
  /rate.?limit|too many requests|resource.?exhausted|tokens per minute|requests per minute/i;
const OVERLOADED =
  /overloaded|over capacity|temporarily unavailable|server_error|internal server error|internal error|UNAVAILABLE\b/;
const REFUSED =
  /content.?(policy|filter|management)|blocked.{0,20}(safety|policy)|safety.?(system|filter|settings)|prohibited.?content/i;
const BROKEN =
  /ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|socket hang up|terminated|broke off|ended without|timed? ?out|aborted/i;

const WORDS: readonly (readonly [RegExp, ModelErrorCode])[] = [
  [OVERFLOW, "context-overflow"],
  [CREDITS, "credits"],
  [BAD_KEY, "auth"],
  [RATE_LIMITED, "rate-limit"],
  [OVERLOADED, "overload"],
  [REFUSED, "refused"],
  [BROKEN, "network"],
];
