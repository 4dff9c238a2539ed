/**
 * How sure the planner is. Certain enough to call, sure of the tool but short of a value, in doubt between a few,
 * or nothing fits. What is not read-only needs more than what is: a guess there is a question, never a call.
 */
import { isStopWord } from "../../lib/ranking/stop-words.ts";
import { isAble } from "./able.ts";
import { unsettled } from "./open-question.ts";
import type { Proposal } from "./propose.ts";
import { countersOf } from "./reading/japanese-counters.ts";
import type { Reading } from "./reading/reading.ts";
import { isKnown, isReadOnly, SURROUNDINGS, wordsOf } from "./tool-words.ts";

export type Verdict =
  | { readonly type: "call"; readonly proposal: Proposal }
  /** Everything is there, but a yes is needed first. */
  | { readonly type: "confirm"; readonly proposal: Proposal }
  | { readonly type: "ask"; readonly proposal: Proposal }
  | { readonly type: "choose"; readonly proposals: readonly Proposal[] }
  | { readonly type: "nothing" };

/** How much of the request a tool must explain, by what may go wrong. */
const LEAST = { anything: 0.34, readOnly: 0.45, writing: 0.6 };
/** A value below this may be right, but nobody should find out by writing. Defaults and choices lie above. */
const GUESS = 1;
/** Two tools nearer than this are in doubt. */
const NEAR = 0.06;
const SHOWN = 3;

export function judge(proposed: readonly Proposal[], reading: Reading): Verdict {
  const proposals = proposed.filter((proposal) => isAble(proposal, reading));
  const best = proposals[0];
  if (best === undefined) return { type: "nothing" };
  const explained = explainedBy(best, reading);
  if (explained < LEAST.anything && !best.mentioned) return { type: "nothing" };
  const readOnly = isReadOnly(best.tool);
  const rivals = proposals.filter(
    (one) => one.score > best.score - NEAR * best.score && one.mentioned === best.mentioned,
  );
  if ((explained < LEAST.readOnly && !best.mentioned) || (rivals.length > 1 && !readOnly))
    return { type: "choose", proposals: proposals.slice(0, SHOWN) };
  // A required value that is only a guess is asked for; an optional one was never taken on a guess.
  if (unsettled(best).length > 0) return { type: "ask", proposal: best };
  const guessed = best.filling.filled.some(({ parameter, score }) => parameter.required && score < GUESS);
  const sure = readOnly || (!guessed && (best.mentioned || explained >= LEAST.writing));
  return { type: sure ? "call" : "confirm", proposal: best };
}

/** 0 to 1: how many of the words that are no values this tool's own words account for. */
export function explainedBy(proposal: Proposal, reading: Reading): number {
  const spansOf = (listed: boolean) =>
    proposal.filling.filled.flatMap((one) =>
      one.provenance.from === "request" && (one.listed === true) === listed ? one.provenance.spans : [],
    );
  const used = spansOf(false);
  const chosen = spansOf(true);
  const words = wordsOf(proposal.tool);
  let matched = 0;
  let total = 0;
  for (const [index, token] of reading.tokens.entries()) {
    // A unit or counter belongs to its number; 位 speaks of ranks all the same.
    if (token.unspaced && reading.tokens[index - 1]?.literal?.type === "number") {
      if (!countersOf(token.text).some((word) => words.has(word))) continue;
      matched += 1;
      total += 1;
      continue;
    }
    if (used.some((span) => span.start < token.end && token.start < span.end)) continue;
    if (token.type === "mark" || isStopWord(token.lower)) continue;
    if (token.unspaced && !token.content) continue;
    if (token.type === "literal" && token.literal?.type === "number") continue;
    const weight = token.content ? 1 : 0.5;
    const known =
      isKnown(token.stem, words) || chosen.some((span) => span.start < token.end && token.start < span.end);
    if (known) matched += weight;
    // "in this project", "here": where one works anyway.
    if (known || !SURROUNDINGS.test(token.lower)) total += weight;
  }
  // Values alone explain nothing: a request that shares no word with a tool is not about it.
  if (matched === 0) return 0;
  return matched / total;
}
