/**
 * One callable thing as a document: its name, title, description, and the names and descriptions of its
 * parameters, each with its weight. Bounded, whatever the schema's size or shape.
 */
import type { Field, RankDocument } from "./ranker.ts";

export interface Describable {
  readonly id: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** A JSON Schema of parameters. */
  readonly schema?: unknown;
}

const NAME_WEIGHT = 2;
const TITLE_WEIGHT = 2;
const DESCRIPTION_WEIGHT = 1;
const PARAMETER_WEIGHT = 0.4;
const MAX_PARAMETER_TEXT = 4000;
const MAX_DEPTH = 4;

export function documentOf(thing: Describable): RankDocument {
  const fields: Field[] = [{ text: thing.name, weight: NAME_WEIGHT }];
  if (thing.title !== undefined) fields.push({ text: thing.title, weight: TITLE_WEIGHT });
  if (thing.description !== undefined) fields.push({ text: thing.description, weight: DESCRIPTION_WEIGHT });
  const text: string[] = [];
  collect(thing.schema, text, { left: MAX_PARAMETER_TEXT }, 0);
  if (text.length > 0) fields.push({ text: text.join(" "), weight: PARAMETER_WEIGHT });
  return { id: thing.id, fields };
}

function collect(schema: unknown, text: string[], budget: { left: number }, depth: number): void {
  if (!isRecord(schema) || depth > MAX_DEPTH || budget.left <= 0) return;
  const properties = schema["properties"];
  if (isRecord(properties))
    for (const [name, property] of Object.entries(properties)) {
      if (budget.left <= 0) return;
      const description =
        isRecord(property) && typeof property["description"] === "string" ? property["description"] : "";
      const line = `${name} ${description}`.slice(0, budget.left);
      budget.left -= line.length;
      text.push(line);
      collect(property, text, budget, depth + 1);
    }
  collect(schema["items"], text, budget, depth + 1);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
