/**
 * A tool's parameters as the planner sees them: flat, with the words of name and description, the kind of thing
 * that is meant, the choices, and the default. Reads JSON Schema defensively: bounded in number and depth, local
 * `$ref`s only, and whatever it does not understand counts as text.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../conversation/index.ts";
import { stem } from "../../../lib/ranking/stem.ts";
import { type Unit, unitOf } from "../reading/units.ts";
import { type Choice, choicesOf, defaultIn } from "./choices.ts";
import { type Kind, kindsOf } from "./kinds.ts";

export type ParameterType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "any";

export interface Parameter {
  /** Where the value goes: `["budget", "min"]` for a property of a property. */
  readonly path: readonly string[];
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonObject;
  readonly default: JsonValue | undefined;
  /** Declared with `enum`, or listed in the description; `closed` says which. */
  readonly choices: readonly Choice[];
  readonly closed: boolean;
  /** Stems of the name, each with how telling it is. */
  readonly words: ReadonlyMap<string, number>;
  readonly descriptionWords: ReadonlySet<string>;
  /** Stems that the description gives as examples of values ("like Sushi"). */
  readonly exampleWords: ReadonlySet<string>;
  readonly kinds: ReadonlySet<Kind>;
  readonly unit: Unit | undefined;
  readonly role: "start" | "end" | undefined;
  /** Of an array's items. */
  readonly item: Parameter | undefined;
}

const MAX_PARAMETERS = 100;
const MAX_DEPTH = 4;
const MAX_DESCRIPTION = 1000;
/** Words that say little in a parameter's name: nearly every tool has them. */
const VAGUE = new Set(
  "name type number num value id list info data string param of in to the for and is a n no count total parameter field input".split(
    " ",
  ),
);
const START =
  /^(?:start|starting|from|begin|beginning|origin|source|min|minimum|lower|initial|departure|since|first|old|low)$/;
const END =
  /^(?:end|ending|to|until|destination|target|dest|max|maximum|upper|final|arrival|last|new|high|stop)$/;

export function parametersOf(schema: JsonObject): readonly Parameter[] {
  const found: Parameter[] = [];
  collect(schema, [], true, 0);
  return found;

  function collect(object: JsonObject, path: readonly string[], required: boolean, depth: number): void {
    const properties = object["properties"];
    if (!isJsonObject(properties) || depth > MAX_DEPTH) return;
    const names = Array.isArray(object["required"]) ? object["required"] : [];
    for (const [name, raw] of Object.entries(properties)) {
      if (found.length >= MAX_PARAMETERS) return;
      // A value under this name would go into a prototype, not into the arguments.
      if (name === "__proto__") continue;
      const property = resolve(raw, schema);
      const parameter = parameterOf(
        name,
        property,
        [...path, name],
        required && names.includes(name),
        schema,
      );
      if (parameter.type === "object" && isJsonObject(property["properties"])) {
        collect(property, parameter.path, parameter.required, depth + 1);
      } else found.push(parameter);
    }
  }
}

function parameterOf(
  name: string,
  schema: JsonObject,
  path: readonly string[],
  required: boolean,
  root: JsonObject,
): Parameter {
  const description = [schema["title"], schema["description"]]
    .filter((text) => typeof text === "string")
    .join(". ")
    .slice(0, MAX_DESCRIPTION);
  const type = typeOf(schema);
  const pieces = identifierWords(path.length > 1 ? path.slice(-2).join("_") : name);
  const closed = Array.isArray(schema["enum"]) || schema["const"] !== undefined;
  const items = schema["items"];
  const kinds = kindsOf(pieces, description, schema);
  return {
    path,
    name,
    type,
    required,
    description,
    schema,
    default: schema["default"] ?? defaultIn(description, type),
    choices: choicesOf(schema, description, type, kinds),
    closed,
    words: wordWeights(pieces),
    descriptionWords: new Set(
      identifierWords(description)
        .map(stem)
        .filter((word) => word.length > 1),
    ),
    exampleWords: examplesIn(description),
    kinds,
    unit: unitIn(pieces, description),
    role: roleOf(pieces, description),
    item:
      type === "array" && isJsonObject(items)
        ? parameterOf(singular(name), resolve(items, root), [], required, root)
        : undefined,
  };
}

function examplesIn(description: string): ReadonlySet<string> {
  const examples = Array.from(
    description.matchAll(
      /(?:\be\.g\.?|\bsuch as|\blike|\bfor (?:example|instance)|\bi\.e\.?),?\s*([^.;)]{1,120})/gi,
    ),
    (match) => match[1] ?? "",
  );
  const quoted = Array.from(description.matchAll(/['"]([^'"]{1,60})['"]/g), (match) => match[1] ?? "");
  return new Set([...examples, ...quoted].flatMap(identifierWords).map(stem));
}

function wordWeights(pieces: readonly string[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const piece of pieces) if (!/^\d+$/.test(piece)) weights.set(stem(piece), VAGUE.has(piece) ? 0.3 : 1);
  return weights;
}

/** `rankStart`, `rank_start`, `rank-start` → rank, start. */
export function identifierWords(text: string): readonly string[] {
  return text
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\d)/gu, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}°²³]+/u)
    .filter(Boolean);
}

function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "");
}

function typeOf(schema: JsonObject): ParameterType {
  const declared = Array.isArray(schema["type"])
    ? schema["type"].find((type) => type !== "null")
    : schema["type"];
  switch (declared) {
    case "string":
    case "integer":
    case "number":
    case "boolean":
    case "array":
    case "object":
      return declared;
    default:
      if (isJsonObject(schema["properties"])) return "object";
      if (Array.isArray(schema["enum"])) return "string";
      return "any";
  }
}

/** Local references and the first real branch of a choice of schemas; a loop or a stranger is plain text. */
function resolve(schema: JsonValue | undefined, root: JsonObject, depth = 0): JsonObject {
  if (!isJsonObject(schema) || depth > 8) return {};
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    if (!reference.startsWith("#/")) return {};
    let target: JsonValue | undefined = root;
    for (const step of reference.slice(2).split("/"))
      target = isJsonObject(target) ? target[step] : undefined;
    return { ...resolve(target, root, depth + 1), ...without(schema, "$ref") };
  }
  const branches = schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"];
  if (!Array.isArray(branches)) return schema;
  const branch = branches.find((one) => isJsonObject(one) && one["type"] !== "null");
  return { ...resolve(branch, root, depth + 1), ...schema };
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** The unit a number is wanted in: from the name (`height_cm`, `days`), else "in meters", "(kg)". */
function unitIn(pieces: readonly string[], description: string): Unit | undefined {
  // `compounds_per_year` counts something; it is no number of years.
  const perAt = pieces.indexOf("per");
  for (const piece of perAt < 0 ? pieces : pieces.slice(0, perAt)) {
    const unit = piece.length > 1 && piece !== "in" ? unitOf(piece) : undefined;
    if (unit !== undefined) return unit;
  }
  if (perAt >= 0) return undefined;
  const tail = pieces.at(-1) ?? "";
  if (pieces.length > 1 && tail.length === 1 && unitOf(tail) !== undefined) return unitOf(tail);
  // "(L) in henries (H)": the longest word is the surest; a single letter is believed last, and only in brackets.
  let best: { readonly word: string; readonly unit: Unit } | undefined;
  for (const match of description.matchAll(
    /(?:\(in|\bin|\bof|\((?!in\b)|,(?!\s*in\b))\s*(?:square |cubic )?([\p{L}°µ/²³^]+\d?)/giu,
  )) {
    const word = match[1] ?? "";
    const unit = word.toLowerCase() === "in" ? undefined : unitOf(word);
    if (unit === undefined || (word.length === 1 && !match[0].startsWith("("))) continue;
    if (best === undefined || word.length > best.word.length) best = { word, unit };
  }
  return best?.unit;
}

function roleOf(pieces: readonly string[], description: string): "start" | "end" | undefined {
  // `to_unit`, `rankEnd`: at either end of the name; "The starting point": as the first words of the description.
  for (const piece of [pieces[0] ?? "", pieces.at(-1) ?? ""]) {
    if (START.test(piece)) return "start";
    if (END.test(piece)) return "end";
  }
  const lead = description.toLowerCase().slice(0, 60);
  if (/\b(?:start(?:ing)?|origin(?:ating)?|departure|開始)\b|開始|出発/.test(lead)) return "start";
  if (/\b(?:end(?:ing)?|destination|arrival)\b|終了|到着/.test(lead)) return "end";
  return undefined;
}
