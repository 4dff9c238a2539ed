/**
 * Turns whatever a provider package throws into a ModelError: what failed, in the provider's own words, and
 * what can be done. The SDK's error is not kept as a cause, because it carries the whole request.
 */
import { ModelError, type ModelErrorCode } from "../model.ts";
import { redact } from "../redact.ts";

export interface ErrorContext {
  /** `provider/model`, for people. */
  readonly id: string;
  readonly signal: AbortSignal;
  readonly secrets: readonly string[];
}

/** The fields of the SDK's APICallError that we read; a stream's error event may be any JSON. */
interface Failure {
  readonly message: string;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const MAX_MESSAGE = 1000;

export function toModelError(error: unknown, { id, signal, secrets }: ErrorContext): ModelError {
  if (signal.aborted) return new ModelError("cancelled", `${id}: cancelled.`);
  const clean = (text: string) => redact(text, secrets).slice(0, MAX_MESSAGE);
  if (error instanceof ModelError)
    return new ModelError(error.code, `${id}: ${clean(error.message)}`, { retryAfterMs: error.retryAfterMs });
  const failure = readFailure(error);
  const code = classify(failure);
  const status = failure.status === undefined ? "" : ` (HTTP ${failure.status})`;
  const said = clean(failure.message.trim() || failure.body.trim() || "no explanation given");
  return new ModelError(code, `${id}${status}: ${said}${ADVICE[code]}`, {
    retryAfterMs: retryAfterMs(failure),
  });
}

const ADVICE: Readonly<Record<ModelErrorCode, string>> = {
  auth: " Check the API key and whether it may use this model.",
  "rate-limit": " Wait a little, or use another model.",
  overload: " The provider is busy: try again later.",
  "context-overflow": " The conversation is too long for this model.",
  credits: " The account cannot pay for this request: check its billing.",
  refused: "",
  network: " Check the connection and the base URL.",
  protocol: "",
  cancelled: "",
};

const CONTEXT_OVERFLOW =
  /context.?(length|window|size)|maximum context|too many (input )?tokens|prompt is too long|input.{0,20}(is )?too long|exceeds?.{0,40}(token|context)|token count.{0,40}exceeds|reduce the length|request_too_large/i;
const CREDITS =
  /insufficient.?(quota|credit|balance|funds)|credit balance|billing|payment.?required|exceeded your current quota|out of credits/i;
const REFUSED = /content.?(policy|filter|management)|safety|prohibited|responsible.?ai/i;
const OVERLOADED = /overloaded|over capacity|temporarily unavailable|try again later/i;
const RATE_LIMITED = /rate.?limit|too many requests|resource.?exhausted/i;
const BAD_KEY =
  /invalid.{0,10}api.?key|incorrect api key|api key not valid|authentication|unauthorized|permission/i;

function classify({ status, message, body }: Failure): ModelErrorCode {
  const words = `${message}\n${body}`;
  switch (status) {
    case undefined:
      return classifyWords(words) ?? "protocol";
    case 401:
    case 403:
      return CREDITS.test(words) && !BAD_KEY.test(words) ? "credits" : "auth";
    case 402:
      return "credits";
    case 413:
      return "context-overflow";
    case 429:
      return /insufficient.?quota|credit|out of funds/i.test(words) ? "credits" : "rate-limit";
    case 408:
    case 409:
    case 425:
      return "network";
    default:
      break;
  }
  if (status >= 500) return "overload";
  return classifyWords(words) ?? "protocol";
}

function classifyWords(words: string): ModelErrorCode | undefined {
  if (CONTEXT_OVERFLOW.test(words)) return "context-overflow";
  if (CREDITS.test(words)) return "credits";
  if (BAD_KEY.test(words)) return "auth";
  if (RATE_LIMITED.test(words)) return "rate-limit";
  if (OVERLOADED.test(words)) return "overload";
  if (REFUSED.test(words)) return "refused";
  if (NETWORK.test(words)) return "network";
  return undefined;
}

const NETWORK =
  /ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|socket hang up|terminated|cannot connect|ended without a finish|broke off|certificate|timed? ?out/i;

function readFailure(error: unknown): Failure {
  const fields = isRecord(error) ? error : {};
  const causes = causeMessages(fields["cause"]);
  const inner = isRecord(fields["error"]) ? fields["error"] : fields;
  const message = inner["message"] ?? fields["message"];
  const own = typeof message === "string" ? message : typeof error === "string" ? error : safeJson(error);
  return {
    message: [own, ...causes.filter((cause) => !own.includes(cause))].join(": "),
    status: statusOf(fields),
    headers: isRecord(fields["responseHeaders"]) ? (fields["responseHeaders"] as Record<string, string>) : {},
    body: typeof fields["responseBody"] === "string" ? fields["responseBody"] : codesOf(inner),
  };
}

function causeMessages(cause: unknown, depth = 0): string[] {
  if (!isRecord(cause) || depth > 4) return [];
  const message = typeof cause["message"] === "string" ? [cause["message"]] : [];
  return [...message, ...causeMessages(cause["cause"], depth + 1)];
}

/** An answer that had begun well (200) and then broke is not an HTTP failure. */
function statusOf(fields: Readonly<Record<string, unknown>>): number | undefined {
  const status = fields["statusCode"];
  return typeof status === "number" && status >= 300 ? status : undefined;
}

function codesOf(fields: Readonly<Record<string, unknown>>): string {
  return ["type", "code", "status"]
    .map((key) => fields[key])
    .filter((value) => typeof value === "string")
    .join(" ");
}

/** The server's own delay: retry-after in seconds or as a date, retry-after-ms, Google's RetryInfo. */
function retryAfterMs({ headers, body }: Failure): number | undefined {
  const milliseconds = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && milliseconds >= 0) return milliseconds;
  const after = headers["retry-after"];
  if (after !== undefined) {
    const seconds = Number(after);
    if (seconds >= 0) return seconds * 1000;
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  }
  const google = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body);
  return google?.[1] === undefined ? undefined : Math.round(Number(google[1]) * 1000);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
