/**
 * The scanner of sources: lines, comments, decisions and functions of a file, counted in one pass over its bytes.
 * It is a WebAssembly module (wasm/, compiled by the build), so that it is as fast on the first file as on the last;
 * this is its door. A file is read straight into the module's memory: `room`, fill it, `scan`.
 */
import { readFileSync } from "node:fs";
import { SYNTAXES } from "../languages/index.ts";
import type { Syntax } from "../languages/syntax.ts";
import { Lexicons, type MadeLexicons } from "./lexicons.ts";
import { FILE_AT, PADDING, STATE_AT } from "./tables.ts";
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
  readonly isAscii: (length: number) => number;
  readonly countNames: (length: number) => number;
  readonly splitNames: (length: number, ends: number) => number;
}

export class Scanner {
  readonly #module: ScannerExports;
  readonly #lexicons: Lexicons;
  #room = Buffer.of();
  #counts = new Int32Array();

  constructor(module: WasmModule, made?: MadeLexicons) {
    this.#module = instantiate(module);
    this.#grow(FIRST_ROOM);
    this.#lexicons = new Lexicons(this.#module.memory, made, this.#module.forgetLexicon);
  }

  /** Where the bytes of a file go: at least `size` bytes and one more. The view is valid until the next call. */
  room(size: number): Buffer {
    if (size >= this.#room.length) this.#grow(size + PAGE);
    return this.#room;
  }

  /** Counts the first `length` bytes of the room as a source of that syntax. */
  scan(length: number, syntax: Syntax): ScanCounts {
    if (length >= this.#room.length) throw new RangeError(`${length} bytes do not fit into the room`);
    this.#module.scanSource(length, this.#lexicons.addressOf(syntax));
    const counts = this.#counts;
    return {
      lines: counts[0] as number,
      code: counts[1] as number,
      comments: counts[2] as number,
      decisions: counts[3] as number,
      functions: counts[4] as number,
    };
  }

  /** Whether the first `length` bytes of the room are ASCII, and none is zero. */
  isAscii(length: number): boolean {
    return this.#module.isAscii(length) !== 0;
  }

  /** Where each name of a NUL-separated list ends, and whether they are in the order of their bytes. */
  splitNames(list: Uint8Array): { readonly ends: Int32Array; readonly isSorted: boolean } {
    this.room(list.length).set(list);
    const count = this.#module.countNames(list.length);
    const at = Math.ceil(list.length / 4) * 4;
    this.room(at + 4 * count);
    const isSorted = this.#module.splitNames(list.length, FILE_AT + at) !== 0;
    return { ends: new Int32Array(this.#module.memory.buffer, FILE_AT + at, count), isSorted };
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
  compiled ??= compileModule(readBuilt("code-scanner.wasm"));
  return compiled;
}

/** This thread's scanner. */
export function sharedScanner(): Scanner {
  scanner ??= new Scanner(scannerModule(), builtLexicons());
  return scanner;
}

const RUNS_FROM_SOURCE = import.meta.url.endsWith(".ts");

/** What the sources describe may be newer than what was built: they make their lexicons themselves. */
function builtLexicons(): MadeLexicons | undefined {
  return RUNS_FROM_SOURCE ? undefined : { syntaxes: SYNTAXES, bytes: readBuilt("code-lexicons.bin") };
}

/** The build puts it beside its chunks; the sources use what was built last. */
function readBuilt(name: string): Uint8Array {
  const file = new URL(RUNS_FROM_SOURCE ? `../../../../dist/${name}` : `./${name}`, import.meta.url);
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Error("the scanner of sources is not built: run npm run build", { cause });
  }
}
