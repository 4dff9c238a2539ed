/**
 * `GET /picture/{wakashuName}/{edition}/{rank}`: a picture for the page. A browser gets the file's own bytes when
 * they are of a kind it shows and not needlessly large, else a JPEG; `?original` asks for the file whatever it is.
 * The type sent is the one found in the bytes, and nothing that is no picture is ever sent.
 */
import type { ServerResponse } from "node:http";
import type { HttpRoute } from "../kit/index.ts";
import { FileProblem } from "./files.ts";
import { LibraryError } from "./library.ts";
import { readInteger } from "./names.ts";
import type { PictureInfo } from "./pictures.ts";
import type { Shelf } from "./post-picture.ts";
import { findPost } from "./resource-read.ts";
import type { WakashuParts } from "./server.ts";

export const PICTURE_PATH = "/picture/";
/** Below this the original is sent even where a smaller one would do. */
const SMALL_BYTES = 256 * 1024;
const PAGE_SIDE = 1024;
const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "private, no-cache",
} as const;

export function createPictureRoute({ shelf }: WakashuParts): HttpRoute {
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    try {
      const picture = find(shelf, pathname.slice(PICTURE_PATH.length));
      if (!picture) refuse(response, "そのような画像はありません。");
      else
        await send(shelf, picture, searchParams.has("original"), request.headers["if-none-match"], response);
    } catch (error) {
      if (!(error instanceof FileProblem) && !(error instanceof LibraryError)) throw error;
      refuse(response, error.message);
    }
    return true;
  };
}

function find(shelf: Shelf, rest: string): PictureInfo | undefined {
  const [wakashuName, editionText, rank, ...more] = rest.split("/").map(decoded);
  const edition = readInteger(editionText);
  if (wakashuName === undefined || edition === undefined || rank === undefined || more.length > 0)
    return undefined;
  const post = findPost(shelf.library, { wakashuName, edition, rank });
  const file = post && shelf.library.files(post).picture;
  return file && shelf.pictures.inspect(file);
}

async function send(
  { pictures }: Shelf,
  info: PictureInfo,
  original: boolean,
  known: string | undefined,
  response: ServerResponse,
): Promise<void> {
  const problem = pictures.tooLarge(info);
  if (problem !== undefined) return refuse(response, problem);
  const { format, size } = info.header;
  const shrinks = Math.max(size?.width ?? 0, size?.height ?? 0) > PAGE_SIDE && info.stats.size > SMALL_BYTES;
  const asIs = original || (format !== "heic" && !shrinks);
  const { ino, mtimeMs, ctimeMs, size: bytes } = info.stats;
  const etag = `"${[ino, bytes, mtimeMs, ctimeMs].map((part) => part.toString(36)).join("-")}${asIs ? "" : "-j"}"`;
  if (known === etag) return void response.writeHead(304, { ...HEADERS, ETag: etag }).end();
  const body = asIs ? await pictures.read(info.file) : (await pictures.jpeg(info, PAGE_SIDE)).base64.raw;
  response.writeHead(200, {
    ...HEADERS,
    ETag: etag,
    "Content-Type": asIs ? info.header.mimeType : "image/jpeg",
    "Content-Length": body.length,
    "Content-Disposition": `inline; filename*=UTF-8''${encodeURIComponent(info.file.name)}`,
  });
  response.end(body);
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(404, { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" });
  response.end(`${message}\n`);
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
