/**
 * The lexicons in the scanner's memory, found by the syntax that they were made of. Those of all languages are made
 * by the build, because making one takes longer than scanning many files; whatever is not among them (and
 * everything, when the sources run as they are) is made when it is first asked for.
 */
import type { Syntax } from "../languages/syntax.ts";
import { lexiconOf } from "./lexicon.ts";
import { lexiconImage } from "./lexicon-writer.ts";
import { LEXICONS_AT, LEXICONS_END } from "./tables.ts";
import type { WasmMemory } from "./webassembly.ts";

/** Lexicons made ahead: bytes for `LEXICONS_AT`, which begin with the address of each syntax, in this order. */
export interface MadeLexicons {
  readonly syntaxes: readonly Syntax[];
  readonly bytes: Uint8Array;
}

export function makeLexicons(syntaxes: readonly Syntax[]): MadeLexicons {
  const addresses = new Int32Array(syntaxes.length);
  const parts: Uint8Array[] = [new Uint8Array(addresses.buffer)];
  let next = LEXICONS_AT + addresses.byteLength;
  for (const [at, syntax] of syntaxes.entries()) {
    const image = lexiconImage(lexiconOf(syntax), next);
    addresses[at] = next;
    parts.push(image);
    next += image.length;
  }
  if (next > LEXICONS_END) throw new Error("the lexicons of all languages do not fit: move LEXICONS_END");
  return { syntaxes, bytes: Buffer.concat(parts) };
}

export class Lexicons {
  readonly #memory: WasmMemory;
  /** Called before others are written where some were. */
  readonly #forget: () => void;
  readonly #made: ReadonlyMap<Syntax, number>;
  readonly #begin: number;
  #addresses: Map<Syntax, number>;
  #next: number;

  constructor(memory: WasmMemory, made: MadeLexicons | undefined, forget: () => void) {
    this.#memory = memory;
    this.#forget = forget;
    this.#made = new Map(made && this.#put(made));
    this.#begin = LEXICONS_AT + (made?.bytes.length ?? 0);
    this.#addresses = new Map(this.#made);
    this.#next = this.#begin;
  }

  addressOf(syntax: Syntax): number {
    return this.#addresses.get(syntax) ?? this.#write(syntax);
  }

  #put({ syntaxes, bytes }: MadeLexicons): [Syntax, number][] {
    this.#set(bytes, LEXICONS_AT);
    const addresses = new Int32Array(this.#memory.buffer, LEXICONS_AT, syntaxes.length);
    return syntaxes.map((syntax, at) => [syntax, addresses[at] as number]);
  }

  /** When there is no room for one more, all that were not made ahead are forgotten. */
  #write(syntax: Syntax): number {
    let image = lexiconImage(lexiconOf(syntax), this.#next);
    if (this.#next + image.length > LEXICONS_END) {
      this.#addresses = new Map(this.#made);
      this.#forget();
      this.#next = this.#begin;
      image = lexiconImage(lexiconOf(syntax), this.#next);
    }
    const address = this.#next;
    this.#set(image, address);
    this.#addresses.set(syntax, address);
    this.#next += image.length;
    return address;
  }

  #set(bytes: Uint8Array, address: number): void {
    new Uint8Array(this.#memory.buffer).set(bytes, address);
  }
}
