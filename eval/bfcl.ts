/**
 * Runs the offline planner over BFCL-style cases and counts: the right tool, right arguments, the whole call.
 * What is judged is the planner's best proposal, whether it would make the call or ask first; how often it
 * would ask is counted beside it, so that the figures hide nothing.
 */
import type { JsonObject, JsonValue, ToolDefinition } from "../src/conversation/index.ts";
import { judge } from "../src/providers/offline/judge.ts";
import { propose } from "../src/providers/offline/propose.ts";
import { readRequest } from "../src/providers/offline/reading/reading.ts";
import { createToolIndex } from "../src/providers/offline/tool-index.ts";
import { type Arguments, matchArguments, type ParameterDescription } from "./ast-match.ts";
import type { BfclCase, BfclCategory } from "./bfcl-data.ts";

export interface CategoryScore {
  readonly name: string;
  readonly cases: number;
  readonly tool: number;
  readonly call: number;
  readonly argumentsRight: number;
  readonly argumentsTotal: number;
  /** Proposals that the planner would act on without asking, and of those the wholly right ones. */
  readonly acted: number;
  readonly actedRight: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly id: string;
  readonly request: string;
  readonly reason: string;
}

/** So that "tomorrow" means the same on every run. */
const NOW = new Date(2025, 0, 15, 12);

export function scoreCategory(category: BfclCategory): CategoryScore {
  const failures: Failure[] = [];
  let tool = 0;
  let call = 0;
  let argumentsRight = 0;
  let argumentsTotal = 0;
  let acted = 0;
  let actedRight = 0;
  for (const one of category.cases) {
    const request = textOf(one);
    const tools = one.functions.map(toTool);
    const reading = readRequest(request, NOW);
    const proposals = propose(reading, createToolIndex().sync(tools));
    const best = proposals[0];
    const acts = judge(proposals, reading).type === "call";
    if (acts) acted += 1;
    if (one.answer === undefined) {
      if (acts === (category.expects === "any")) {
        call += 1;
        tool += 1;
        if (acts) actedRight += 1;
      } else
        failures.push({
          id: one.id,
          request,
          reason: acts ? `would call ${best?.tool.name}` : "would call nothing",
        });
      continue;
    }
    const { name, acceptable } = one.answer;
    const description = one.functions.find((candidate) => candidate.name === name);
    argumentsTotal += Object.keys(acceptable).length;
    if (best === undefined || best.tool.name !== name || description === undefined) {
      failures.push({ id: one.id, request, reason: `tool ${best?.tool.name ?? "none"}, expected ${name}` });
      continue;
    }
    tool += 1;
    const match = matchArguments(description, best.filling.arguments as Arguments, acceptable);
    argumentsRight += Math.min(match.right, Object.keys(acceptable).length);
    if (match.error === undefined) {
      call += 1;
      if (acts) actedRight += 1;
    } else failures.push({ id: one.id, request, reason: match.error });
  }
  const { name, cases } = category;
  return {
    name,
    cases: cases.length,
    tool,
    call,
    argumentsRight,
    argumentsTotal,
    acted,
    actedRight,
    failures,
  };
}

function textOf(one: BfclCase): string {
  return one.messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => content)
    .join("\n");
}

function toTool(description: BfclCase["functions"][number]): ToolDefinition {
  return {
    name: description.name,
    extension: "bfcl",
    toolName: description.name,
    ...(description.description === undefined ? {} : { description: description.description }),
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(description.parameters.properties).map(([name, one]) => [name, toSchema(one)]),
      ),
      required: [...(description.parameters.required ?? [])],
    },
    annotations: { readOnlyHint: true },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  dict: "object",
  float: "number",
  tuple: "array",
  any: "string",
};

/** BFCL's type names as JSON Schema's. */
function toSchema(parameter: ParameterDescription): JsonObject {
  const { type, items, properties, ...rest } = parameter;
  return {
    ...(rest as { readonly [key: string]: JsonValue }),
    type: TYPES[type] ?? type,
    ...(items === undefined ? {} : { items: toSchema(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, one]) => [key, toSchema(one)]),
          ),
        }),
  };
}
