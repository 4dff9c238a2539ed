/**
 * The scanner of sources: lines, comments, decisions and functions of a file, counted in one pass over its bytes.
 * It is a WebAssembly module (wasm/, compiled by the build), so that it is as fast on the first file as on the last;
 * this is its door. A file is read straight into the module's memory: `room`, fill it, `scan`.
 */
import { readFileSync } from "node:fs";
import type { Lexicon } from "./lexicon.ts";
import { lexiconImage } from "./lexicon-writer.ts";
import { FILE_AT, LEXICONS_AT, LEXICONS_END, PADDING, STATE_AT } from "./tables.ts";
import { compileModule, instantiate, type WasmMemory, type WasmModule } from "./webassembly.ts";

export interface ScanCounts {
  readonly lines: number;
  readonly code: number;
  readonly comments: number;
  readonly decisions: number;
  readonly functions: number;
}

const PAGE = 64 * 1024;
/** Most files fit, so that memory hardly ever grows. */
const FIRST_ROOM = 1024 * 1024;

interface ScannerExports {
  readonly memory: WasmMemory;
  readonly scanSource: (length: number, lexicon: number) => void;
  readonly forgetLexicon: () => void;
}

export class Scanner {
  readonly #module: ScannerExports;
  readonly #addresses = new Map<Lexicon, number>();
  #nextAddress = LEXICONS_AT;
  #room = Buffer.of();
  #counts = new Int32Array();

  constructor(module: WasmModule) {
    this.#module = instantiate(module);
    this.#grow(FIRST_ROOM);
  }

  /** Where the bytes of a file go: at least `size` bytes and one more. The view is valid until the next call. */
  room(size: number): Buffer {
    if (size >= this.#room.length) this.#grow(size + PAGE);
    return this.#room;
  }

  /** Counts the first `length` bytes of the room. */
  scan(length: number, lexicon: Lexicon): ScanCounts {
    if (length >= this.#room.length) throw new RangeError(`${length} bytes do not fit into the room`);
    this.#module.scanSource(length, this.#addresses.get(lexicon) ?? this.#write(lexicon));
    const counts = this.#counts;
    return {
      lines: counts[0] as number,
      code: counts[1] as number,
      comments: counts[2] as number,
      decisions: counts[3] as number,
      functions: counts[4] as number,
    };
  }

  /** A lexicon is written when it is first used; when there is no room for one more, all are forgotten. */
  #write(lexicon: Lexicon): number {
    let image = lexiconImage(lexicon, this.#nextAddress);
    if (this.#nextAddress + image.length > LEXICONS_END) {
      this.#addresses.clear();
      this.#module.forgetLexicon();
      this.#nextAddress = LEXICONS_AT;
      image = lexiconImage(lexicon, this.#nextAddress);
    }
    const address = this.#nextAddress;
    new Uint8Array(this.#module.memory.buffer).set(image, address);
    this.#addresses.set(lexicon, address);
    this.#nextAddress += image.length;
    return address;
  }

  /** Behind the file the module needs zeros, and a bit for each of its bytes. */
  #grow(size: number): void {
    const { memory } = this.#module;
    const needed = FILE_AT + size + PADDING + Math.ceil(size / 8) + 1;
    memory.grow(Math.max(0, Math.ceil((needed - memory.buffer.byteLength) / PAGE)));
    this.#room = Buffer.from(memory.buffer, FILE_AT, size);
    this.#counts = new Int32Array(memory.buffer, STATE_AT, 5);
  }
}

let compiled: WasmModule | undefined;
let scanner: Scanner | undefined;

/** The compiled module, made once in each thread: that takes a millisecond. */
export function scannerModule(): WasmModule {
  compiled ??= compileModule(readModule());
  return compiled;
}

/** This thread's scanner. */
export function sharedScanner(): Scanner {
  scanner ??= new Scanner(scannerModule());
  return scanner;
}

/** The build puts it beside its chunks; the sources use what was built last. */
function readModule(): Uint8Array {
  const source = import.meta.url.endsWith(".ts");
  const file = new URL(
    source ? "../../../../dist/code-scanner.wasm" : "./code-scanner.wasm",
    import.meta.url,
  );
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Error("the scanner of sources is not built: run npm run build", { cause });
  }
}
