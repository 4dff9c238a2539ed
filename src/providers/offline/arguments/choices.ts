/**
 * The values a parameter offers: its `enum`, or the values its description lists ('a', 'b' or 'c'; "e.g. rock,
 * jazz"), with the words that stand for them ("'c' for Celsius"). Also the default that a description states.
 */
import type { JsonObject, JsonValue } from "../../../conversation/index.ts";
import type { Kind } from "./kinds.ts";
import type { ParameterType } from "./parameter.ts";

export interface Choice {
  readonly value: string | number | boolean;
  /** Phrases that mean it, itself first. */
  readonly spellings: readonly string[];
}

const MAX_CHOICES = 400;
const MAX_LENGTH = 60;
const LISTED =
  /\b(?:e\.g\.?|eg\.|for example|for instance|such as|like|options?(?: are| include| is)?|choices?(?: are| include)?|can be|could be|may be|must be|should be|either|one of|i\.e\.|include|includes|supported \w+ are|values?(?: are)?)[,:]?\s*:?\s*/gi;
const QUOTED = /['"‘“`]([^'"’”`]{1,60})['"’”`]/g;

/** Kinds whose examples are only examples: "e.g. San Francisco, CA" lists no cities to choose from. */
const OPEN_KINDS: readonly Kind[] = [
  "place",
  "person",
  "organisation",
  "title",
  "date",
  "time",
  "url",
  "path",
  "identifier",
  "text",
  "query",
];

export function choicesOf(
  schema: JsonObject,
  description: string,
  type: ParameterType,
  kinds: ReadonlySet<Kind>,
): readonly Choice[] {
  const declared = schema["enum"] ?? itemsEnum(schema["items"]);
  if (Array.isArray(declared))
    return declared
      .slice(0, MAX_CHOICES)
      .filter((value) => typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      .map((value) => ({ value, spellings: [String(value), ...aliases(String(value), description)] }));
  if (schema["const"] !== undefined && typeof schema["const"] === "string")
    return [{ value: schema["const"], spellings: [schema["const"]] }];
  if (type !== "string" && type !== "array" && type !== "any") return [];
  const open = OPEN_KINDS.some((kind) => kinds.has(kind)) && !kinds.has("category");
  if (
    open &&
    !/\b(?:options?|choices?|one of|either|supported|possible values?|allowed)\b/i.test(description)
  )
    return [];
  return describedChoices(description).map((value) => ({
    value,
    spellings: [value, ...aliases(value, description)],
  }));
}

function itemsEnum(items: JsonValue | undefined): JsonValue | undefined {
  return typeof items === "object" && items !== null && !Array.isArray(items)
    ? (items as JsonObject)["enum"]
    : undefined;
}

/** Values named in prose. Quoted ones count when there are two or more; unquoted ones after "e.g." and its like. */
function describedChoices(description: string): readonly string[] {
  const found = new Set<string>();
  const plain = description.replace(/\bdefaults?\b[^.;)]*/gi, "");
  const quoted = Array.from(plain.matchAll(QUOTED), (match) => (match[1] ?? "").trim());
  if (quoted.length > 1 || LISTED.test(plain)) for (const value of quoted) found.add(value);
  LISTED.lastIndex = 0;
  if (found.size > 0) return [...found].slice(0, MAX_CHOICES);
  for (const match of plain.matchAll(LISTED)) {
    const rest = plain.slice(match.index + match[0].length).split(/[.;)\n]|\betc\b/)[0] ?? "";
    const items = rest.split(/,|\bor\b|\band\b|\//).map((item) => item.trim());
    if (items.length < 2) continue;
    for (const item of items)
      if (item !== "" && item.length <= MAX_LENGTH && item.split(/\s+/).length <= 4) found.add(item);
  }
  const pair = /\((\w+) or (\w+)\)/.exec(plain);
  if (pair?.[1] !== undefined && pair[2] !== undefined) for (const one of [pair[1], pair[2]]) found.add(one);
  return [...found].slice(0, MAX_CHOICES);
}

/** "'c' for Celsius", "'asc' for ascending order", "EV: electric vehicle": other words for a value. */
function aliases(value: string, description: string): readonly string[] {
  if (value.length > 40 || description === "") return [];
  const escaped = value.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  const pattern = new RegExp(
    `(?:^|[\\s'"\`(,;])${escaped}['"\`]?\\s*(?:for|=|means|refers to|stands for|is for|:|-|–)\\s*(?:a |an |the )?([\\w ]{2,40}?)(?=[,.;)(]|\\band\\b|\\bor\\b|$)`,
    "i",
  );
  const meaning = pattern.exec(description)?.[1]?.trim();
  return meaning === undefined || meaning === "" ? [] : [meaning, ...firstWord(meaning)];
}

function firstWord(text: string): readonly string[] {
  const word = text.split(" ")[0] ?? "";
  return word.length > 3 && word !== text ? [word] : [];
}

/** "Default is 'km'", "defaults to 5", "(default: true)". Only plain values: prose is no default. */
export function defaultIn(description: string, type: ParameterType): JsonValue | undefined {
  const match =
    /\bdefaults?(?:\s+value)?(?:\s+(?:is|to|of|being|as|set to|will be))*\s*[:=]?\s*(?:'([^']*)'|"([^"]*)"|([^\s,;)]+(?:\.\d+)?))/i.exec(
      description,
    );
  if (match === null) return undefined;
  const text = (match[1] ?? match[2] ?? match[3] ?? "").replace(/[.]$/, "");
  if (type === "integer" || type === "number") {
    const value = Number(text);
    return text === "" || Number.isNaN(value) ? undefined : value;
  }
  if (type === "boolean") {
    if (/^true$/i.test(text)) return true;
    return /^false$/i.test(text) ? false : undefined;
  }
  if (type === "string" && (match[1] !== undefined || match[2] !== undefined)) return text;
  return undefined;
}
