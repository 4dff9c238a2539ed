/**
 * The working directory's files and the environment as resources. Any file inside can be read by its file URI;
 * the listing names the top-level files and the outputs that shell kept, page by page. What lies outside the
 * working directory is refused, whatever the tools may do.
 */
import { closeSync, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type OpenedFile, SafePathError } from "../../lib/safe-path.ts";
import { decodeText } from "../../lib/text-encoding.ts";
import {
  type CompletionRequest,
  type KitResource,
  type KitResourceContents,
  ResourceError,
  type ResourcePage,
  type ResourceProvider,
} from "../kit/resource.ts";
import { formatBytes } from "./amounts.ts";
import { ENVIRONMENT_URI, type EnvironmentSummary } from "./environment.ts";
import { sniffType, typeByName } from "./files/file-type.ts";
import { readBytes } from "./files/read-bytes.ts";
import { readSortedNames } from "./files/sorted-names.ts";
import type { Workspace } from "./files/workspace.ts";
import type { PrivateFolder } from "./private-folder.ts";
import { toPlainText } from "./shell/plain-text.ts";

export interface DeveloperResourcesOptions {
  readonly workspace: Workspace;
  readonly folder: PrivateFolder;
  readonly environment: EnvironmentSummary;
  /** Somebody wants to hear of changes. */
  startWatching(): void;
}

const TEMPLATE = "file:///{+path}";
const PAGE_SIZE = 100;
const MAX_BYTES = 4 * 1024 * 1024;
/** What a command printed is nowhere else; a host reads it by parts, and asks for all of it each time. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const MAX_URI_CHARACTERS = 8192;
const MAX_COMPLETIONS = 100;
const never = new AbortController().signal;

export class DeveloperResources implements ResourceProvider {
  readonly templates = [
    {
      uriTemplate: TEMPLATE,
      name: "file",
      title: "A file of the working directory",
      description: "The absolute path of a file inside the working directory, percent-encoded",
    },
  ];
  readonly #workspace: Workspace;
  readonly #folder: PrivateFolder;
  readonly #environment: EnvironmentSummary;
  readonly startWatching: () => void;

  constructor({ workspace, folder, environment, startWatching }: DeveloperResourcesOptions) {
    this.#workspace = workspace;
    this.#folder = folder;
    this.#environment = environment;
    this.startWatching = startWatching;
  }

  /** The cursor is the last name of the page before: pages hold together while files come and go. */
  async list({ cursor, signal }: { cursor?: string; signal: AbortSignal }): Promise<ResourcePage> {
    const { root } = this.#workspace;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const found = await readSortedNames({
      folder: root,
      ...(after !== undefined && { after }),
      limit: PAGE_SIZE,
      accept: () => true,
      signal,
    });
    const files = found.names.flatMap((name) => describeFile(join(root, name), 0.5));
    const last = found.names.at(-1);
    return {
      resources: cursor === undefined ? [describeEnvironment(), ...this.#outputs(), ...files] : files,
      ...(found.remaining > 0 && last !== undefined && { nextCursor: encodeCursor(last) }),
    };
  }

  async read(uri: string): Promise<readonly KitResourceContents[]> {
    if (uri === ENVIRONMENT_URI) {
      return [{ uri, mimeType: "text/plain", text: await this.#environment.text() }];
    }
    const path = pathOf(uri);
    try {
      const file = this.#workspace.openInside(path);
      try {
        return [this.#workspace.isKept(file.path) ? readOutput(uri, file) : readContents(uri, file)];
      } finally {
        closeSync(file.fd);
      }
    } catch (error) {
      throw error instanceof SafePathError ? asResourceError(error) : error;
    }
  }

  async complete({ template, variable, value }: CompletionRequest): Promise<readonly string[]> {
    if (template !== TEMPLATE || variable !== "path") return [];
    const { root } = this.#workspace;
    // The template holds the first slash already.
    const typed = decodeIfValid(`/${value.replace(/^\/+/, "")}`);
    const wanted = typed === undefined || !typed.startsWith(`${root}/`) ? `${root}/` : typed;
    const folder = wanted.slice(0, wanted.lastIndexOf("/"));
    const prefix = wanted.slice(folder.length + 1);
    try {
      const inside = this.#workspace.resolveInside(folder === "" ? "/" : folder).path;
      const found = await readSortedNames({
        folder: inside,
        limit: MAX_COMPLETIONS,
        accept: (name) => name.startsWith(prefix) && (prefix !== "" || !name.startsWith(".")),
        signal: never,
      });
      return found.names.map((name) => {
        const path = join(folder, name);
        const slash = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ? "/" : "";
        return pathToFileURL(path).pathname.slice(1) + slash;
      });
    } catch {
      // A folder that is not there, or outside: nothing to offer.
      return [];
    }
  }

  #outputs(): readonly KitResource[] {
    const folder = this.#folder.existing;
    if (folder === undefined) return [];
    const names = readdirSync(folder).filter((name) => name.startsWith("output-"));
    return names.slice(-PAGE_SIZE).flatMap((name) => describeFile(join(folder, name), 0.3));
  }
}

function describeEnvironment(): KitResource {
  return {
    uri: ENVIRONMENT_URI,
    name: "environment",
    title: "Environment",
    description: "Working directory, git branch, system, shell and tool versions",
    mimeType: "text/plain",
    annotations: { audience: ["user", "assistant"], priority: 0.8 },
  };
}

/** Nothing for what is no regular file. */
function describeFile(path: string, priority: number): readonly KitResource[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return [];
  const mimeType = typeByName(path);
  return [
    {
      uri: pathToFileURL(path).href,
      name: basename(path),
      ...(mimeType !== undefined && { mimeType }),
      size: stats.size,
      annotations: { priority, lastModified: stats.mtime.toISOString() },
    },
  ];
}

function readOutput(uri: string, file: OpenedFile): KitResourceContents {
  refuseIfTooLarge(file, MAX_OUTPUT_BYTES);
  const bytes = readBytes(file.fd, 0, file.stats.size);
  return { uri, mimeType: "text/plain", text: toPlainText(bytes) };
}

function readContents(uri: string, file: OpenedFile): KitResourceContents {
  refuseIfTooLarge(file, MAX_BYTES);
  const bytes = readBytes(file.fd, 0, file.stats.size);
  const sniffed = sniffType(bytes);
  const decoded = sniffed === undefined ? decodeText(bytes) : undefined;
  if (decoded === undefined) {
    return { uri, mimeType: sniffed ?? "application/octet-stream", blob: bytes.toString("base64") };
  }
  return {
    uri,
    mimeType: textTypeByName(file.path),
    text: decoded.text,
    _meta: { encoding: decoded.encoding, ...(decoded.lossy && { lossy: true }) },
  };
}

function refuseIfTooLarge(file: OpenedFile, maxBytes: number): void {
  const { size } = file.stats;
  if (size > maxBytes) {
    throw new ResourceError(
      "refused",
      `${file.relative} has ${formatBytes(size)}; a resource gives at most ${formatBytes(maxBytes)} at once. ` +
        "Read it in parts with the tool read_file (start_line, limit).",
    );
  }
}

/** A name may promise a picture while the bytes are text: then it is text. */
function textTypeByName(path: string): string {
  const type = typeByName(path) ?? "text/plain";
  return /^(image\/(?!svg)|audio\/|video\/|application\/(pdf|zip|gzip|wasm))/.test(type)
    ? "text/plain"
    : type;
}

function pathOf(uri: string): string {
  if (uri.length > MAX_URI_CHARACTERS) {
    throw new ResourceError(
      "invalid",
      `The URI is too long: ${uri.length} characters, at most ${MAX_URI_CHARACTERS}`,
    );
  }
  if (/[\u0000-\u0020\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\\]/.test(uri)) {
    throw new ResourceError(
      "invalid",
      "The URI holds control characters, blanks or backslashes: percent-encode them",
    );
  }
  if (!/^file:\/\/\//i.test(uri)) {
    throw new ResourceError("invalid", `Not a resource of this server: file:///… and ${ENVIRONMENT_URI} are`);
  }
  // The URL parser folds `..` away; a path that has it is refused as such, encoded or not.
  if (/(^|\/)(\.|%2e){2}(\/|$)/i.test(uri) || /[?#]/.test(uri)) {
    throw new ResourceError(
      "refused",
      "The URI holds .. segments, a query or a fragment: name the file itself",
    );
  }
  try {
    return fileURLToPath(uri);
  } catch (error) {
    throw new ResourceError("invalid", `The URI is malformed: ${(error as Error).message}`);
  }
}

function asResourceError(error: SafePathError): ResourceError {
  switch (error.code) {
    case "not-found":
      return new ResourceError("not-found", error.message);
    case "empty":
    case "null-byte":
    case "too-long":
      return new ResourceError("invalid", error.message);
    case "traversal":
    case "absolute":
    case "not-portable":
    case "outside":
    case "permission":
    case "special":
      return new ResourceError("refused", error.message);
    case "not-a-file":
      return new ResourceError("refused", `${error.message}; list_files shows what is in it`);
    case "failed":
      return new ResourceError("failed", error.message);
    default:
      return error.code satisfies never;
  }
}

function encodeCursor(name: string): string {
  return Buffer.from(name, "utf8").toString("base64url");
}

function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString("utf8");
}

function decodeIfValid(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
