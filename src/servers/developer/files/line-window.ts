/**
 * Some lines of a text file of any size and encoding, in bounded memory: the file is decoded piece by piece and
 * only the wanted lines are kept. Overlong lines are cut and counted. A line ends with \n or \r\n; with a lone \r
 * only in files that have nothing else.
 */
import { setImmediate } from "node:timers/promises";
import { detectEncoding, type TextEncoding } from "../../../lib/text-encoding.ts";
import { readBytes, readSample } from "./read-bytes.ts";

export interface LineWindowRequest {
  /** From 1. */
  readonly startLine: number;
  readonly maxLines: number;
  readonly maxCharacters: number;
  readonly maxLineCharacters: number;
  /** What to read it as when it does not look like text. */
  readonly fallback?: TextEncoding;
  readonly signal: AbortSignal;
}

export interface LineWindow {
  readonly encoding: TextEncoding;
  /** Bytes without meaning in the encoding are shown as U+FFFD. */
  readonly lossy: boolean;
  readonly lines: readonly string[];
  /** How many of the lines are longer than shown. */
  readonly cutLines: number;
  readonly atEnd: boolean;
  /** Known only when the end was seen. */
  readonly totalLines: number | undefined;
}

const PIECE_BYTES = 256 * 1024;
/** A smaller file is read to its end, so that the number of its lines can be said. */
const COUNT_ALL_BYTES = 4 * 1024 * 1024;

/** Undefined when the file is no text. */
export async function readLineWindow(
  fd: number,
  size: number,
  request: LineWindowRequest,
): Promise<LineWindow | undefined> {
  const sample = readSample(fd, size);
  const detected = detectOr(request.fallback, sample);
  if (detected === undefined) return undefined;
  const decoder = new TextDecoder(detected.encoding, { ignoreBOM: true });
  const collector = new LineCollector(request, newlineOf(decodeSample(sample, detected.encoding)));
  let position = detected.bomBytes;
  while (position < size && !(collector.full && size > COUNT_ALL_BYTES)) {
    request.signal.throwIfAborted();
    const piece = readBytes(fd, position, Math.min(PIECE_BYTES, size - position));
    if (piece.length === 0) break;
    position += piece.length;
    collector.push(decoder.decode(piece, { stream: true }));
    // A scan of a huge file must leave room for a cancellation to arrive.
    if (position % (PIECE_BYTES * 16) === 0) await setImmediate();
  }
  const atEnd = position >= size;
  if (atEnd) collector.end(decoder.decode());
  return {
    encoding: detected.encoding,
    lossy: detected.lossy,
    lines: collector.lines,
    cutLines: collector.cutLines,
    atEnd: atEnd && !collector.droppedAny,
    totalLines: atEnd ? collector.count : undefined,
  };
}

class LineCollector {
  readonly lines: string[] = [];
  cutLines = 0;
  /** Lines after the window were seen. */
  droppedAny = false;
  full = false;
  count = 0;
  readonly #request: LineWindowRequest;
  readonly #newline: string;
  #characters = 0;
  #current = "";
  #currentLength = 0;

  constructor(request: LineWindowRequest, newline: string) {
    this.#request = request;
    this.#newline = newline;
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf(this.#newline); at !== -1; at = text.indexOf(this.#newline, from)) {
      this.#extend(text, from, at);
      this.#finishLine();
      from = at + 1;
    }
    this.#extend(text, from, text.length);
  }

  end(rest: string): void {
    this.push(rest);
    if (this.#currentLength > 0) this.#finishLine();
  }

  #extend(text: string, from: number, to: number): void {
    this.#currentLength += to - from;
    if (!this.#isWanted()) return;
    const room = this.#request.maxLineCharacters + 1 - this.#current.length;
    if (room > 0) this.#current += text.slice(from, Math.min(to, from + room));
  }

  #isWanted(): boolean {
    return !this.full && this.count + 1 >= this.#request.startLine;
  }

  #finishLine(): void {
    if (this.#isWanted()) this.#take();
    else if (this.full) this.droppedAny = true;
    this.count += 1;
    this.#current = "";
    this.#currentLength = 0;
  }

  #take(): void {
    const { maxLineCharacters, maxCharacters, maxLines } = this.#request;
    const whole = this.#current.endsWith("\r") ? this.#current.slice(0, -1) : this.#current;
    const isCut = whole.length > maxLineCharacters;
    const line = isCut ? whole.slice(0, maxLineCharacters) : whole;
    // The first wanted line is always given, however small the room.
    if (this.lines.length > 0 && this.#characters + line.length > maxCharacters) {
      this.full = true;
      this.droppedAny = true;
      return;
    }
    if (isCut) this.cutLines += 1;
    this.lines.push(
      isCut ? `${line}… [line cut; it has ${this.#currentLength.toLocaleString("en-US")} characters]` : line,
    );
    this.#characters += line.length + 1;
    this.full = this.lines.length >= maxLines;
  }
}

function detectOr(fallback: TextEncoding | undefined, sample: Buffer) {
  const detected = detectEncoding(sample);
  if (detected.kind === "text") return detected;
  return fallback && { encoding: fallback, bomBytes: 0, lossy: true };
}

function decodeSample(sample: Buffer, encoding: TextEncoding): string {
  return new TextDecoder(encoding).decode(sample, { stream: true });
}

function newlineOf(text: string): string {
  return text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
}
