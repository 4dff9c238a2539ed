/**
 * Bytes that say they are text, as text, in whatever encoding they are. To be loaded by those who meet such bytes:
 * the tables of encodings are not needed at a start.
 */
import { cleanBase64 } from "./base64.ts";
import { decodeText } from "./text-encoding.ts";
import { isTextType } from "./text-type.ts";

/** Undefined for another type, for what is not base64, and for bytes that are no text after all. */
export function textOfBlob(contents: {
  readonly mimeType?: string;
  readonly blob: string;
}): string | undefined {
  if (!isTextType(contents.mimeType)) return undefined;
  if (contents.blob === "") return "";
  const clean = cleanBase64(contents.blob);
  return clean === undefined ? undefined : decodeText(Buffer.from(clean, "base64"))?.text;
}
