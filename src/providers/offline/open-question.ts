/**
 * A question of the planner that the next message may answer, and what a call still needs before it can be made.
 */
import type { FilledArgument } from "./arguments/fill.ts";
import type { Parameter } from "./arguments/parameter.ts";
import type { Proposal } from "./propose.ts";

export type OpenQuestion =
  | { readonly type: "values"; readonly proposal: Proposal }
  | { readonly type: "confirm"; readonly proposal: Proposal }
  | { readonly type: "choice"; readonly proposals: readonly Proposal[] };

/** Missing values, and required ones that are only guesses. */
export function unsettled({ filling }: Proposal): readonly Parameter[] {
  const doubtful = filling.filled.filter(({ parameter, certain }) => parameter.required && !certain);
  return [...filling.missing, ...doubtful.map(({ parameter }) => parameter)];
}

/** The proposal with some arguments more, or others than it had. */
export function withArguments(proposal: Proposal, found: readonly FilledArgument[]): Proposal {
  const { filling } = proposal;
  const names = new Set(found.map(({ parameter }) => parameter.name));
  const values = Object.fromEntries(found.map(({ parameter, value }) => [parameter.name, value]));
  return {
    ...proposal,
    filling: {
      arguments: { ...filling.arguments, ...values },
      filled: [...filling.filled.filter(({ parameter }) => !names.has(parameter.name)), ...found],
      missing: filling.missing.filter(({ name }) => !names.has(name)),
    },
  };
}
