/**
 * What `TextData{rank}.json` says: account, text, links and the prompt that made the picture. The four fields
 * have one documented spelling and several accepted ones; a field nobody knows is left alone. Reading never
 * throws for what is inside the file: the problem comes back as a sentence, beside whatever could be read.
 */
import { decodeText } from "../../lib/text-encoding.ts";
import { fold } from "./names.ts";

export interface TextData {
  /** Without the leading `@`. */
  readonly account: string | undefined;
  readonly text: string | undefined;
  readonly urls: readonly string[];
  readonly prompt: string | undefined;
}

export interface ReadTextData {
  readonly data: TextData;
  readonly problems: readonly string[];
}

/** The documented shape: `examples/wakashu/TextData.schema.json` is this, and so is `wakashu://schema/textdata`. */
export const TEXT_DATA_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "TextData{rank}.json",
  description: "和歌集の投稿ひとつの文字データ。One post of a collection, without its picture.",
  type: "object",
  required: ["account", "text"],
  properties: {
    account: {
      type: "string",
      description:
        "投稿したアカウント名（先頭の @ はあってもなくてもよい）。ほかの書き方：accountName, user, userName, author, アカウント名, アカウント, ユーザー名, 投稿者, 作者",
    },
    text: {
      type: "string",
      description:
        "投稿の本文。ほかの書き方：body, content, message, 本文, テキスト, 文章, 投稿, 内容, 和歌, 短歌, 歌",
    },
    urls: {
      type: "array",
      items: { type: "string", format: "uri" },
      description:
        "関連するリンク。文字列ひとつ、または {url} の配列でもよい。ほかの書き方：url, link, links, url1, url2 …, リンク, リンク先, 関連リンク",
    },
    prompt: {
      type: "string",
      description:
        "ジャケット画像の生成に使ったプロンプト。ほかの書き方：imagePrompt, picturePrompt, jacketPrompt, プロンプト, 画像プロンプト, 生成プロンプト, ジャケット生成に使ったプロンプト",
    },
  },
} as const;

type Field = "account" | "text" | "urls" | "prompt";

/** Spellings after folding, with spaces, `_` and `-` taken out and digits at the end dropped. */
const SPELLINGS: Readonly<Record<Field, readonly string[]>> = {
  account: [
    ...["account", "accountname", "user", "username", "author"],
    ...["アカウント名", "アカウント", "ユーザー名", "ユーザ名", "投稿者", "作者"],
  ],
  text: [
    ...["text", "body", "content", "message"],
    ...["本文", "テキスト", "文章", "投稿", "内容", "和歌", "短歌", "歌"],
  ],
  urls: ["urls", "url", "links", "link", "リンク", "リンク先", "関連リンク", "関連url"],
  prompt: [
    ...["prompt", "imageprompt", "pictureprompt", "jacketprompt"],
    ...["プロンプト", "画像プロンプト", "生成プロンプト", "ジャケットプロンプト", "ジャケット生成プロンプト"],
    "ジャケット生成に使ったプロンプト",
  ],
};
const FIELD_OF = new Map(
  (Object.keys(SPELLINGS) as Field[]).flatMap((field) => SPELLINGS[field].map((name) => [name, field])),
);
const NOTHING: TextData = { account: undefined, text: undefined, urls: [], prompt: undefined };
const MAX_URLS = 100;
/** Lists of objects of lists is as deep as anybody writes links. */
const MAX_URL_DEPTH = 4;
const MAX_ACCOUNT_CHARACTERS = 100;

export function readTextData(bytes: Uint8Array, file: string): ReadTextData {
  const decoded = decodeJson(bytes);
  if (decoded === undefined) {
    return {
      data: NOTHING,
      problems: [`${file} の文字コードが分かりません。UTF-8 で保存し直してください。`],
    };
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(decoded);
  } catch (error) {
    return {
      data: NOTHING,
      problems: [`${file} は正しい JSON ではありません（${where(error, decoded)}）。`],
    };
  }
  // Some tools write a list of one.
  const value = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { data: NOTHING, problems: [`${file} は JSON のオブジェクト（{ … }）ではありません。`] };
  }
  return fromObject(value as Record<string, unknown>, file);
}

/** The text of the file. JSON is UTF-8; Japanese editors of other times write other encodings. */
export function decodeJson(bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes);
  return decoded === undefined || decoded.lossy ? undefined : decoded.text;
}

function fromObject(value: Record<string, unknown>, file: string): ReadTextData {
  const problems: string[] = [];
  const account = oneLine(text(first(value, "account"), "account", file, problems));
  const body = text(first(value, "text"), "text", file, problems);
  const prompt = text(first(value, "prompt"), "prompt", file, problems);
  const urls = all(value, "urls").flatMap((entry) => urlsIn(entry));
  if (body === undefined && problems.length === 0) problems.push(`${file} に本文（text）がありません。`);
  if (urls.length > MAX_URLS) {
    problems.push(`${file} のリンクは ${urls.length} 件あるので、はじめの ${MAX_URLS} 件を載せます。`);
  }
  return {
    data: {
      account: account?.replace(/^[@＠]+/, "") || undefined,
      text: body,
      urls: urls.slice(0, MAX_URLS),
      prompt,
    },
    problems,
  };
}

/** Values of a field in the order of their keys: the documented key, then others, `url1` before `url2`. */
function all(value: Record<string, unknown>, field: Field): unknown[] {
  return Object.entries(value)
    .flatMap(([key, entry]) => {
      const folded = fold(key).replace(/[\s_-]/g, "");
      const match = /^(.*?)(\d{0,4})$/.exec(folded);
      if (entry === null || FIELD_OF.get(match?.[1] ?? "") !== field) return [];
      return [{ entry, number: Number(match?.[2] || 0), exact: key === field ? 0 : 1 }];
    })
    .toSorted((a, b) => a.exact - b.exact || a.number - b.number)
    .map(({ entry }) => entry);
}

function first(value: Record<string, unknown>, field: Field): unknown {
  return all(value, field).find((entry) => entry !== "");
}

function text(value: unknown, field: Field, file: string, problems: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  // A text given line by line.
  if (Array.isArray(value) && value.every((line) => typeof line === "string")) return clean(value.join("\n"));
  if (typeof value === "string") return clean(value);
  problems.push(`${file} の ${field} は文字列ではありません。`);
  return undefined;
}

function urlsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") {
    return value
      .split(/[\s、]+/)
      .map((url) => clean(url) ?? "")
      .filter((url) => url !== "");
  }
  if (typeof value !== "object" || value === null || depth >= MAX_URL_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => urlsIn(entry, depth + 1));
  return Object.entries(value).flatMap(([key, entry]) =>
    ["url", "href", "link", "uri"].includes(fold(key)) ? urlsIn(entry, depth + 1) : [],
  );
}

/** Line ends as one character, and nothing that could move a terminal's cursor or turn the writing around. */
function clean(value: string): string | undefined {
  const cleaned = value
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .toWellFormed()
    .trim();
  return cleaned === "" ? undefined : cleaned;
}

function oneLine(value: string | undefined): string | undefined {
  return value?.replace(/\s+/g, " ").slice(0, MAX_ACCOUNT_CHARACTERS);
}

/** Where the JSON breaks, as line and column: the engine's own message quotes the content. */
function where(error: unknown, source: string): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  if (position === undefined) return source.trim() === "" ? "空のファイルです" : "途中で終わっています";
  const before = source.slice(0, Number(position)).split("\n");
  return `${before.length} 行目の ${(before.at(-1)?.length ?? 0) + 1} 文字目`;
}
