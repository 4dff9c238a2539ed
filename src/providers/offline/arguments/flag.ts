/**
 * Yes or no: a flag is set when the request speaks of what it switches ("including the precipitation", "with
 * details") and cleared when it speaks of it with a no ("don't return the full text", 〜なし).
 */
import { stem } from "../../../lib/ranking/stem.ts";
import { everydaySynonyms } from "../../../lib/ranking/synonyms.ts";
import type { Reading } from "../reading/reading.ts";
import type { Offer } from "./offer.ts";
import type { Parameter } from "./parameter.ts";

/** Words of flag names that are not what the flag is about. */
const SWITCHES = new Set(
  `include is with has show get enable allow use return only flag option set should whether want need do can apply
  require add all consider account calculate display fetch provide print output perform make`
    .split(/\s+/)
    .map(stem),
);
const NEGATIONS =
  /^(?:not|no|without|don't|doesn't|exclude|excluding|except|never|disable|skip|omit|few|little)$/;
const JAPANESE_NEGATIONS = /^(?:なし|なく|ない|せず|不要|除|除い|除外|無効)$/;
const AFFIRMATIONS = /^(?:include|including|with|also|only|enable|want|need|show|add|using|should|allow)$/;

export function flagOffer(parameter: Parameter, reading: Reading): Offer | undefined {
  const explicit = explicitFlag(parameter, reading);
  if (explicit !== undefined) return { parameter, value: explicit, score: 5, spans: [] };
  const topics = [...parameter.words.keys()].filter((word) => !SWITCHES.has(word));
  if (topics.length === 0) return undefined;
  let matched = 0;
  let negated = false;
  let affirmed = false;
  for (const topic of topics) {
    const index = reading.tokens.findIndex(
      (token) => token.type === "word" && alike(token.stem.replaceAll("-", ""), topic),
    );
    if (index < 0) continue;
    matched += 1;
    negated ||= said(reading, index, NEGATIONS, 4) || followedByNo(reading, index);
    affirmed ||= said(reading, index, AFFIRMATIONS, 3);
  }
  if (matched === 0) return undefined;
  const share = matched / topics.length;
  if (negated) return { parameter, value: false, score: 2 + share, spans: [] };
  return { parameter, value: true, score: 1.2 + 1.6 * share + (affirmed ? 1 : 0), spans: [] };
}

/** `recursive=true`, "recursive: no". */
function explicitFlag(parameter: Parameter, reading: Reading): boolean | undefined {
  const pattern = /([\p{L}_][\p{L}\p{N}_-]{0,60})\s*[=:]\s*(true|false|yes|no|on|off)\b/giu;
  for (const match of reading.folded.matchAll(pattern))
    if ((match[1] ?? "").toLowerCase() === parameter.name.toLowerCase())
      return /^(?:true|yes|on)$/i.test(match[2] ?? "");
  return undefined;
}

function alike(left: string, right: string): boolean {
  if (left === right) return true;
  if (Math.min(left.length, right.length) >= 5 && (left.startsWith(right) || right.startsWith(left)))
    return true;
  return (everydaySynonyms().get(left)?.get(right) ?? 0) >= 0.6;
}

function said(reading: Reading, index: number, words: RegExp, reach: number): boolean {
  for (let at = index; at >= 0 && at >= index - reach; at -= 1) {
    const token = reading.tokens[at];
    if (token === undefined || (token.type === "mark" && /[.?!。]/.test(token.text))) return false;
    if (words.test(token.lower)) return true;
  }
  return false;
}

function followedByNo(reading: Reading, index: number): boolean {
  return reading.tokens.slice(index + 1, index + 5).some((token) => JAPANESE_NEGATIONS.test(token.text));
}
