/**
 * The addresses of this server: `code://file/{file_path}` and `code://stats/{stats_type}`, both with a query.
 * A path is percent-decoded once. What a person types raw (a space, `#`, a lone `%`) is taken as it stands; a `?`
 * begins a query only when what follows is one that we know.
 */
import { shown } from "../../lib/safe-path.ts";
import { ResourceError } from "../kit/index.ts";

export type CodeUri =
  | { readonly kind: "file"; readonly path: string; readonly query: URLSearchParams }
  | { readonly kind: "stats"; readonly type: string; readonly query: URLSearchParams };

const FILE = "code://file/";
const STATS = "code://stats/";
const MAX_URI_CHARACTERS = 16_384;
const FILE_QUERY = new Set(["lines", "bytes"]);
export const STATS_QUERY = new Set(["language", "path", "limit", "cursor", "format", "detail"]);

export function parseCodeUri(uri: string): CodeUri {
  if (uri.length > MAX_URI_CHARACTERS) {
    throw new ResourceError("invalid", `Invalid URI format: ${shown(uri)} (${uri.length} characters)`);
  }
  if (/[\u0000-\u001f\u007f]/.test(uri))
    throw new ResourceError("invalid", `Invalid URI format: ${shown(uri)}`);
  if (uri.startsWith(FILE)) {
    const { head, query } = splitQuery(uri.slice(FILE.length), FILE_QUERY);
    return { kind: "file", path: decode(head), query };
  }
  if (uri.startsWith(STATS)) {
    const { head, query } = splitQuery(uri.slice(STATS.length), STATS_QUERY);
    return { kind: "stats", type: decode(head), query };
  }
  throw new ResourceError("invalid", `Invalid URI format: ${shown(uri)}`);
}

/** The canonical address of a project's file. */
export function fileUri(path: string, lines?: { readonly from: number; readonly to: number }): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return `${FILE}${encoded}${lines ? `?lines=${lines.from}-${lines.to}` : ""}`;
}

export function statsUri(type: string, query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString();
  return `${STATS}${type}${text === "" ? "" : `?${text}`}`;
}

function splitQuery(rest: string, known: ReadonlySet<string>): { head: string; query: URLSearchParams } {
  const mark = rest.lastIndexOf("?");
  if (mark >= 0) {
    const query = new URLSearchParams(rest.slice(mark + 1));
    if ([...query.keys()].some((key) => known.has(key))) return { head: rest.slice(0, mark), query };
  }
  return { head: rest, query: new URLSearchParams() };
}

/** What is no valid encoding (a lone `%`, overlong UTF-8) stands for itself: a file may have that name. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
