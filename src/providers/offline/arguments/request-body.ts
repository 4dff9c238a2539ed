/**
 * Parameters that take a whole sentence part rather than one phrase: what to search for, what to run, what to
 * say. The body is what remains when the asking ("search the web for", "please run") is taken off.
 */
import { DETERMINERS, PREPOSITIONS } from "../reading/english-words.ts";
import type { Span } from "../reading/literals.ts";
import type { Reading } from "../reading/reading.ts";
import { endsSentence, type Token } from "../reading/tokens.ts";
import type { Kind } from "./kinds.ts";
import type { Offer } from "./offer.ts";
import type { Parameter } from "./parameter.ts";
import type { Surroundings } from "./text-candidates.ts";

const TELLING = /^(?:run|execute|exec|launch|do|shell|bash|command)$/;

export function requestBody(parameter: Parameter, reading: Reading, around: Surroundings): Offer | undefined {
  const { kinds } = parameter;
  if (!kinds.has("query") && !kinds.has("command") && !kinds.has("text")) return undefined;
  const found =
    reading.language === "ja" ? japaneseBody(parameter, reading) : body(parameter, reading, around);
  if (found === undefined) return undefined;
  const { start, end, sure } = found;
  if (!/[\p{L}\p{N}]/u.test(reading.folded.slice(start, end))) return undefined;
  const whole = kinds.has("command") || kinds.has("query") || sure === "introduced";
  const score = sure === "marked" ? 4.5 : whole ? 2.7 : sure === "closed" ? 1.7 : 1.4;
  return { parameter, value: reading.folded.slice(start, end), score, spans: [{ start, end }] };
}

interface Body extends Span {
  /** What makes it sure: a "that" or colon before it, the tool's name after it, or a particle and verb. */
  readonly sure: "introduced" | "closed" | "marked" | undefined;
}

function body(parameter: Parameter, { tokens }: Reading, around: Surroundings): Body | undefined {
  let first = 0;
  let told = false;
  let introduced = false;
  while (first < tokens.length - 1 && !introduced) {
    const token = tokens[first];
    if (token === undefined || token.type === "literal") break;
    told ||= TELLING.test(token.lower);
    // "remember that I like tea": what follows is the text, whatever its words are.
    introduced = first > 0 && (token.lower === "that" || token.text === ":");
    const tells = parameter.kinds.has("command") && TELLING.test(token.lower);
    if (!introduced && !tells && !isAsking(token, parameter, around)) break;
    first += 1;
  }
  // Only a request to run something says what to run; "the tests" are no command.
  const isNamed = DETERMINERS.has(tokens[first - 1]?.lower ?? "");
  if (first === 0 || (parameter.kinds.has("command") && (!told || isNamed))) return undefined;
  let end = first;
  while (end + 1 < tokens.length && !isEnd(tokens[end + 1])) end += 1;
  // "add buy milk to my todo list": what names the tool again is off the end too.
  let last = end;
  while (last > first && closes(tokens, first, last, parameter, around)) last -= 1;
  const from = tokens[first];
  const to = tokens[last];
  const words = tokens.slice(first, last + 1);
  if (from === undefined || to === undefined) return undefined;
  if (words.every(({ lower }) => PREPOSITIONS.has(lower) || DETERMINERS.has(lower))) return undefined;
  return {
    start: from.start,
    end: to.end,
    sure: introduced ? "introduced" : last < end ? "closed" : undefined,
  };
}

/** Which verbs, after を, take the whole of what stands before them. */
const JAPANESE: readonly (readonly [Kind, RegExp])[] = [
  [
    "command",
    /(?:コマンド\s*[:：]?\s*)?([^、。\n]+?)\s*(?:というコマンド|コマンド)?\s*を\s*(?:実行|走らせ|起動)/d,
  ],
  ["query", /([^、。\n]+?)\s*を\s*(?:検索|探|調べ|サーチ)/d],
  ["text", /([^、。\n]+?)\s*(?:を|と)\s*(?:送|投稿|覚え|記憶|保存|書|翻訳)/d],
];

function japaneseBody({ kinds }: Parameter, reading: Reading): Body | undefined {
  for (const [kind, pattern] of JAPANESE) {
    const match = kinds.has(kind) ? pattern.exec(reading.folded) : null;
    if (match === null) continue;
    // ウェブで〜を検索: where to search is no part of what to search for.
    const where =
      kind === "command" ? /^\S*?(?:シェル|ターミナル|端末|bash)\S*?で\s*/i : /^.*?(?:から|[でに])\s*(?=\S)/;
    const lead = where.exec(match[1] ?? "")?.[0].length ?? 0;
    const from = match.indices?.[1]?.[0] ?? match.index;
    const start = from + lead;
    const end = from + (match[1] ?? "").length;
    const quoted = reading.literals.some(
      (one) => one.type === "quoted" && one.start < end && start < one.end,
    );
    // テストを実行: a command line begins with the name of a program.
    const isLine = kind !== "command" || /^[\x21-\x7e]/.test(reading.folded.slice(start, end));
    if (!quoted && isLine && start < end) return { start, end, sure: "marked" };
  }
  return undefined;
}

function isEnd(token: Token | undefined): boolean {
  return token === undefined || endsSentence(token);
}

/** Words of asking: marks, function words, and the tool's or the parameter's own. */
function isAsking(token: Token | undefined, parameter: Parameter, around: Surroundings): boolean {
  if (token === undefined || token.type === "literal") return false;
  if (token.type === "mark" || !token.content || parameter.words.has(token.stem)) return true;
  return around.vocabulary.has(token.stem) && (!token.capital || token.opensSentence);
}

/** The words from the last preposition on are all asking: "to my todo list", not "places in Rome". */
function closes(
  tokens: readonly Token[],
  first: number,
  last: number,
  parameter: Parameter,
  around: Surroundings,
): boolean {
  for (let index = last; index > first; index -= 1) {
    if (!isAsking(tokens[index], parameter, around)) return false;
    if (PREPOSITIONS.has(tokens[index]?.lower ?? "")) return true;
  }
  return false;
}
