/**
 * `owner/name`, as repositories are written: for a tool that asks for the two parts apart.
 */
import type { Reading } from "../reading/reading.ts";
import type { Offer } from "./offer.ts";
import type { Parameter } from "./parameter.ts";

const SLUG = /(?<![\w./:-])([A-Za-z\d][\w.-]{0,60})\/([A-Za-z\d][\w.-]{0,100})(?![\w/])/g;
const OWNER = /^(?:owner|org|organization|user|username|account|namespace|group)$/i;
const NAME = /^(?:repo|repository|project|name|repo_?name|repository_?name)$/i;

export function slugOffers(
  parameter: Parameter,
  parameters: readonly Parameter[],
  reading: Reading,
): readonly Offer[] {
  const part = OWNER.test(parameter.name) ? 1 : NAME.test(parameter.name) ? 2 : undefined;
  const both =
    parameters.some(({ name }) => OWNER.test(name)) && parameters.some(({ name }) => NAME.test(name));
  if (part === undefined || !both || parameter.type !== "string") return [];
  return Array.from(reading.folded.matchAll(SLUG), (match) => {
    const value = (match[part] ?? "").replace(/[.-]+$/, "");
    const start = match.index + (part === 1 ? 0 : (match[1] ?? "").length + 1);
    return { parameter, value, score: 4.5, spans: [{ start, end: start + value.length }] };
  });
}
