/**
 * Text to terms, for documents and queries alike. Latin words are split where identifiers are
 * (`getRanking`, `get_ranking`), lower-cased and stemmed; Japanese (and other scripts without spaces) goes
 * through Intl.Segmenter, and its character pairs are added with less weight, so that a word the dictionary
 * cuts elsewhere still meets. Text beyond MAX_LENGTH is not read: the caller says so where it matters.
 */
import { stem } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";

export interface Term {
  readonly term: string;
  readonly weight: number;
}

export const MAX_LENGTH = 20_000;

const PAIR_WEIGHT = 0.35;
/** `JavaScript` is javascript, and a little java and script. */
const PART_WEIGHT = 0.5;
const RUN = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー々〆]+/gu;
const HIRAGANA_ONLY = /^[\p{Script=Hiragana}ー]+$/u;
const PLAIN = /^[A-Z]?[a-z]+$/;
const KANJI_PAIR = /^\p{Script=Han}{2}$/u;
const CAMEL =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

let segmenter: Intl.Segmenter | undefined;
/** The same few runs of kanji and kana come again and again in tools' descriptions. */
const segmented = new Map<string, readonly string[]>();
const CACHED_RUNS = 5000;
const CACHED_LENGTH = 40;

export function tokenize(text: string): readonly Term[] {
  const terms: Term[] = [];
  for (const [run] of text.slice(0, MAX_LENGTH).normalize("NFKC").matchAll(RUN)) {
    if (PLAIN.test(run)) {
      add(run.toLowerCase(), 1, terms);
      continue;
    }
    let end = 0;
    for (const match of run.matchAll(UNSPACED)) {
      addSpaced(run.slice(end, match.index), terms);
      addUnspaced(match[0], terms);
      end = match.index + match[0].length;
    }
    addSpaced(run.slice(end), terms);
  }
  return terms;
}

/** The words of unspaced text, in order, particles and endings included. */
export function segmentWords(text: string): readonly string[] {
  const known = segmented.get(text);
  if (known !== undefined) return known;
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  const words = Array.from(segmenter.segment(text), ({ segment }) => segment);
  if (text.length > CACHED_LENGTH) return words;
  if (segmented.size >= CACHED_RUNS) segmented.clear();
  segmented.set(text, words);
  return words;
}

function addSpaced(run: string, terms: Term[]): void {
  if (run === "") return;
  const whole = run.toLowerCase().replaceAll("’", "'");
  if (isStopWord(whole)) return;
  const quote = whole.indexOf("'");
  const bare = quote < 0 ? whole : whole.slice(0, quote);
  const parts = run.length > 64 || PLAIN.test(run) ? [] : run.split(CAMEL);
  if (parts.length < 2) {
    add(bare, 1, terms);
    return;
  }
  add(bare, 1, terms);
  for (const part of parts) add(part.toLowerCase(), PART_WEIGHT, terms);
}

function add(word: string, weight: number, terms: Term[]): void {
  if (word === "" || isStopWord(word)) return;
  terms.push({ term: stem(word), weight });
}

function addUnspaced(run: string, terms: Term[]): void {
  for (const word of segmentWords(run)) {
    if (isStopWord(word) || (HIRAGANA_ONLY.test(word) && word.length < 3)) continue;
    terms.push({ term: word, weight: 1 });
  }
  const characters = Array.from(run);
  for (let index = 0; index + 1 < characters.length; index += 1) {
    const pair = `${characters[index]}${characters[index + 1]}`;
    // Kana words are cut reliably; it is compounds of kanji that the dictionary cuts now here, now there.
    if (!KANJI_PAIR.test(pair)) continue;
    terms.push({ term: `\u0002${pair}`, weight: PAIR_WEIGHT });
  }
}
