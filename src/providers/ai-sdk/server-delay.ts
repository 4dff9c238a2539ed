/** How long the server asked us to wait: retry-after-ms, retry-after (seconds or a date), Google's RetryInfo. */
import type { Failure } from "./failure.ts";

export function serverDelayMs({ headers, body }: Failure, now: number = Date.now()): number | undefined {
  const milliseconds = number(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return milliseconds;
  const seconds = number(headers["retry-after"]);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(headers["retry-after"] ?? "");
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  const google = number(/"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]);
  return google === undefined ? undefined : Math.round(google * 1000);
}

function number(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
