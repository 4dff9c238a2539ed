/** `kari mcp NAME`: this program as one of its builtin servers. stdout carries the protocol and nothing else. */
import { builtinNames, builtinSummary } from "../../app/builtins.ts";
import { serveBuiltin } from "../../app/serve.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { type Command, text } from "../command.ts";

export const mcpCommand: Command = {
  summary: `Be a builtin MCP server, on stdio or over HTTP.\n\nServers:\n${builtinNames()
    .map((name) => `  ${name.padEnd(20)}${builtinSummary(name)}`)
    .join("\n")}`,
  usage: "kari mcp NAME [--http [HOST:]PORT]",
  options: {
    http: {
      type: "string",
      value: "[HOST:]PORT",
      help: "serve over HTTP instead of stdio (127.0.0.1 unless a host is given)",
    },
    token: {
      type: "string",
      value: "T",
      help: "bearer token that clients must send; required off loopback (KARI_MCP_TOKEN)",
    },
  },
  examples: ["kari mcp developer", "kari mcp developer --http 8931"],
  async run({ values, positionals }) {
    const [name, ...extra] = positionals;
    if (name === undefined) throw new UsageError(`Which server? There are: ${builtinNames().join(", ")}.`);
    if (extra.length > 0)
      throw new UsageError(`"${extra[0]}" is one word too many: kari mcp takes one server.`);
    const address = text(values, "http");
    const token = text(values, "token") ?? process.env["KARI_MCP_TOKEN"];
    await serveBuiltin(name, {
      workingDirectory: process.cwd(),
      ...(address !== undefined && { http: { ...parseAddress(address), ...(token && { token }) } }),
      onListening: (url) => console.error(`${name} is served at ${url}`),
    });
    return 0;
  },
};

/** `8080`, `localhost:8080`, `[::1]:8080` */
export function parseAddress(address: string): { host?: string; port: number } {
  const match = /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(address);
  const port = Number(match?.[2]);
  if (!match || port > 65535)
    throw new UsageError(`--http is "${address}"; it must be a port, or HOST:PORT.`);
  const host = match[1]?.replace(/^\[|\]$/g, "");
  return { port, ...(host !== undefined && { host }) };
}
