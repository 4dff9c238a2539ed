/**
 * Numbers in words: English ("twenty five", "three hundred"), kanji (十二, 三百), and the multipliers that follow
 * digits (million, k, 万). Pure; where a numeral may stand is decided by the caller.
 */
const SMALL: ReadonlyMap<string, number> = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`
    .split(/\s+/)
    .map((word, value) => [word, value]),
);
const TENS: ReadonlyMap<string, number> = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety"
    .split(" ")
    .map((word, index) => [word, (index + 2) * 10]),
);
const SCALES: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
  ["dozen", 12],
]);
const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ...SCALES,
  ["mn", 1e6],
  ["bn", 1e9],
  ["k", 1e3],
  ["万", 1e4],
  ["億", 1e8],
  ["兆", 1e12],
  ["千", 1e3],
  ["百", 100],
]);

export function isNumberWord(lower: string): boolean {
  return SMALL.has(lower) || TENS.has(lower) || SCALES.has(lower);
}

/** "million", "k", 万: what a number before it is multiplied by. */
export function multiplierOf(word: string): number | undefined {
  return MULTIPLIERS.get(word.toLowerCase());
}

/** The value of number words in order, or undefined when they are no number ("hundred" alone is 100). */
export function englishNumber(words: readonly string[]): number | undefined {
  let total = 0;
  let current = 0;
  let seen = false;
  for (const word of words) {
    const small = SMALL.get(word) ?? TENS.get(word);
    const scale = SCALES.get(word);
    if (small !== undefined) current += small;
    else if (scale === 100 || scale === 12) current = (current || 1) * scale;
    else if (scale !== undefined) {
      total += (current || 1) * scale;
      current = 0;
    } else return undefined;
    seen = true;
  }
  return seen ? total + current : undefined;
}

const KANJI_DIGITS = "〇一二三四五六七八九";
const KANJI_SCALES: ReadonlyMap<string, number> = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1000],
]);
const KANJI_MYRIADS: ReadonlyMap<string, number> = new Map([
  ["万", 1e4],
  ["億", 1e8],
  ["兆", 1e12],
]);

/** 十二 → 12, 三百五 → 305, 二〇二四 → 2024, 一万 → 10000. Undefined for anything else. */
export function kanjiNumber(text: string): number | undefined {
  if (text === "") return undefined;
  if (Array.from(text).every((character) => KANJI_DIGITS.includes(character)))
    return Number(Array.from(text, (character) => KANJI_DIGITS.indexOf(character)).join(""));
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  for (const character of text) {
    const value = KANJI_DIGITS.indexOf(character);
    const scale = KANJI_SCALES.get(character);
    const myriad = KANJI_MYRIADS.get(character);
    if (value >= 0) digit = value;
    else if (scale !== undefined) {
      section += (digit ?? 1) * scale;
      digit = undefined;
    } else if (myriad !== undefined) {
      total += (section + (digit ?? 0) || 1) * myriad;
      section = 0;
      digit = undefined;
    } else return undefined;
  }
  return total + section + (digit ?? 0);
}
