/** The command line of this server, read into values; a mistake is one sentence that names the option. */
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { HttpOptions } from "../kit/index.ts";
import type { WakashuServerOptions } from "./server.ts";

export interface WakashuCommand {
  readonly server: WakashuServerOptions;
  /** Absent: serve on stdio. */
  readonly http?: Omit<HttpOptions, "routes">;
  readonly help: boolean;
}

export class OptionsError extends Error {
  override readonly name = "OptionsError";
}

export const WAKASHU_USAGE = `wakashu: ranked collections of words and pictures, over MCP

  --root DIR              the folder that holds 第1回, 第2回 … (else WAKASHU_ROOT, else the sample)
  --tool-name NAME        list getRanking under this name (default wakashu_getRanking)
  --max-answer SIZE       limit of one answer, such as 4MiB (default 8MiB)
  --http [HOST:]PORT      serve over HTTP: /mcp, and at / the plain endpoint and the page
  --allow-host NAME       another name this server is reached by (repeatable)
  --allow-origin ORIGIN   a web page that may call it; turns on CORS for it (repeatable)
  --sse                   also serve the old HTTP+SSE transport at /sse
  --help

Off loopback a token is needed: set WAKASHU_TOKEN to 16 characters or more.`;

/** LLM APIs take these; a name they refuse breaks every turn of a host that passes it on. */
const SAFE_TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,128}$/;
const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

export function parseWakashuOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  warn: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): WakashuCommand {
  const values = parse(args);
  const { root, http, help = false } = values;
  const toolName = values["tool-name"];
  if (toolName !== undefined) checkToolName(toolName, warn);
  const maxAnswer = values["max-answer"];
  return {
    help,
    server: {
      ...(root !== undefined && { root: expandHome(root) }),
      ...(toolName !== undefined && { toolName }),
      ...(maxAnswer !== undefined && { maxAnswerBytes: parseSize(maxAnswer) }),
    },
    ...(http !== undefined && {
      http: {
        ...parseAddress(http),
        ...(env["WAKASHU_TOKEN"] && { token: env["WAKASHU_TOKEN"] }),
        ...(values["allow-host"] && { allowedHosts: values["allow-host"] }),
        ...(values["allow-origin"] && { allowedOrigins: values["allow-origin"], cors: true }),
        ...(values.sse && { sse: true }),
      },
    }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        root: { type: "string" },
        "tool-name": { type: "string" },
        "max-answer": { type: "string" },
        http: { type: "string" },
        "allow-host": { type: "string", multiple: true },
        "allow-origin": { type: "string", multiple: true },
        sse: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new OptionsError(`${error instanceof Error ? error.message : String(error)}\n\n${WAKASHU_USAGE}`);
  }
}

function checkToolName(name: string, warn: (line: string) => void): void {
  if (!TOOL_NAME.test(name)) {
    throw new OptionsError(`--tool-name "${name}": use 1 to 128 of A-Z a-z 0-9 _ - . /`);
  }
  if (!SAFE_TOOL_NAME.test(name)) {
    warn(
      `wakashu: LLM APIs refuse the tool name "${name}"; hosts that do not rename tools will fail with it.`,
    );
  }
}

/** `8080`, `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`. */
function parseAddress(address: string): { host?: string; port: number } {
  const match = /^(?:(\[[0-9a-fA-F:.]+\]|[^:\s]+):)?(\d{1,5})$/.exec(address);
  const port = Number(match?.[2]);
  if (!match || port > 65_535) {
    throw new OptionsError(
      `--http "${address}": write PORT or HOST:PORT, for instance 8080 or 127.0.0.1:8080`,
    );
  }
  return { port, ...(match[1] !== undefined && { host: match[1] }) };
}

function parseSize(size: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)(?:i?b)?$/i.exec(size.trim());
  const bytes = Number(match?.[1]) * (UNITS[match?.[2]?.toLowerCase() ?? ""] ?? Number.NaN);
  if (!match || !(bytes >= 64 * 1024)) {
    throw new OptionsError(`--max-answer "${size}": write a size of at least 64KiB, for instance 8MiB`);
  }
  return Math.floor(bytes);
}

/** Configuration files of hosts know no shell. */
function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
