/**
 * One post as it is read: its folder, its words, and its picture's header, each with what is wrong about it.
 * Nothing here throws for the state of the disk; a post of which nothing can be read is still a post.
 */
import { FileProblem, readSmallFile } from "./files.ts";
import type { Library, Post, PostFiles } from "./library.ts";
import type { PictureInfo, Pictures } from "./pictures.ts";
import { StatCache, stateOf } from "./stat-cache.ts";
import { type ReadTextData, readTextData, type TextData } from "./text-data.ts";

export interface ReadPost {
  readonly post: Post;
  readonly files: PostFiles;
  readonly account: string;
  readonly data: TextData;
  /** What is wrong with the words, as sentences. */
  readonly textProblems: readonly string[];
  readonly picture: PictureInfo | undefined;
  /** Why there is no picture. */
  readonly pictureProblem: string | undefined;
}

export const MAX_TEXT_BYTES = 1024 * 1024;
const KEPT_TEXT_BYTES = 32 * 1024 * 1024;
const NO_DATA: TextData = { account: undefined, text: undefined, urls: [], prompt: undefined };

export class PostReader {
  readonly #library: Library;
  readonly #pictures: Pictures;
  readonly #texts = new StatCache<ReadTextData>(KEPT_TEXT_BYTES);

  constructor(library: Library, pictures: Pictures) {
    this.#library = library;
    this.#pictures = pictures;
  }

  read(post: Post): ReadPost {
    const files = this.#library.files(post);
    const { data, problems } = this.#text(post, files);
    return {
      post,
      files,
      account: data.account ?? (post.name.trim() || "名前なし"),
      data,
      textProblems:
        data.account === undefined && files.text
          ? [...problems, "アカウント名が分からないので、フォルダーの名前を使いました。"]
          : problems,
      ...this.#picture(post, files),
    };
  }

  /** The words alone, for searching. */
  words(post: Post): TextData {
    return this.#text(post, this.#library.files(post)).data;
  }

  #text(post: Post, files: PostFiles): ReadTextData {
    if (files.unreadable) return { data: NO_DATA, problems: [unreadable(post)] };
    if (!files.text) return { data: NO_DATA, problems: [`TextData${post.rank}.json がありません。`] };
    const { path, name } = files.text;
    const state = stateOf(this.#library.absolute(path));
    const known = state && this.#texts.get(path, state);
    if (known) return known;
    try {
      const { bytes, stats } = readSmallFile(this.#library.boundary, path, MAX_TEXT_BYTES);
      const read = readTextData(bytes, name.normalize("NFC"));
      this.#texts.set(path, stats, read, bytes.length + 500);
      return read;
    } catch (error) {
      return { data: NO_DATA, problems: [sentence(error)] };
    }
  }

  #picture(post: Post, files: PostFiles): Pick<ReadPost, "picture" | "pictureProblem"> {
    if (files.unreadable) return { picture: undefined, pictureProblem: unreadable(post) };
    if (!files.picture) {
      const pictureProblem = `画像（Picture${post.rank}.png など）がありません。`;
      return { picture: undefined, pictureProblem };
    }
    try {
      return {
        picture: this.#pictures.inspect(files.picture, { willShow: true }),
        pictureProblem: undefined,
      };
    } catch (error) {
      return { picture: undefined, pictureProblem: sentence(error) };
    }
  }
}

/** `N位：@account`, as the document writes it. */
export function headLine({ post, account }: Pick<ReadPost, "post" | "account">): string {
  return `${post.rank}位：@${account}`;
}

/** The words, links and prompt, as the document writes them. Empty when there are none. */
export function bodyText({ text, urls, prompt }: TextData): string {
  return [
    ...(text === undefined ? [] : [quoted(text, '"', '"')]),
    ...urls,
    ...(prompt === undefined ? [] : ["ジャケット生成に使ったプロンプト", quoted(prompt, "「", "」")]),
  ].join("\n");
}

export function sentence(error: unknown): string {
  if (error instanceof FileProblem) return error.message;
  throw error;
}

/** What already stands in such quotes is not put into another pair. */
function quoted(value: string, open: string, close: string): string {
  const inner = value.slice(1, -1);
  const already = value.length >= 2 && value.startsWith(open) && value.endsWith(close);
  return already && !inner.includes(open) && !inner.includes(close) ? value : `${open}${value}${close}`;
}

function unreadable(post: Post): string {
  return post.refused
    ? `フォルダー「${post.directory}」は和歌集の外を指すリンクなので開きません。`
    : `フォルダー「${post.directory}」を開けません。`;
}
