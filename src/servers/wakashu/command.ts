/** `kari mcp wakashu`: the options this server adds to those every builtin server has. */
import { homedir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../lib/usage-error.ts";
import type { ServerCommand, ServerValues } from "../kit/command.ts";
import { createWakashuServer, type WakashuServerOptions } from "./server.ts";

/** LLM APIs take these; a name they refuse breaks every turn of a host that passes it on. */
const SAFE_TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,128}$/;
const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

export function wakashuCommand(version: string): ServerCommand {
  return {
    name: "wakashu",
    summary: "ranked collections of words and pictures (順位のついた和歌集)",
    options: {
      root: {
        type: "string",
        value: "DIR",
        help: "the folder that holds 第1回, 第2回 … (else WAKASHU_ROOT, else the sample that comes along)",
      },
      "tool-name": {
        type: "string",
        value: "NAME",
        help: "list getRanking under this name (wakashu_getRanking)",
      },
      "max-answer": {
        type: "string",
        value: "SIZE",
        help: "the most one answer may take, such as 4MiB (8MiB)",
      },
    },
    create: async (values) => {
      const { routes, ...definition } = createWakashuServer({ ...readWakashuOptions(values), version });
      return { definition, routes };
    },
  };
}

export function readWakashuOptions(
  { root, "tool-name": toolName, "max-answer": maxAnswer }: ServerValues,
  warn: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): WakashuServerOptions {
  return {
    ...(typeof root === "string" && { root: expandHome(root) }),
    ...(typeof toolName === "string" && { toolName: checkToolName(toolName, warn) }),
    ...(typeof maxAnswer === "string" && { maxAnswerBytes: parseSize(maxAnswer) }),
  };
}

function checkToolName(name: string, warn: (line: string) => void): string {
  if (!TOOL_NAME.test(name)) {
    throw new UsageError(`--tool-name is "${name}"; it may have 1 to 128 of A-Z a-z 0-9 _ - . /`);
  }
  if (!SAFE_TOOL_NAME.test(name)) {
    warn(
      `wakashu: LLM APIs refuse the tool name "${name}"; hosts that do not rename tools will fail with it.`,
    );
  }
  return name;
}

function parseSize(size: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)(?:i?b)?$/i.exec(size.trim());
  const bytes = Number(match?.[1]) * (UNITS[match?.[2]?.toLowerCase() ?? ""] ?? Number.NaN);
  if (!match || !(bytes >= 64 * 1024)) {
    throw new UsageError(`--max-answer is "${size}"; it must be a size of at least 64KiB, such as 8MiB.`);
  }
  return Math.floor(bytes);
}

/** Configuration files of hosts know no shell. */
function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
