/** Reads a file that the person attached, inside the working directory: as text in whatever encoding, or as bytes. */
import { closeSync, readSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { ResourceContents } from "../conversation/index.ts";
import { sniffPicture } from "../lib/picture-header.ts";
import { openInside, shown } from "../lib/safe-path.ts";
import { decodeText } from "../lib/text-encoding.ts";

/** Of one file; more would push everything else out of the context. */
const MAX_TEXT_BYTES = 400_000;
const MAX_PICTURE_BYTES = 20_000_000;

/** Throws SafePathError for what may not be opened, and Error for what is too large or no text. */
export function readAttachedFile(
  root: string,
  path: string,
  options: { readonly only?: "check" } = {},
): ResourceContents {
  const file = openInside(root, path, { absolute: "inside" });
  const uri = pathToFileURL(file.path).href;
  try {
    if (options.only === "check") return { uri, text: "" };
    if (file.stats.size > MAX_PICTURE_BYTES) throw tooLarge(path, file.stats.size);
    const bytes = Buffer.alloc(file.stats.size);
    const length = readSync(file.fd, bytes, 0, bytes.length, 0);
    return toContents(uri, path, bytes.subarray(0, length));
  } finally {
    closeSync(file.fd);
  }
}

function toContents(uri: string, path: string, bytes: Buffer): ResourceContents {
  const picture = sniffPicture(bytes);
  if (picture && picture.mimeType !== "image/svg+xml")
    return { uri, mimeType: picture.mimeType, blob: bytes.toString("base64") };
  if (bytes.length > MAX_TEXT_BYTES) throw tooLarge(path, bytes.length);
  const text = decodeText(bytes)?.text;
  if (text === undefined)
    throw new Error(`@${shown(path)} was not attached: it is neither text nor a picture.`);
  return { uri, mimeType: "text/plain", text };
}

function tooLarge(path: string, size: number): Error {
  return new Error(
    `@${shown(path)} was not attached: it has ${size} bytes. With the developer extension it can be read by parts.`,
  );
}
