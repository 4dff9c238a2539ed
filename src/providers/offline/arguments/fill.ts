/**
 * Fills a tool's arguments from a request. All offers of all parameters compete: the best fit is taken first,
 * and what it takes from the request is gone. Pure and bounded; never asks, never guesses beyond the words.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolDefinition,
} from "../../../conversation/index.ts";
import { stem } from "../../../lib/ranking/stem.ts";
import { tokenize } from "../../../lib/ranking/tokenize.ts";
import type { Reading } from "../reading/reading.ts";
import { assign } from "./assign.ts";
import { choiceOffers } from "./choice-offers.ts";
import { cueOf } from "./cues.ts";
import { explicitOffers } from "./explicit-offers.ts";
import { flagOffer } from "./flag.ts";
import { listOffers } from "./list-offers.ts";
import { numberOffers } from "./number-offers.ts";
import { CERTAIN, CLEARLY, LIKELY, type Offer, type Provenance } from "./offer.ts";
import { identifierWords, type Parameter, parametersOf } from "./parameter.ts";
import { fillBothEnds, fillCount, orderSiblings } from "./siblings.ts";
import { slugOffers } from "./slug-offers.ts";
import type { Surroundings } from "./text-candidates.ts";
import { textOffers } from "./text-offers.ts";

export interface FilledArgument {
  readonly parameter: Parameter;
  readonly value: JsonValue;
  readonly score: number;
  readonly certain: boolean;
  readonly provenance: Provenance;
  /** One of the values that the parameter lists: the request used the tool's own word. */
  readonly listed?: boolean;
  readonly placed?: boolean;
}

export interface Filling {
  readonly arguments: JsonObject;
  readonly filled: readonly FilledArgument[];
  readonly missing: readonly Parameter[];
}

/** Values that the surroundings list for parameters of a name: `extension_name` is one of the extensions. */
export type Lists = ReadonlyMap<string, readonly string[]>;

export function fillArguments(tool: ToolDefinition, reading: Reading, lists?: Lists): Filling {
  const parameters = parametersOf(tool.inputSchema).map((parameter) => withList(parameter, lists));
  const filling = fill(tool, parameters, reading);
  const needed = neededBy(filling, parameters);
  if (needed.size === 0) return filling;
  const asked = parameters.map((one) => (needed.has(one) ? { ...one, required: true } : one));
  return fill(tool, asked, reading);
}

/** What a chosen way of changing something cannot do without, as descriptions say it: "write: the whole new content". */
function neededBy({ filled }: Filling, parameters: readonly Parameter[]): ReadonlySet<Parameter> {
  const ways = filled.flatMap(({ parameter, value }) =>
    parameter.closed && typeof value === "string" && CHANGES.test(value) ? [`${value}:`] : [],
  );
  const needed = parameters.filter(
    ({ required, type, description }) =>
      !required && type !== "boolean" && ways.some((way) => description.includes(way)),
  );
  return new Set(needed);
}

const CHANGES = /^(?:write|create|insert|append|add|set|send|update|replace|str_replace|rename|move)$/;

function fill(tool: ToolDefinition, parameters: readonly Parameter[], reading: Reading): Filling {
  const names = new Set(identifierWords(`${tool.toolName} ${tool.title ?? ""}`).map(stem));
  const around: Surroundings = { vocabulary: vocabularyOf(tool), names, parameters };
  const offers = parameters.flatMap((parameter) => [
    ...explicitOffers(parameter, reading),
    ...slugOffers(parameter, parameters, reading),
    ...offersFor(parameter, reading, around),
  ]);
  const chosen = orderSiblings(choose(offers, parameters, reading));
  const filled = [...fillCount(fillBothEnds(chosen, parameters), parameters, reading)];
  for (const parameter of parameters) {
    if (!parameter.required || filled.some((one) => one.parameter === parameter)) continue;
    if (parameter.default === undefined) continue;
    filled.push({
      parameter,
      value: parameter.default,
      score: 1,
      certain: true,
      provenance: { from: "default" },
    });
  }
  const missing = parameters.filter(
    (parameter) => parameter.required && !filled.some((one) => one.parameter === parameter),
  );
  return { arguments: { ...emptyObjects(tool.inputSchema), ...assemble(filled) }, filled, missing };
}

function withList(parameter: Parameter, lists: Lists | undefined): Parameter {
  const values =
    parameter.choices.length > 0 ? undefined : lists?.get(parameter.name.toLowerCase().replaceAll("_", ""));
  if (values === undefined) return parameter;
  return { ...parameter, closed: true, choices: values.map((value) => ({ value, spellings: [value] })) };
}

function vocabularyOf(tool: ToolDefinition): ReadonlySet<string> {
  const text = `${tool.extension} ${tool.toolName} ${tool.title ?? ""} ${tool.description ?? ""}`.slice(
    0,
    2000,
  );
  return new Set([...identifierWords(text).map(stem), ...tokenize(text).map(({ term }) => term)]);
}

function offersFor(parameter: Parameter, reading: Reading, around: Surroundings): readonly Offer[] {
  switch (parameter.type) {
    case "integer":
    case "number":
      return numberOffers(parameter, reading);
    case "boolean": {
      const offer = flagOffer(parameter, reading);
      return offer === undefined ? [] : [offer];
    }
    case "array":
      return listOffers(parameter, reading, around);
    case "object":
      return objectOffers(parameter, reading);
    case "string":
    case "any": {
      const chosen = choiceOffers(parameter, reading, around.names);
      // A listed value that the request names is meant; prose beside it is not.
      return parameter.closed || chosen.length > 0 ? chosen : textOffers(parameter, reading, around);
    }
  }
}

function objectOffers(parameter: Parameter, reading: Reading): readonly Offer[] {
  const offers: Offer[] = [];
  reading.tokens.forEach((token, index) => {
    if (token.literal?.type !== "json" || !isJsonObject(token.literal.value)) return;
    const cue = cueOf(parameter, reading, index, index);
    const { start, end } = token.literal;
    offers.push({ parameter, value: token.literal.value, score: 3 + cue.left, spans: [{ start, end }] });
  });
  const pairs = Array.from(
    reading.folded.matchAll(
      /['"]?([\p{L}_][\p{L}\p{N}_]{0,40})['"]?\s*[:=]\s*(?:'([^']{1,200})'|"([^"]{1,200})"|([^\s,;'"]{1,200}))/gu,
    ),
    (match) => [match[1] ?? "", match[2] ?? match[3] ?? match[4] ?? "", match] as const,
  );
  if (pairs.length > 0 && offers.length === 0) {
    const value = Object.fromEntries(pairs.map(([key, text]) => [key, text]));
    const spans = pairs.map(([, , match]) => ({ start: match.index, end: match.index + match[0].length }));
    offers.push({ parameter, value, score: 2, spans });
  }
  return offers;
}

function choose(
  offers: readonly Offer[],
  parameters: readonly Parameter[],
  reading: Reading,
): FilledArgument[] {
  return assign(parameters, offers).map((offer) => {
    const { parameter, value, score, spans, listed = false, placed = false } = offer;
    const text = spans.map(({ start, end }) => reading.original.slice(start, end)).join(" … ");
    const certain = isCertain(offer, offers);
    return { parameter, value, score, certain, listed, placed, provenance: { from: "request", spans, text } };
  });
}

/** It fits well, or nothing else in the request comes near. */
function isCertain(offer: Offer, offers: readonly Offer[]): boolean {
  if (offer.score >= CERTAIN) return true;
  if (offer.score < LIKELY) return false;
  const rivals = offers.filter(
    (other) =>
      other.parameter === offer.parameter &&
      !other.spans.some((span) => offer.spans.some((own) => span.start < own.end && own.start < span.end)),
  );
  return rivals.every(({ score }) => score < offer.score - CLEARLY);
}

/** A required object must be there, even where everything in it is optional. */
function emptyObjects(schema: JsonObject): JsonObject {
  const properties = schema["properties"];
  const required = schema["required"];
  if (!isJsonObject(properties) || !Array.isArray(required)) return {};
  const objects = Object.entries(properties).filter(
    ([name, property]) =>
      required.includes(name) &&
      isJsonObject(property) &&
      isJsonObject(property["properties"]) &&
      !(Array.isArray(property["required"]) && property["required"].length > 0),
  );
  return Object.fromEntries(objects.map(([name]) => [name, {}]));
}

function assemble(filled: readonly FilledArgument[]): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const { parameter, value } of filled) {
    let target: Record<string, JsonValue> = result;
    parameter.path.forEach((name, index) => {
      if (index === parameter.path.length - 1) target[name] = value;
      else {
        const inner = (target[name] ?? {}) as Record<string, JsonValue>;
        target[name] = inner;
        target = inner;
      }
    });
  }
  return result;
}
