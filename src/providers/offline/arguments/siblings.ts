/**
 * Parameters that differ only in a number or an end (`point1` and `point2`, `from_currency` and `to_currency`)
 * take their values in the order in which the request gives them, unless the request says which is which.
 */
import type { Reading } from "../reading/reading.ts";
import type { FilledArgument } from "./fill.ts";
import { identifierWords, type Parameter } from "./parameter.ts";
import { roleAt } from "./roles.ts";

export function orderSiblings(filled: readonly FilledArgument[]): readonly FilledArgument[] {
  const families = new Map<string, FilledArgument[]>();
  for (const argument of filled) {
    const family = familyOf(argument);
    if (family === undefined) continue;
    families.set(family, [...(families.get(family) ?? []), argument]);
  }
  const result = new Map(filled.map((argument) => [argument.parameter, argument]));
  for (const members of families.values()) {
    if (members.length < 2 || members.some((one) => startOf(one) === undefined || one.placed === true))
      continue;
    const inOrder = [...members].sort((left, right) => (startOf(left) ?? 0) - (startOf(right) ?? 0));
    const parameters = [...members]
      .sort((left, right) => rankOf(left) - rankOf(right))
      .map(({ parameter }) => parameter);
    inOrder.forEach((value, index) => {
      const parameter = parameters[index];
      if (parameter !== undefined) result.set(parameter, { ...value, parameter });
    });
  }
  return filled.map(({ parameter }) => result.get(parameter)).filter((one) => one !== undefined);
}

/** "rank 5", "in 2015": one number for a range that needs two ends is both of them. */
export function fillBothEnds(
  filled: readonly FilledArgument[],
  parameters: readonly Parameter[],
): readonly FilledArgument[] {
  const missing = parameters.filter(
    (parameter) => parameter.required && !filled.some((one) => one.parameter === parameter),
  );
  const added = missing.flatMap((parameter) => {
    const isNumber = parameter.type === "integer" || parameter.type === "number";
    const twin = filled.find(
      (one) => one.parameter.role !== parameter.role && familyOf(one) === familyOf({ parameter }),
    );
    if (!isNumber || parameter.role === undefined || twin === undefined) return [];
    if (twin.placed === true || twin.parameter.role === undefined) return [];
    return [{ ...twin, parameter }];
  });
  return [...filled, ...added];
}

/** "lines 10 to 20" for a tool that takes a start and how many: 11 from 10 on. */
export function fillCount(
  filled: readonly FilledArgument[],
  parameters: readonly Parameter[],
  reading: Reading,
): readonly FilledArgument[] {
  const start = filled.find(
    ({ parameter, value }) => parameter.role === "start" && typeof value === "number",
  );
  const count = parameters.find(({ type, kinds }) => type === "integer" && kinds.has("count"));
  const hasEnd = parameters.some(({ role }) => role === "end");
  if (start === undefined || count === undefined || hasEnd) return filled;
  if (filled.some(({ parameter }) => parameter === count)) return filled;
  const at = reading.tokens.findIndex(
    ({ literal }, index) => literal?.type === "number" && roleAt(reading, index, index) === "end",
  );
  const literal = reading.tokens[at]?.literal;
  const value = literal?.type === "number" ? literal.number.value - Number(start.value) + 1 : 0;
  if (literal === undefined || value < 1) return filled;
  const { end } = literal;
  const provenance = {
    from: "request",
    spans: [{ start: literal.start, end }],
    text: reading.folded.slice(literal.start, end),
  } as const;
  return [...filled, { ...start, parameter: count, value, provenance }];
}

const ENDS =
  /^(?:start|starting|from|begin|origin|source|end|ending|to|destination|target|first|second|third|initial|final)$/;

/** The name without what sets the siblings apart; undefined for an only child's name. */
function familyOf({ parameter }: Pick<FilledArgument, "parameter">): string | undefined {
  const words = identifierWords(parameter.name.replace(/(?<=[a-z])([A-C])$/, "_$1"));
  const rest = words.filter((word) => !/^\d$|^[a-c]$/.test(word) && !ENDS.test(word));
  if (rest.length === words.length) return undefined;
  if (rest.length === 0 && parameter.role === undefined) return undefined;
  return `${parameter.type}:${rest.join("_")}`;
}

function rankOf({ parameter }: FilledArgument): number {
  if (parameter.role === "start") return 0;
  if (parameter.role === "end") return 1;
  const last =
    identifierWords(parameter.name.replace(/(?<=[a-z])([A-C])$/, "_$1")).find((word) =>
      /^\d$|^[a-c]$/.test(word),
    ) ?? "";
  const ordinal = ["first", "second", "third"].findIndex((word) =>
    parameter.name.toLowerCase().includes(word),
  );
  if (ordinal >= 0) return ordinal;
  return /\d/.test(last) ? Number(last) : last.charCodeAt(0) - 96;
}

function startOf({ provenance }: FilledArgument): number | undefined {
  return provenance.from === "request" ? provenance.spans[0]?.start : undefined;
}
