/** Words about bytes: what a file is, how large, and its text when it is one. */
import { cleanBase64 } from "../../lib/base64.ts";

const ALIASES: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
};

export function normalMimeType(mimeType: string): string {
  const bare = plain(mimeType.split(";", 1)[0] ?? "")
    .trim()
    .toLowerCase();
  return ALIASES[bare] ?? bare;
}

/** Nothing when the bytes are not UTF-8: they are binary, whatever they are called. */
export function decodeText(blob: string): string | undefined {
  const clean = blob === "" ? "" : cleanBase64(blob);
  if (clean === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(clean, "base64"));
  } catch {
    return undefined;
  }
}

export function describeSize(bytes: number): string {
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`;
}

/** A name or URI from outside stays on its line and cannot turn the text around. */
export function plain(value: string): string {
  return value.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
