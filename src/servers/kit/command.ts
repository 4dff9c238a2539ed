/**
 * The command line that every builtin server shares: stdio, or `--http [HOST:]PORT`. A server with options of its
 * own adds them to the table; a mistake is one sentence that names the option.
 */
import { parseArgs } from "node:util";
import { UsageError } from "../../lib/usage-error.ts";
import type { HttpOptions, HttpRoute } from "./http.ts";
import type { ServerDefinition } from "./server.ts";

export interface ServerOption {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** How the help names the value. */
  readonly value?: string;
  readonly help: string;
}

export type ServerValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface ServerCommand {
  readonly name: string;
  readonly summary: string;
  readonly options?: Readonly<Record<string, ServerOption>>;
  /** Does something else with these options and returns true, or returns false: then it is served. */
  instead?(values: ServerValues): Promise<boolean>;
  /** The definition for these options, and routes beside the MCP endpoint when it is served over HTTP. */
  create(
    values: ServerValues,
  ): Promise<{ readonly definition: ServerDefinition; readonly routes?: readonly HttpRoute[] }>;
}

const SHARED: Readonly<Record<string, ServerOption>> = {
  http: {
    type: "string",
    value: "[HOST:]PORT",
    help: "serve over HTTP at /mcp instead of stdio (127.0.0.1 unless a host is given)",
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "another name this server is reached by",
  },
  "allow-origin": {
    type: "string",
    multiple: true,
    value: "ORIGIN",
    help: "a web page that may call it; turns on CORS for it",
  },
  sse: { type: "boolean", help: "over HTTP, also serve the old HTTP+SSE transport at /sse" },
  help: { type: "boolean", help: "show this" },
};

/** Resolves when the client is gone (stdio) or the process is told to end (HTTP). */
export async function runServer(
  command: ServerCommand,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const options = { ...command.options, ...SHARED };
  const values = read(command.name, args, options);
  if (values["help"]) return console.log(describe(command, options));
  if (await command.instead?.(values)) return;
  const address = values["http"];
  const http = typeof address === "string" ? httpOptions(address, values, environment) : undefined;
  const { definition, routes } = await command.create(values);
  if (!http) {
    const { serveOnStdio } = await import("./stdio.ts");
    return await serveOnStdio(definition);
  }
  const { serveOnHttp } = await import("./http.ts");
  const served = await serveOnHttp(definition, { ...http, ...(routes && { routes }) });
  console.error(`${command.name} is served at ${served.url}`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  await served.close();
}

function read(
  name: string,
  args: readonly string[],
  options: Readonly<Record<string, ServerOption>>,
): ServerValues {
  const specs = Object.fromEntries(
    Object.entries(options).map(([option, { type, multiple }]) => [
      option,
      { type, ...(multiple && { multiple }) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options: specs, strict: true, allowPositionals: false })
      .values as ServerValues;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error);
    throw new UsageError(`${reason}. kari mcp ${name} --help shows its options.`);
  }
}

function httpOptions(address: string, values: ServerValues, environment: NodeJS.ProcessEnv): HttpOptions {
  const match = /^(?:(\[[0-9a-fA-F:.]+\]|[^:\s]+):)?(\d{1,5})$/.exec(address);
  const port = Number(match?.[2]);
  if (!match || port > 65_535)
    throw new UsageError(`--http is "${address}"; it must be a port, or HOST:PORT.`);
  const host = match[1]?.replace(/^\[|\]$/g, "");
  const token = environment["KARI_MCP_TOKEN"];
  const hosts = values["allow-host"];
  const origins = values["allow-origin"];
  return {
    port,
    ...(host !== undefined && { host }),
    ...(token && { token }),
    ...(Array.isArray(hosts) && { allowedHosts: hosts }),
    ...(Array.isArray(origins) && { allowedOrigins: origins, cors: true }),
    ...(values["sse"] === true && { sse: true }),
  };
}

function describe(command: ServerCommand, options: Readonly<Record<string, ServerOption>>): string {
  const lines = Object.entries(options).map(([name, { value, help }]) => {
    const flag = `  --${name}${value ? ` ${value}` : ""}`;
    return flag.length > 28 ? `${flag}\n${" ".repeat(30)}${help}` : `${flag.padEnd(30)}${help}`;
  });
  return [
    `${command.name}: ${command.summary}`,
    `Usage: kari mcp ${command.name} [options]`,
    `Options:\n${lines.join("\n")}`,
    "Off loopback a token is needed: set KARI_MCP_TOKEN to 16 characters or more; clients send it as a bearer token.",
    `Examples:\n  kari mcp ${command.name}\n  kari mcp ${command.name} --http 8931`,
  ].join("\n\n");
}
