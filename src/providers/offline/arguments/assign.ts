/**
 * Who gets what: the combination of offers with the greatest sum in which no two take the same words. Searched
 * with a beam, so time is bounded whatever the tool's size. Equal sums go to the order of parameters and of the
 * request, so the outcome never depends on chance.
 */
import type { Span } from "../reading/literals.ts";
import { LEAST_OPTIONAL, LEAST_REQUIRED, type Offer } from "./offer.ts";
import type { Parameter } from "./parameter.ts";

const BEAM = 96;
const PER_PARAMETER = 8;
/** Filling a required parameter is worth something by itself; an optional one has to earn its place. */
const REQUIRED_BONUS = 1.5;
const OPTIONAL_COST = 2;

interface State {
  readonly sum: number;
  readonly taken: readonly Span[];
  readonly chosen: readonly Offer[];
}

export function assign(parameters: readonly Parameter[], offers: readonly Offer[]): readonly Offer[] {
  let states: readonly State[] = [{ sum: 0, taken: [], chosen: [] }];
  for (const parameter of parameters) {
    const own = best(parameter, offers);
    if (own.length === 0) continue;
    const next: State[] = [];
    for (const state of states) {
      for (const offer of own) {
        if (offer.spans.some((span) => collides(span, offer, state))) continue;
        const gain = parameter.required ? offer.score + REQUIRED_BONUS : offer.score - OPTIONAL_COST;
        next.push({
          sum: state.sum + gain,
          taken: [...state.taken, ...offer.spans],
          chosen: [...state.chosen, offer],
        });
      }
      next.push(state);
    }
    states = next.sort((left, right) => right.sum - left.sum).slice(0, BEAM);
  }
  return states[0]?.chosen ?? [];
}

function best(parameter: Parameter, offers: readonly Offer[]): readonly Offer[] {
  const least = parameter.required ? LEAST_REQUIRED : LEAST_OPTIONAL;
  return offers
    .filter((offer) => offer.parameter === parameter && offer.score >= least)
    .sort(
      (left, right) => right.score - left.score || (left.spans[0]?.start ?? 0) - (right.spans[0]?.start ?? 0),
    )
    .slice(0, PER_PARAMETER);
}

/**
 * A listed value ("vegan") may be part of a longer phrase that another parameter takes ("vegan chocolate cake"):
 * one word may choose and describe at once.
 */
function collides(span: Span, offer: Offer, state: State): boolean {
  return state.chosen.some((other) =>
    other.spans.some((taken) => {
      if (span.start >= taken.end || taken.start >= span.end) return false;
      const wider = span.end - span.start > taken.end - taken.start;
      const narrower = span.end - span.start < taken.end - taken.start;
      return !((other.listed && wider) || (offer.listed && narrower));
    }),
  );
}
