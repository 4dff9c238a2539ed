/**
 * Chooses tools for a request and fills their arguments. The words decide first (BM25); among the best few, a
 * tool whose required arguments can be filled goes before one whose cannot, and one that the request names goes
 * before all.
 */
import type { ToolDefinition } from "../../conversation/index.ts";
import { type Filling, fillArguments } from "./arguments/fill.ts";
import { mentionsIn } from "./mentions.ts";
import type { Reading } from "./reading/reading.ts";
import { withoutSpans } from "./reading/reading.ts";
import type { ToolIndex } from "./tool-index.ts";

export interface Proposal {
  readonly tool: ToolDefinition;
  readonly filling: Filling;
  readonly score: number;
  /** The request names the tool or its extension. */
  readonly mentioned: boolean;
}

const CONSIDERED = 8;
/** So many tools are looked at even where no word meets: their arguments may fit. */
const AT_LEAST = 3;
const MENTIONED_TOOL = 3;
const MENTIONED_EXTENSION = 1;

export function propose(request: Reading, index: ToolIndex): readonly Proposal[] {
  const tools = [...index.tools.values()];
  const mentions = mentionsIn(request, tools);
  const reading = withoutSpans(request, mentions.spans);
  const ranked = new Map<string, number>();
  for (const { id, score } of index.ranker.rank(wordsToRank(reading), CONSIDERED)) ranked.set(id, score);
  for (const tool of tools) {
    const named = mentions.tools.has(tool.name) || mentions.extensions.has(tool.extension);
    if ((named && ranked.size < 2 * CONSIDERED) || ranked.size < AT_LEAST)
      ranked.set(tool.name, ranked.get(tool.name) ?? 0);
  }
  const extensions = [...new Set(tools.map(({ extension }) => extension))];
  const lists = new Map([
    ["extensionname", extensions],
    ["extension", extensions],
  ]);
  const best = Math.max(...ranked.values(), 0) || 1;
  const proposals: Proposal[] = [];
  for (const [name, score] of ranked) {
    const tool = index.tools.get(name);
    if (tool === undefined) continue;
    const filling = fillArguments(tool, reading, lists);
    const byName = mentions.tools.has(name) ? MENTIONED_TOOL : 0;
    const byExtension = mentions.extensions.has(tool.extension) ? MENTIONED_EXTENSION : 0;
    proposals.push({
      tool,
      filling,
      // What only reads goes before what may write.
      score:
        score / best +
        fitness(filling, reading) +
        byName +
        byExtension +
        (tool.annotations?.readOnlyHint === true ? READS : 0),
      mentioned: byName + byExtension > 0,
    });
  }
  return proposals.sort((left, right) => right.score - left.score);
}

/** The request without what are plainly values: "notes.txt" is no note. */
function wordsToRank({ folded, literals }: Reading): string {
  let text = folded;
  for (const { type, start, end } of literals)
    if (type === "quoted" || type === "path" || type === "url" || type === "email" || type === "json")
      text = `${text.slice(0, start)}${" ".repeat(end - start)}${text.slice(end)}`;
  return text.trim() === "" ? folded : text;
}

const GOOD = 4;
const QUALITY = 0.3;
const MISSING = 0.35;
const USED = 0.3;
const READS = 0.1;

/**
 * How well the request answers what the tool asks for: nothing missing, values that fit well, and none of the
 * request's own values (quoted text, numbers, dates, names) left over.
 */
function fitness(filling: Filling, reading: Reading): number {
  const required = filling.filled.filter(({ parameter }) => parameter.required);
  const total = required.length + filling.missing.length;
  const quality = required.reduce((sum, { score }) => sum + Math.min(score, GOOD) / GOOD, 0);
  const asked = total === 0 ? 0 : QUALITY * (quality / total) - MISSING * (filling.missing.length / total);
  return asked + USED * usedValues(filling, reading);
}

/** The share of the request's literals that became arguments. */
function usedValues(filling: Filling, reading: Reading): number {
  const values = reading.literals.filter((literal) => !(literal.type === "number" && literal.number.implied));
  if (values.length === 0) return 0;
  const spans = filling.filled.flatMap(({ provenance }) =>
    provenance.from === "request" ? provenance.spans : [],
  );
  const used = values.filter(({ start, end }) =>
    spans.some((span) => span.start <= start && end <= span.end),
  );
  return used.length / values.length;
}
