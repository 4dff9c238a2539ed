/** Arguments that several tools of this server take, checked in one way. */

import { closeSync } from "node:fs";
import { resolveInside, SafePathError } from "../../../lib/safe-path.ts";
import { decodeText } from "../../../lib/text-encoding.ts";
import { ResourceError } from "../../kit/index.ts";
import { readBytes } from "../file-part.ts";
import { openProjectFile } from "../file-resource.ts";
import { languageByContent, languageName, languageOfPath, languageOfShebang } from "../languages/index.ts";
import { parseCodeUri } from "../uri.ts";

/** Something in the arguments that the caller can correct. The message says how. */
export class ToolInputError extends Error {
  override readonly name = "ToolInputError";
}

/** A folder (or file) below which to look, from the root; undefined for the whole project. */
export function folderInside(root: string, path: string | undefined): string | undefined {
  if (path === undefined || path === "" || path === "." || path === "./") return undefined;
  try {
    const { relative } = resolveInside(root, path, { absolute: "inside" });
    return relative === "" ? undefined : relative;
  } catch (error) {
    if (!(error instanceof SafePathError)) throw error;
    throw new ToolInputError(
      `${error.message.replace("the root", "the project").replace("File not found", "No such folder")}. Give a path from the project's root.`,
    );
  }
}

export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const match = /^at:(\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (!match)
    throw new ToolInputError(`Invalid cursor "${cursor.slice(0, 80)}". Leave it out to begin again.`);
  return Number(match[1]);
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly language: string | undefined;
}

const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

/** A file of the project as text, by its path or its `code://file` address. */
export function readSource(root: string, pathOrUri: string): SourceFile {
  const path = pathOrUri.startsWith("code://") ? pathOf(pathOrUri) : pathOrUri;
  try {
    const opened = openProjectFile(root, path);
    try {
      if (opened.stats.size > MAX_SOURCE_BYTES) {
        throw new ToolInputError(
          `${opened.relative} has ${opened.stats.size} bytes, more than the ${MAX_SOURCE_BYTES} that can be analysed. Read a part of it: code://file/…?lines=1-500`,
        );
      }
      const bytes = readBytes(opened.fd, 0, MAX_SOURCE_BYTES);
      const decoded = decodeText(bytes);
      if (!decoded) throw new ToolInputError(`${opened.relative} is a binary file.`);
      return { path: opened.relative, text: decoded.text, language: languageOf(opened.relative, bytes) };
    } finally {
      closeSync(opened.fd);
    }
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    throw new ToolInputError(
      `${error.message}. Give the path of a file from the project's root; find_and_grep finds it.`,
    );
  }
}

function pathOf(uri: string): string {
  const parsed = parseCodeUri(uri);
  if (parsed.kind !== "file")
    throw new ToolInputError(`${uri} is no file. Give a code://file address or a path.`);
  return parsed.path;
}

function languageOf(path: string, bytes: Buffer): string | undefined {
  let number = languageOfPath(path);
  number =
    number < 0
      ? languageOfShebang(bytes, bytes.length)
      : languageByContent(number, path, bytes, bytes.length);
  return number < 0 ? undefined : languageName(number);
}
