/**
 * Which of a server's tools are offered: those the configuration lets through, without the ones that nobody could
 * use. What is left out is said, with its reason.
 */
import type { Tool } from "../conversation/index.ts";
import type { ExtensionConfig } from "./config.ts";
import { invalidHeaderMark } from "./header-marks.ts";

export interface OfferedTools {
  readonly tools: readonly Tool[];
  /** Sentences for the person. */
  readonly leftOut: readonly string[];
}

const MAX_TOOLS = 10_000;
const MAX_DEFINITION_LENGTH = 256 * 1024;

export function offeredTools(tools: readonly Tool[], config: ExtensionConfig): OfferedTools {
  const available = config.availableTools ?? [];
  const wanted = available.length === 0 ? tools : tools.filter(({ name }) => available.includes(name));
  const remote = config.type === "sse" || config.type === "streamable_http";
  const leftOut: string[] = [];
  const usable = wanted.filter((tool) => {
    const reason = unusable(tool, remote);
    if (reason !== undefined)
      leftOut.push(`${config.key} lists a tool "${tool.name.slice(0, 100)}" that is left out: ${reason}.`);
    return reason === undefined;
  });
  if (usable.length > MAX_TOOLS)
    leftOut.push(
      `${config.key} lists ${usable.length} tools; those after the first ${MAX_TOOLS} are left out.`,
    );
  return { tools: usable.slice(0, MAX_TOOLS), leftOut };
}

function unusable(tool: Tool, remote: boolean): string | undefined {
  const length = JSON.stringify(tool).length;
  if (length > MAX_DEFINITION_LENGTH)
    return `its definition has ${length} characters, more than the ${MAX_DEFINITION_LENGTH} a model is given`;
  return remote ? invalidHeaderMark(tool.inputSchema) : undefined;
}
