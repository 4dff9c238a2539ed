/**
 * Keeps what a conversation cannot hold: whole texts of tool results, each under a `session://` URI, and bytes that
 * no model reads, each in a file. All in a private folder that goes with the session; the same is kept once.
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileEnding } from "../lib/file-ending.ts";

export interface KeptResult {
  readonly uri: string;
  /** Which tool it came from, for people. */
  readonly name: string;
  readonly characters: number;
  readonly bytes: number;
  readonly keptAt: string;
}

export class KeptResults {
  readonly #kept = new Map<string, KeptResult & { readonly file: string }>();
  #folder: string | undefined;

  /** Throws when the disk does not take it. */
  keep(text: string, name: string): KeptResult {
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const uri = `session://result/${hash}`;
    const known = this.#kept.get(uri);
    if (known) return known;
    const file = join(this.#openFolder(), `${hash}.txt`);
    writeFileSync(file, text, { mode: 0o600 });
    const kept = {
      uri,
      name,
      characters: text.length,
      bytes: Buffer.byteLength(text),
      keptAt: new Date().toISOString(),
      file,
    };
    this.#kept.set(uri, kept);
    return kept;
  }

  /** The path of a file with these bytes, for tools that take files. Throws when the disk does not take it. */
  keepBytes(bytes: Uint8Array, mimeType: string): string {
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    const file = join(this.#openFolder(), `${hash}${fileEnding(mimeType)}`);
    writeFileSync(file, bytes, { mode: 0o600 });
    return file;
  }

  list(): readonly KeptResult[] {
    return [...this.#kept.values()].map(({ file: _file, ...kept }) => kept);
  }

  /** Undefined when nothing is kept under this URI. */
  read(uri: string): string | undefined {
    const kept = this.#kept.get(uri);
    return kept && readFileSync(kept.file, "utf8");
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#kept.clear();
  }

  #openFolder(): string {
    if (this.#folder === undefined) {
      mkdirSync(tmpdir(), { recursive: true });
      // mkdtemp makes it readable for nobody else.
      this.#folder = mkdtempSync(join(tmpdir(), "kari-session-"));
    }
    return this.#folder;
  }
}
