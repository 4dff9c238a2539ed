/**
 * Reads whatever a provider package throws, or sends as an error in its stream, into the few facts that we
 * judge by. The packages' own classes are not needed for that, and an error event may be any JSON.
 */
export interface Failure {
  /** In the provider's own words. */
  readonly message: string;
  /** Undefined when the failure was not an HTTP answer: no connection, or an answer that broke. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the answer, or the codes of an error event: for recognising, not for showing. */
  readonly body: string;
  /** The codes of the system (ECONNREFUSED …), outermost first. */
  readonly codes: readonly string[];
}

const MAX_BODY_SHOWN = 300;

export function readFailure(error: unknown): Failure {
  const chain = causes(error);
  const fields = chain[0] ?? {};
  const body = typeof fields["responseBody"] === "string" ? fields["responseBody"] : safeJson(error);
  return {
    message: messageOf(chain, error, body),
    status: statusOf(fields),
    headers: isRecord(fields["responseHeaders"]) ? (fields["responseHeaders"] as Record<string, string>) : {},
    body,
    codes: chain.map((link) => link["code"]).filter((code) => typeof code === "string"),
  };
}

function messageOf(chain: readonly Fields[], error: unknown, body: string): string {
  if (typeof error === "string") return error;
  const messages = chain.flatMap(({ message }) =>
    typeof message === "string" && message !== "" ? [message] : [],
  );
  const told = messages.filter(
    (message, index) => !messages.slice(0, index).some((outer) => outer.includes(message)),
  );
  // The package gives the bare words of the status when the body was not in the provider's usual form.
  const status =
    /^(bad request|unauthorized|forbidden|not found|internal server error|bad gateway|service unavailable|too many requests)$/i;
  if (told.length === 0 || status.test(told.join("")))
    return [...told, visibleText(body)].filter(Boolean).join(": ");
  return told.join(": ");
}

/** Proxies answer in HTML. */
function visibleText(body: string): string {
  const text = body
    .replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > MAX_BODY_SHOWN ? `${text.slice(0, MAX_BODY_SHOWN)}…` : text;
}

type Fields = Readonly<Record<string, unknown>>;

/** The error, what it wraps under `error` (an event), and what caused it. */
function causes(error: unknown): Fields[] {
  const chain: Fields[] = [];
  let next = error;
  while (isRecord(next) && chain.length < 6 && !chain.includes(next)) {
    chain.push(next);
    next = next["cause"] ?? next["error"];
  }
  return chain;
}

/** An answer that had begun well (200) and then broke is not an HTTP failure. */
function statusOf(fields: Fields): number | undefined {
  const status = fields["statusCode"];
  return typeof status === "number" && status >= 300 ? status : undefined;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
