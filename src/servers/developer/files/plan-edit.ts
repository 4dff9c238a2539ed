/**
 * Turns what a model asks for into the smallest edits of the text as it is. Pure. Text is compared with \n for
 * every line end; what is put in takes the line ends of its surroundings; what old and new have in common at
 * both ends is not touched, so that even odd line ends there stay.
 */
import { EditError } from "./document.ts";
import { type NormalText, normalizeLineEnds } from "./line-ends.ts";
import type { TextEdit } from "./splice.ts";

export interface PlannedEdit {
  readonly edits: readonly TextEdit[];
  /** Line numbers, from 1, where the edits begin. */
  readonly lines: readonly number[];
}

const MAX_NAMED_LINES = 20;

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

export function planReplace(raw: string, name: string, { oldText, newText, all }: Replacement): PlannedEdit {
  const normal = normalizeLineEnds(raw);
  if (oldText === "") throw new EditError("old_str is empty. Nothing was written; use insert to add text.");
  if (oldText === newText) throw new EditError("old_str and new_str are the same. Nothing was written.");
  const { wanted, replacement, places } = findInAnyForm(
    normal.text,
    unixLineEnds(oldText),
    unixLineEnds(newText),
  );
  if (places.length === 0) throw new EditError(describeNoMatch(normal.text, wanted, name));
  const lines = lineNumbers(normal.text, places);
  if (places.length > 1 && !all) {
    throw new EditError(
      `old_str stands at ${places.length} places in ${name} (lines ${listLines(lines)}), so it is not clear which to replace. ` +
        "Nothing was written. Give more of the text around it, or set replace_all.",
    );
  }
  const edits = places.map((place) => editBetween(normal, place, wanted, replacement));
  return { edits, lines };
}

/** Puts whole lines after line `after`; 0 is the beginning. */
export function planInsert(raw: string, name: string, after: number, inserted: string): PlannedEdit {
  const normal = normalizeLineEnds(raw);
  const { text } = normal;
  const count = countLines(text);
  if (after > count) {
    throw new EditError(`insert_line is ${after}, but ${name} has ${count} lines. Nothing was written.`);
  }
  let place = 0;
  for (let line = 0; line < after; line++) {
    const newline = text.indexOf("\n", place);
    place = newline === -1 ? text.length : newline + 1;
  }
  const body = unixLineEnds(inserted);
  // After a last line without an end, the text brings one along and leaves its own away: the end stays missing.
  const atOpenEnd = place === text.length && text !== "" && !text.endsWith("\n");
  const lines = atOpenEnd ? `\n${body.replace(/\n$/, "")}` : body.endsWith("\n") ? body : `${body}\n`;
  return { edits: [editBetween(normal, place, "", lines)], lines: [after + 1] };
}

/** The whole text anew; what is the same at both ends keeps its bytes. */
export function planRewrite(raw: string, newText: string): PlannedEdit {
  const normal = normalizeLineEnds(raw);
  const replacement = unixLineEnds(newText);
  if (normal.text === replacement) return { edits: [], lines: [] };
  return { edits: [editBetween(normal, 0, normal.text, replacement)], lines: [1] };
}

export function countLines(text: string): number {
  const newlines = findAll(text, "\n").length;
  return text === "" || text.endsWith("\n") ? newlines : newlines + 1;
}

function editBetween(normal: NormalText, place: number, oldText: string, newText: string): TextEdit {
  const head = commonStart(oldText, newText);
  const tail = commonEnd(oldText.slice(head), newText.slice(head));
  const start = normal.toRaw(place + head);
  const end = normal.toRaw(place + oldText.length - tail);
  const core = newText.slice(head, newText.length - tail);
  const lineEnd = normal.lineEndNear(start);
  return { start, end, text: lineEnd === "\n" ? core : core.replaceAll("\n", lineEnd) };
}

function commonStart(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[length] === b[length]) length++;
  return isHighSurrogate(a.charCodeAt(length - 1)) ? length - 1 : length;
}

function commonEnd(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return isLowSurrogate(a.charCodeAt(a.length - length)) ? length - 1 : length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** As it is written first; else as a file from a Mac has it (NFD), or one from elsewhere (NFC), where が is two or one. */
function findInAnyForm(text: string, oldText: string, newText: string) {
  const exact = { wanted: oldText, replacement: newText, places: findAll(text, oldText) };
  if (exact.places.length > 0) return exact;
  const forms = (["NFC", "NFD"] as const).map((form) => {
    const wanted = oldText.normalize(form);
    return { wanted, replacement: newText.normalize(form), places: findAll(text, wanted) };
  });
  return forms.find(({ places }) => places.length > 0) ?? exact;
}

function findAll(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    places.push(at);
  return places;
}

function lineNumbers(text: string, places: readonly number[]): readonly number[] {
  let line = 1;
  let from = 0;
  return places.map((place) => {
    for (let at = text.indexOf("\n", from); at !== -1 && at < place; at = text.indexOf("\n", from)) {
      line += 1;
      from = at + 1;
    }
    return line;
  });
}

function describeNoMatch(text: string, wanted: string, name: string): string {
  const firstLine = wanted
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim();
  const similar =
    firstLine === undefined ? [] : lineNumbers(text, findAll(text, firstLine)).slice(0, MAX_NAMED_LINES);
  const hint =
    similar.length === 0
      ? "Its first line is nowhere in the file either: view the file again."
      : `Its first line is at ${listLines(similar)}, but what follows or the blanks around it differ: view those lines and copy them exactly.`;
  return `old_str is not in ${name}. ${hint} Nothing was written.`;
}

function listLines(lines: readonly number[]): string {
  const unique = [...new Set(lines)];
  const more = unique.length > MAX_NAMED_LINES ? ` and ${unique.length - MAX_NAMED_LINES} more` : "";
  return unique.slice(0, MAX_NAMED_LINES).join(", ") + more;
}

function unixLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
