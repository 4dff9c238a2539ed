/**
 * Changes single entries of a YAML text and leaves every other byte as the person wrote it: comments, order, quotes,
 * line ends. An edit is cut into the text and then read back; where the text is written in a way that cannot be cut
 * (flow maps, anchors), the whole document is written anew by the YAML library, which keeps comments and order.
 * Pure. What the values mean is not known here.
 */
import { isDeepStrictEqual } from "node:util";
import type { Pair, ParsedNode, YAMLMap } from "yaml";
import { type Document, isAlias, isCollection, isMap, isNode, isPair, isScalar, parseDocument } from "yaml";
import { renderEntry, renderScalar, styleOf, type YamlStyle } from "./yaml-render.ts";

export type YamlValue =
  | string
  | number
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };

export type YamlEdit =
  | { readonly type: "set"; readonly path: readonly string[]; readonly value: YamlValue }
  | { readonly type: "delete"; readonly path: readonly string[] };

/**
 * `text` must be valid YAML. A path that is not there is not deleted, and that is no mistake.
 * Throws where an alias (`*name`) stands in the way: only the person knows which of its places is meant.
 */
export function editYaml(text: string, edits: readonly YamlEdit[]): string {
  return edits.reduce(applyEdit, text);
}

function applyEdit(text: string, edit: YamlEdit): string {
  const document = parseDocument(text);
  const style = styleOf(document, text);
  const spliced = splice(text, document, edit, style);
  try {
    editDocument(document, edit);
    if (spliced !== undefined && readsAs(spliced, document)) return spliced;
    const written = document.toString({ lineWidth: 0, indent: style.indent, indentSeq: style.indentSeq });
    return written.replaceAll("\n", style.eol);
  } catch {
    throw new Error(`${edit.path.join(".")} is shared by an alias ("*name"): change it by hand.`);
  }
}

function editDocument(document: Document, edit: YamlEdit): void {
  const path = existingPath(document, edit.path);
  if (edit.type === "delete") {
    if (document.hasIn(path)) document.deleteIn(path);
    return;
  }
  for (let length = 1; length < path.length; length++) {
    const outer = path.slice(0, length);
    if (document.hasIn(outer) && document.getIn(outer) === null)
      document.setIn(outer, document.createNode({}));
  }
  document.setIn(path, document.createNode(edit.value));
}

function readsAs(text: string, expected: Document): boolean {
  const read = parseDocument(text);
  return read.errors.length === 0 && isDeepStrictEqual(read.toJS() ?? {}, expected.toJS() ?? {});
}

/** Undefined where the text cannot be cut. */
function splice(text: string, document: Document, edit: YamlEdit, style: YamlStyle): string | undefined {
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) {
    if (edit.type === "delete") return text;
    return joinLines(text, text.length, renderEntry(nest(edit.path, edit.value), 0, style), style);
  }
  if (!isMap(root)) return undefined;
  return edit.type === "set" ? spliceSet(text, root, edit, style) : spliceDelete(text, root, edit.path);
}

function spliceSet(
  text: string,
  root: YAMLMap,
  { path, value }: { readonly path: readonly string[]; readonly value: YamlValue },
  style: YamlStyle,
): string | undefined {
  let map = root;
  for (const [depth, key] of path.entries()) {
    const rest = path.slice(depth + 1);
    const pair = pairOf(map, key);
    if (pair === undefined) return insertInto(text, map, nest([key, ...rest], value), style);
    const node = pair.value;
    if (rest.length === 0) return replaceValue(text, map, pair, key, value, style);
    if (!isMap(node)) {
      const isEmpty = isScalar(node) && node.value === null;
      return isEmpty || node === null ? fillEmpty(text, map, pair, nest(rest, value), style) : undefined;
    }
    if (node.items.length === 0) return fillEmpty(text, map, pair, nest(rest, value), style);
    map = node;
  }
  return undefined;
}

function spliceDelete(text: string, root: YAMLMap, path: readonly string[]): string | undefined {
  let map = root;
  let owner: Pair | undefined;
  for (const key of path.slice(0, -1)) {
    const pair = pairOf(map, key);
    if (pair === undefined) return text;
    if (!isMap(pair.value)) return undefined;
    owner = pair;
    map = pair.value;
  }
  const pair = pairOf(map, path.at(-1) ?? "");
  if (pair === undefined) return text;
  const block = blockOf(text, map, pair);
  if (block === undefined) return undefined;
  const isFirst = map.items[0] === pair;
  const start = isFirst ? block.start : startWithComments(text, block.start, block.column);
  const without = text.slice(0, start) + text.slice(endWithComments(text, block.end, block.column));
  if (map.items.length > 1) return without;
  // The last one of its map: the map stays, empty, and what was written around it too.
  const colon = owner && colonOf(text, owner);
  return colon === undefined ? undefined : `${without.slice(0, colon)} {}${without.slice(colon)}`;
}

function insertInto(text: string, map: YAMLMap, entry: Entry, style: YamlStyle): string | undefined {
  const last = map.items.at(-1);
  const block = last && blockOf(text, map, last);
  if (block === undefined) return undefined;
  return joinLines(text, block.end, renderEntry(entry, block.column, style), style);
}

/** `key:` and `key: {}` become a block map; a comment behind them stays where it is. */
function fillEmpty(
  text: string,
  map: YAMLMap,
  pair: Pair,
  entry: Entry,
  style: YamlStyle,
): string | undefined {
  const block = blockOf(text, map, pair);
  const colon = colonOf(text, pair);
  if (block === undefined || colon === undefined) return undefined;
  const bare = text.slice(0, colon) + text.slice(colon).replace(/^[ \t]*\{\s*\}/, "");
  const end = lineEnd(bare, colon);
  return joinLines(bare, end, renderEntry(entry, block.column + style.indent, style), style);
}

function replaceValue(
  text: string,
  map: YAMLMap,
  pair: Pair,
  key: string,
  value: YamlValue,
  style: YamlStyle,
): string | undefined {
  const node = pair.value;
  const simple = typeof value !== "object" || value === null;
  if (
    simple &&
    isScalar(node) &&
    node.range &&
    node.type !== "BLOCK_LITERAL" &&
    node.type !== "BLOCK_FOLDED"
  ) {
    const [start, end] = node.range;
    // `key:` without a value ends at its colon.
    const gap = start === end && text[start - 1] === ":" ? " " : "";
    return text.slice(0, start) + gap + renderScalar(value) + text.slice(end);
  }
  const block = blockOf(text, map, pair);
  if (block === undefined) return undefined;
  const lines = renderEntry([key, value], block.column, style);
  return text.slice(0, block.start) + lines.join(style.eol) + style.eol + text.slice(block.end);
}

interface Block {
  /** Where the line of the key begins. */
  readonly start: number;
  /** Where the line after the value's last one begins. */
  readonly end: number;
  readonly column: number;
}

/** The lines of an entry that has them for itself; undefined for one inside `{}` or behind `?` or `-`. */
function blockOf(text: string, map: YAMLMap, pair: Pair): Block | undefined {
  const keyStart = isNode(pair.key) ? pair.key.range?.[0] : undefined;
  if (map.flow || keyStart === undefined) return undefined;
  const start = text.lastIndexOf("\n", keyStart - 1) + 1;
  // A file may begin with a byte order mark.
  const before = text.slice(start, keyStart).replace(/^\uFEFF/, "");
  const last = lastOffset(pair);
  if (/[^ ]/.test(before) || last === undefined) return undefined;
  return { start, end: text[last - 1] === "\n" ? last : lineEnd(text, last), column: before.length };
}

/** Where the innermost last value of an entry ends, without the comments that follow. */
function lastOffset(item: unknown): number | undefined {
  if (isPair(item)) return item.value === null ? lastOffset(item.key) : lastOffset(item.value);
  if (isCollection(item) && !item.flow && item.items.length > 0) return lastOffset(item.items.at(-1));
  if (isScalar(item) || isCollection(item) || isAlias(item)) return (item as ParsedNode).range?.[1];
  return undefined;
}

function colonOf(text: string, pair: Pair): number | undefined {
  const end = isNode(pair.key) ? pair.key.range?.[1] : undefined;
  if (end === undefined) return undefined;
  const gap = /^[ \t]*:/.exec(text.slice(end));
  return gap ? end + gap[0].length : undefined;
}

/** Comment lines right above, at the same depth, speak of the entry. */
function startWithComments(text: string, start: number, column: number): number {
  for (;;) {
    const previous = text.lastIndexOf("\n", start - 2) + 1;
    if (start === 0 || !isCommentAt(text.slice(previous, start), (depth) => depth === column)) return start;
    start = previous;
  }
}

/** Comment lines right below that stand deeper belong to the entry too. */
function endWithComments(text: string, end: number, column: number): number {
  for (;;) {
    const next = lineEnd(text, end);
    if (next === end || !isCommentAt(text.slice(end, next), (depth) => depth > column)) return end;
    end = next;
  }
}

function isCommentAt(line: string, fits: (depth: number) => boolean): boolean {
  const indent = /^( *)#/.exec(line)?.[1];
  return indent !== undefined && fits(indent.length);
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

function joinLines(text: string, offset: number, lines: readonly string[], { eol }: YamlStyle): string {
  const before = text.slice(0, offset);
  const gap = before === "" || before === "\uFEFF" || before.endsWith("\n") ? "" : eol;
  return before + gap + lines.join(eol) + eol + text.slice(offset);
}

type Entry = readonly [key: string, value: YamlValue];

function nest(path: readonly string[], value: YamlValue): Entry {
  const [key = "", ...rest] = path;
  if (rest.length === 0) return [key, value];
  const [inner, innerValue] = nest(rest, value);
  return [key, { [inner]: innerValue }];
}

/** A key may be written as a number or in quotes: it is found by what it says. */
function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

/** The path with keys as the document has them, so that the library finds them too. */
function existingPath(document: Document, path: readonly string[]): unknown[] {
  let node: unknown = document.contents;
  return path.map((key) => {
    const pair = isMap(node) ? pairOf(node, key) : undefined;
    node = pair?.value;
    return pair && isScalar(pair.key) ? pair.key.value : key;
  });
}
