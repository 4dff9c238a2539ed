/**
 * From anything that went wrong to a ModelError: which model, what happened in the provider's own words, what
 * can be done. The SDK's error is not kept as a cause, because it carries the whole request and its headers.
 */
import { ModelError, type ModelErrorCode } from "../model.ts";
import { redact } from "../redact.ts";
import { classify } from "./classify.ts";
import { readFailure } from "./failure.ts";
import { serverDelayMs } from "./server-delay.ts";

export interface ErrorContext {
  /** `provider/model`, for people. */
  readonly id: string;
  readonly signal: AbortSignal;
  readonly secrets: readonly string[];
}

export interface Judged {
  readonly error: ModelError;
  /** The message without the advice, for when we act on it ourselves. */
  readonly summary: string;
  /** Whether asking again may help. */
  readonly transient: boolean;
  /** Whether it may help to ask again without the pictures. */
  readonly aboutPictures: boolean;
}

const MAX_MESSAGE = 1_000;

export function judge(thrown: unknown, { id, signal, secrets }: ErrorContext): Judged {
  if (signal.aborted) {
    const summary = `${id}: cancelled.`;
    return { error: new ModelError("cancelled", summary), summary, transient: false, aboutPictures: false };
  }
  const clean = (text: string) => redact(text, secrets).slice(0, MAX_MESSAGE);
  // Our own: the stream broke off, or the model stopped in the middle of a call.
  if (thrown instanceof ModelError) {
    const summary = `${id}: ${clean(thrown.message)}`;
    return { error: new ModelError(thrown.code, summary), summary, transient: true, aboutPictures: false };
  }
  const failure = readFailure(thrown);
  const { code, transient, aboutPictures } = classify(failure);
  const status = failure.status === undefined ? "" : ` HTTP ${failure.status}:`;
  const said = clean(failure.message.trim() || "no explanation given").replace(/\.?$/, ".");
  const summary = `${id}:${status} ${said}`;
  const error = new ModelError(code, summary + ADVICE[code], { retryAfterMs: serverDelayMs(failure) });
  return { error, summary, transient, aboutPictures };
}

const ADVICE: Readonly<Record<ModelErrorCode, string>> = {
  auth: " Check the API key, and whether it may use this model.",
  "rate-limit": " Wait a little, or choose another model.",
  overload: " The provider is busy or broken: try again later.",
  "context-overflow": " The conversation is too long for this model.",
  credits: " The account cannot pay for this: check its billing.",
  refused: "",
  network: " Check the connection and the base URL.",
  protocol: "",
  cancelled: "",
};
