/** `kari mcp NAME`: this program as one of its builtin servers. stdout carries the protocol and nothing else. */
import { builtinNames, builtinSummary, serveBuiltin } from "../../app/builtins.ts";
import { UsageError } from "../../lib/usage-error.ts";
import type { Command } from "../command.ts";

export const mcpCommand: Command = {
  summary: `Be a builtin MCP server, on stdio or over HTTP.\n\nServers:\n${builtinNames()
    .map((name) => `  ${name.padEnd(20)}${builtinSummary(name)}`)
    .join("\n")}`,
  usage: "kari mcp NAME [--http [HOST:]PORT] [options of that server: kari mcp NAME --help]",
  options: {},
  passThrough: true,
  examples: ["kari mcp developer", "kari mcp developer --http 8931", "kari mcp developer --help"],
  async run({ positionals }) {
    const [name, ...args] = positionals;
    if (name === undefined) throw new UsageError(`Which server? There are: ${builtinNames().join(", ")}.`);
    await serveBuiltin(name, args);
    return 0;
  },
};
