/**
 * `code://file/{file_path}`: a file of the project as text, with the encoding that was found, or as a blob when it
 * is no text. Large files are given in part, and the answer says how to read on; nothing is read whole to be cut.
 */
import { closeSync } from "node:fs";
import { type OpenedFile, openInside, SafePathError, type SafePathErrorCode } from "../../lib/safe-path.ts";
import { decodeText, detectEncoding } from "../../lib/text-encoding.ts";
import { type KitResourceContents, ResourceError, type ResourceErrorCode } from "../kit/index.ts";
import { readBytes, readLines } from "./file-part.ts";
import { mimeTypeOf } from "./mime.ts";
import type { Project } from "./project.ts";
import { fileUri } from "./uri.ts";

/** The most that one read gives; more goes by `?lines=` or `?bytes=`. */
export const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_BLOB_BYTES = 4 * 1024 * 1024;
const SAMPLE_BYTES = 64 * 1024;

export async function readFileResource(
  project: Project,
  uri: string,
  path: string,
  query: URLSearchParams,
  options: { readonly signal: AbortSignal },
): Promise<KitResourceContents[]> {
  const opened = openProjectFile(project.index().root, path);
  try {
    return await readOpened(opened, uri, query, options);
  } finally {
    closeSync(opened.fd);
  }
}

/** Opens a file of the project; what is wrong with a path comes as the document's error of its kind. */
export function openProjectFile(root: string, path: string): OpenedFile {
  try {
    return openInside(root, path, { absolute: "inside" });
  } catch (error) {
    if (!(error instanceof SafePathError)) throw error;
    const message =
      error.code === "outside" ? error.message.replace("the root", "the project") : error.message;
    throw new ResourceError(ERROR_KINDS[error.code], message);
  }
}

const ERROR_KINDS: Readonly<Record<SafePathErrorCode, ResourceErrorCode>> = {
  empty: "invalid",
  "null-byte": "invalid",
  "too-long": "invalid",
  traversal: "refused",
  absolute: "refused",
  "not-portable": "refused",
  outside: "refused",
  permission: "refused",
  "not-a-file": "refused",
  special: "refused",
  "not-found": "not-found",
  failed: "failed",
};

async function readOpened(
  opened: OpenedFile,
  uri: string,
  query: URLSearchParams,
  options: { readonly signal: AbortSignal },
): Promise<KitResourceContents[]> {
  const { stats, relative } = opened;
  const about = { size_bytes: stats.size, modified: stats.mtime.toISOString() };
  const byteRange = query.get("bytes");
  if (byteRange !== null) return readByteRange(opened, uri, byteRange, about);
  const sample = readBytes(opened.fd, 0, SAMPLE_BYTES);
  const detected = detectEncoding(stats.size <= SAMPLE_BYTES ? sample : wholeCharacters(sample));
  if (detected.kind === "binary") return readBinary(opened, uri, sample, about);
  const range = parseRange(query.get("lines"), "lines", 1);
  if (!range && stats.size <= MAX_TEXT_BYTES) {
    const bytes = readBytes(opened.fd, 0, MAX_TEXT_BYTES + 1);
    const decoded = decodeText(bytes, stats.size <= SAMPLE_BYTES ? detected : detectEncoding(bytes));
    if (!decoded) return readBinary(opened, uri, sample, about);
    const { text, encoding, bomBytes, lossy } = decoded;
    const _meta = { encoding, ...(bomBytes > 0 && { bom: true }), ...(lossy && { lossy }), ...about };
    return [{ uri, mimeType: mimeTypeOf(relative), text, _meta }];
  }
  const part = await readLines(opened.fd, {
    encoding: detected.encoding,
    bomBytes: detected.bomBytes,
    ending: !sample.includes(0x0a) && sample.includes(0x0d) ? 0x0d : 0x0a,
    from: range?.from ?? 1,
    to: range?.to ?? Number.POSITIVE_INFINITY,
    maxBytes: MAX_TEXT_BYTES,
    signal: options.signal,
  });
  const _meta = { encoding: detected.encoding, lines: `${part.from}-${part.to}`, ...about };
  const contents: KitResourceContents[] = [{ uri, mimeType: mimeTypeOf(relative), text: part.text, _meta }];
  if (part.cut) contents.push(readOn(relative, part.to, range?.to, stats.size));
  return contents;
}

/** Said in a content of its own, because clients show contents to a model and keep `_meta` to themselves. */
function readOn(path: string, last: number, wantedTo: number | undefined, size: number): KitResourceContents {
  const span = 5000;
  const to = wantedTo !== undefined && Number.isFinite(wantedTo) ? wantedTo : last + span;
  const uri = fileUri(path, { from: last + 1, to });
  const text = `[cut after line ${last}: the file has ${size} bytes and one read gives at most ${MAX_TEXT_BYTES}. Read on: ${uri}]`;
  return { uri, mimeType: "text/plain", text };
}

function readByteRange(opened: OpenedFile, uri: string, text: string, about: object): KitResourceContents[] {
  const range = parseRange(text, "bytes", 0);
  if (!range) throw new ResourceError("invalid", "bytes= is empty. Use bytes=0-65535");
  const length = Math.min(range.to - range.from + 1, MAX_BLOB_BYTES);
  const bytes = readBytes(opened.fd, range.from, length);
  const _meta = { bytes: `${range.from}-${range.from + bytes.length - 1}`, ...about };
  return [{ uri, mimeType: "application/octet-stream", blob: bytes.toString("base64"), _meta }];
}

function readBinary(opened: OpenedFile, uri: string, sample: Buffer, about: object): KitResourceContents[] {
  const { stats, relative } = opened;
  const mimeType = mimeTypeOf(relative, sample);
  if (stats.size > MAX_BLOB_BYTES) {
    throw new ResourceError(
      "refused",
      `Binary file (${mimeType}, ${stats.size} bytes) is over the limit of ${MAX_BLOB_BYTES}: ${relative}. Read a part of it: ${fileUri(relative)}?bytes=0-65535`,
    );
  }
  return [
    { uri, mimeType, blob: readBytes(opened.fd, 0, MAX_BLOB_BYTES).toString("base64"), _meta: { ...about } },
  ];
}

/** `10-50`, `10-`, `10`; undefined when absent. */
function parseRange(
  text: string | null,
  name: string,
  first: number,
): { from: number; to: number } | undefined {
  if (text === null || text === "") return undefined;
  const match = /^(\d{1,15})(?:(-)(\d{1,15})?)?$/.exec(text);
  const from = Number(match?.[1]);
  const to =
    match?.[3] !== undefined ? Number(match[3]) : match?.[2] !== undefined ? Number.POSITIVE_INFINITY : from;
  if (!match || from < first || to < from) {
    throw new ResourceError(
      "invalid",
      `Invalid ${name}: ${text.slice(0, 80)}. Use ${name}=10-50, ${name}=10- or ${name}=10`,
    );
  }
  return { from, to };
}

/** A sample may end within a character: it is cut at a line end near its end, else before its last high bytes. */
function wholeCharacters(sample: Buffer): Buffer {
  let end = sample.lastIndexOf(0x0a) + 1;
  if (end > sample.length - 4096) return sample.subarray(0, end);
  end = sample.length;
  while (end > sample.length - 8 && (sample[end - 1] as number) >= 0x80) end -= 1;
  return sample.subarray(0, end);
}
