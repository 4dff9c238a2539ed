/**
 * Parameters that take a whole sentence part rather than one phrase: what to search for, what to run, what to
 * say. The body is what remains when the asking ("search the web for", "please run") is taken off.
 */
import { DETERMINERS, PREPOSITIONS } from "../reading/english-words.ts";
import type { Reading } from "../reading/reading.ts";
import { endsSentence, type Token } from "../reading/tokens.ts";
import type { Offer } from "./offer.ts";
import type { Parameter } from "./parameter.ts";
import type { Surroundings } from "./text-candidates.ts";

const TELLING = /^(?:run|execute|exec|launch|do|shell|bash|command)$/;

export function requestBody(parameter: Parameter, reading: Reading, around: Surroundings): Offer | undefined {
  const { kinds } = parameter;
  if (!kinds.has("query") && !kinds.has("command") && !kinds.has("text")) return undefined;
  if (reading.language === "ja") return undefined;
  const { tokens } = reading;
  let first = 0;
  let asked = false;
  let told = false;
  let introduced = false;
  while (first < tokens.length - 1) {
    const token = tokens[first];
    if (token === undefined || token.type === "literal") break;
    told ||= TELLING.test(token.lower);
    // "remember that I like tea": what follows is the text, whatever its words are.
    if (asked && (token.lower === "that" || token.text === ":")) {
      introduced = true;
      first += 1;
      break;
    }
    if (!isAsking(token, parameter, around)) break;
    asked = true;
    first += 1;
  }
  let last = first;
  while (last + 1 < tokens.length && !endsSentence(tokens[last + 1] ?? tokens[last] ?? never())) last += 1;
  // "add buy milk to my todo list": what names the tool again is off the end too.
  let closed = false;
  while (
    last > first &&
    isAsking(tokens[last], parameter, around) &&
    closes(tokens, first, last, parameter, around)
  ) {
    last -= 1;
    closed = true;
  }
  const from = tokens[first];
  const to = tokens[last];
  // Only a request to run something says what to run.
  if (kinds.has("command") && !told) return undefined;
  if (!asked || from === undefined || to === undefined || last < first) return undefined;
  const words = tokens.slice(first, last + 1);
  const plain = words.every((token) => PREPOSITIONS.has(token.lower) || DETERMINERS.has(token.lower));
  if (plain) return undefined;
  const value = reading.folded.slice(from.start, to.end);
  const score = kinds.has("command") || kinds.has("query") || introduced ? 2.7 : closed ? 1.7 : 1.4;
  return {
    parameter,
    value,
    score,
    spans: [{ start: from.start, end: to.end }],
  };
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

function never(): never {
  throw new Error("request-body: a token index ran past the end");
}
