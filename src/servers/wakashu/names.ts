/**
 * How names of the collection are read: `第{n}回`, `{rank}-{name}`, `TextData{rank}.json`, `Picture{rank}.png` …
 * Everything is compared folded (NFKC, no case), so that full-width digits, a Mac's NFD and `PICTURE1.PNG` all
 * match. Only letters are judged here; nothing touches the disk.
 */

export type PictureExtension = (typeof PICTURE_EXTENSIONS)[number];

/** In the order of preference when one post has several pictures. */
export const PICTURE_EXTENSIONS = ["png", "jpg", "jpeg", "heic", "webp"] as const;

/** Ranks and editions have at most this many digits: a name of a thousand digits is not a number to us. */
const NUMBER = "\\d{1,9}";
const KANJI_DIGITS = "〇一二三四五六七八九";
const EDITION = new RegExp(`^第(?:(${NUMBER})|([${KANJI_DIGITS}十百千]{1,9}))回$`);
const POST = /^([0-9０-９]{1,9})[-－](.*)$/s;
const TEXT_FILE = new RegExp(`^textdata(${NUMBER})\\.json$`);
const PICTURE_FILE = new RegExp(`^picture(${NUMBER})\\.(${PICTURE_EXTENSIONS.join("|")})$`);

/** One form for comparing: width, case, composition and outer space do not count. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().trim();
}

/** As `fold`, and katakana counts as hiragana: for searching, never for identity. */
export function foldForSearch(text: string): string {
  return fold(text).replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/** The number of `第3回`, `第３回`, `第03回` or `第三回`; undefined for every other name. */
export function editionOf(directory: string): number | undefined {
  const match = EDITION.exec(fold(directory));
  if (!match) return undefined;
  const [, digits, kanji] = match;
  const edition = digits !== undefined ? Number(digits) : kanjiNumber(kanji ?? "");
  return edition !== undefined && edition > 0 ? edition : undefined;
}

/** Rank and name of `1-Laptop` or `01-Laptop`. The name keeps its own spelling, composed. */
export function postOf(directory: string): { rank: number; name: string } | undefined {
  const [, digits = "", name = ""] = POST.exec(directory) ?? [];
  const rank = Number(digits.normalize("NFKC"));
  return rank > 0 ? { rank, name: name.normalize("NFC") } : undefined;
}

export function isTextFile(file: string, rank: number): boolean {
  return Number(TEXT_FILE.exec(fold(file))?.[1]) === rank;
}

export function pictureExtension(file: string, rank: number): PictureExtension | undefined {
  const match = PICTURE_FILE.exec(fold(file));
  return match && Number(match[1]) === rank ? (match[2] as PictureExtension) : undefined;
}

/**
 * An integer as a model or a person writes it: 1, "1", "１", "第1回", "1位", "第一回". Undefined for anything
 * else, fractions included.
 */
export function readInteger(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== "string") return undefined;
  const written = fold(value)
    .replace(/^第/, "")
    .replace(/[回位]$/, "");
  if (/^[+-]?\d{1,15}$/.test(written)) return Number(written);
  return kanjiNumber(written);
}

function kanjiNumber(text: string): number | undefined {
  if (!new RegExp(`^[${KANJI_DIGITS}十百千]{1,9}$`).test(text)) return undefined;
  // 二〇 is written digit by digit, 二十 with its unit.
  if (!/[十百千]/.test(text)) {
    return Number([...text].map((digit) => KANJI_DIGITS.indexOf(digit)).join(""));
  }
  const units = new Map([
    ["千", 1000],
    ["百", 100],
    ["十", 10],
  ]);
  let total = 0;
  let digit: number | undefined;
  let lastUnit = Number.POSITIVE_INFINITY;
  for (const character of text) {
    const unit = units.get(character);
    if (unit === undefined) {
      if (digit !== undefined) return undefined;
      digit = KANJI_DIGITS.indexOf(character);
      continue;
    }
    if (unit >= lastUnit) return undefined;
    total += (digit ?? 1) * unit;
    lastUnit = unit;
    digit = undefined;
  }
  return total + (digit ?? 0);
}
