/**
 * Places: by the preposition before them, and by which part of the world the parameter asks for (a city, a
 * state, a country, or "city, state" in one).
 */
import { isCountry, stateCode } from "../reading/known-names.ts";
import type { Parameter } from "./parameter.ts";
import type { Match } from "./text-score.ts";

const BY_PREPOSITION: ReadonlyMap<string, number> = new Map(
  Object.entries({
    in: 2,
    near: 2,
    around: 2,
    at: 1.6,
    within: 1.6,
    inside: 1.6,
    across: 1.5,
    throughout: 1.5,
    between: 1.5,
    from: 1.4,
    to: 1.4,
    for: 0.8,
    of: 0.7,
    on: 0.4,
    over: 0.3,
    about: -0.3,
    by: -0.5,
    with: -0.8,
  }),
);

export function placeScore({ parameter, phrase, around }: Match): number {
  const { kinds, words } = parameter;
  const { text } = phrase;
  const isCountryName = isCountry(text);
  const isState = stateCode(text) !== undefined;
  const preposition = phrase.preposition ?? "";
  const byPreposition =
    preposition === "between" && parameter.role === undefined ? -0.5 : BY_PREPOSITION.get(preposition);
  let score = (byPreposition ?? 0) * (phrase.kind === "chunk" ? 0.7 : 1);
  if (text.includes(",")) {
    const splits = around.parameters.some(
      (other) => other !== parameter && (other.kinds.has("country") || other.kinds.has("state")),
    );
    score += wantsCityAndState(parameter) ? 1.2 : splits ? -2 : words.has("citi") ? -0.2 : 0.4;
  }
  if (kinds.has("country")) score += isCountryName ? 2 : -0.8;
  else if (isCountryName && kinds.has("city")) score -= 1;
  if (kinds.has("state")) score += isState ? 2 : -0.5;
  else if (words.has("citi") && isState && !/^(?:New York|Washington)$/.test(text)) score -= 1.5;
  return score;
}

/** "The city and state, e.g. San Francisco, CA". */
export function wantsCityAndState({ description }: Parameter): boolean {
  return /city,? (?:and|&) (?:state|country)|city,\s*(?:state|country|\w{2}\b)|\p{L}, [A-Z]{2}\b/iu.test(
    description,
  );
}
