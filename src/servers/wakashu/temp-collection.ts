/** For tests: a collection in a temporary folder, and the tools over it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import type { CallContext } from "../kit/index.ts";
import type { Answer } from "./answer.ts";
import { Library } from "./library.ts";
import { Pictures } from "./pictures.ts";
import { PostReader } from "./post.ts";
import type { Shelf } from "./post-picture.ts";
import { getRankingTool } from "./ranking-tools.ts";

export interface TempCollection {
  readonly root: string;
  write(path: string, content: string | Uint8Array): string;
  /** A post with words and a small picture; `words` replaces the file's JSON. */
  post(edition: number, rank: number, name: string, words?: unknown): void;
  remove(): void;
}

export const quiet: CallContext = { signal: new AbortController().signal, progress() {} };

export function tempCollection(): TempCollection {
  const root = mkdtempSync(join(tmpdir(), "wakashu-"));
  const write = (path: string, content: string | Uint8Array) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  return {
    root,
    write,
    post(
      edition,
      rank,
      name,
      words = { account: name, text: `${name}の歌`, urls: [], prompt: `${name}の絵` },
    ) {
      write(`第${edition}回/${rank}-${name}/TextData${rank}.json`, JSON.stringify(words));
      write(`第${edition}回/${rank}-${name}/Picture${rank}.png`, tinyPng());
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function shelfOf(root: string): Shelf {
  const library = new Library(root);
  const pictures = new Pictures(library);
  return { library, pictures, reader: new PostReader(library, pictures) };
}

/** `getRanking` over a folder, as the plain endpoint calls it. */
export function ranking(root: string, maxAnswerBytes = 8 * 1024 * 1024) {
  const tool = getRankingTool(shelfOf(root), maxAnswerBytes);
  return (edition: unknown, rankStart: unknown, rankEnd: unknown, wakashuName = "和歌集"): Promise<Answer> =>
    tool.answer({ wakashuName, edition, rankStart, rankEnd }, quiet);
}

/** The texts of an answer, with a mark where a picture or a link stands. */
export function outline({ blocks }: Answer): string[] {
  return blocks.map((block) => {
    if (block.type === "text") return block.text;
    return block.type === "picture" ? `[${block.mimeType} ${block.name}]` : `[→ ${block.name}]`;
  });
}

/** A valid PNG of one pixel, or one whose header claims another size. */
export function tinyPng(width = 1, height = 1): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from([0, 255]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
