/**
 * Values that nobody has to ask for, because there is only one: the only choice of a schema, the value of the
 * same parameter in an earlier call, the only name of its kind that the tool or its section of the system prompt
 * speaks of.
 */
import type { JsonValue, ToolDefinition } from "../../conversation/index.ts";
import { tokenize } from "../../lib/ranking/tokenize.ts";
import type { FilledArgument } from "./arguments/fill.ts";
import type { Parameter } from "./arguments/parameter.ts";
import type { Exchange } from "./history.ts";

export interface Surrounding {
  readonly exchanges: readonly Exchange[];
  readonly system: string;
}

export function valueFromContext(
  parameter: Parameter,
  tool: ToolDefinition,
  around: Surrounding,
): FilledArgument | undefined {
  const only = parameter.closed && parameter.choices.length === 1 ? parameter.choices[0]?.value : undefined;
  const value =
    only ?? earlierValue(parameter, tool, around.exchanges) ?? onlyName(parameter, tool, around.system);
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { parameter, value, score: 3, certain: true, provenance: { from: "context", text } };
}

function earlierValue(
  parameter: Parameter,
  tool: ToolDefinition,
  exchanges: readonly Exchange[],
): JsonValue | undefined {
  if (parameter.path.length !== 1 || parameter.type !== "string") return undefined;
  for (const { calls } of [...exchanges].reverse())
    for (const { request, response } of [...calls].reverse())
      if (request.name === tool.name && response !== undefined && !response.isError)
        return request.arguments[parameter.name];
  return undefined;
}

const QUOTED = /「([^「」\n]{1,80})」|『([^『』\n]{1,80})』|"([^"\n]{1,80})"|'([^'\n]{2,80})'/g;

/** 「遠慮したラップトップ和歌集」 in the tool's own words, where it is the only one that ends like the parameter's kind. */
function onlyName(parameter: Parameter, tool: ToolDefinition, system: string): JsonValue | undefined {
  if (parameter.type !== "string") return undefined;
  const subject = new Set(
    tokenize(`${tool.title ?? ""} ${parameter.description}`)
      .filter(({ weight }) => weight === 1)
      .map(({ term }) => term),
  );
  const text = `${parameter.description}\n${tool.description ?? ""}\n${sectionOf(system, tool.extension)}`;
  const names = new Set<string>();
  for (const match of text.slice(0, 50_000).matchAll(QUOTED)) {
    const name = match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
    const words = tokenize(name).filter(({ weight }) => weight === 1);
    // A name of more than its kind's own word: 「…和歌集」, not 「和歌集」.
    if (words.length > 1 && words.some(({ term }) => subject.has(term))) names.add(name);
  }
  return names.size === 1 ? [...names][0] : undefined;
}

/** The part of the system prompt under the heading that names the extension. */
function sectionOf(system: string, extension: string): string {
  const parts = system.slice(0, 200_000).split(/^(?=#{1,6}\s)/m);
  return parts
    .filter((part) => (part.split("\n")[0] ?? "").toLowerCase().includes(extension.toLowerCase()))
    .join("\n");
}
