/** The `shell` tool: a command in, its output and its end in words out. Running it lives in run-command.ts. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { markCut } from "../../../lib/cut-mark.ts";
import { defineTool, failure, type KitTool, type ToolResult } from "../../kit/tool.ts";
import { formatBytes, formatCount, formatDuration } from "../amounts.ts";
import { quoteName } from "../quote-name.ts";
import { KeptOutputs } from "./kept-outputs.ts";
import type { OutputLog } from "./output-log.ts";
import { toPlainText } from "./plain-text.ts";
import { type CommandEnd, type CommandHost, type CommandOutcome, runCommand } from "./run-command.ts";
import type { ShellProgram } from "./shell-program.ts";

export interface ShellToolOptions {
  readonly workingDirectory: string;
  readonly shell: ShellProgram;
  readonly env: Readonly<Record<string, string>>;
  readonly host: CommandHost;
  readonly maxOutputBytes?: number;
  /** A new file with a full output is there. */
  onOutputKept(): void;
}

const DEFAULT_TIMEOUT_SECONDS = 300;
const MAX_TIMEOUT_SECONDS = 24 * 60 * 60;
const MAX_KEPT_BYTES = 256 * 1024 * 1024;
const LAST_LINE_CHARACTERS = 120;

const input = z.object({
  command: z.string().min(1).describe("The command line, several lines or a whole script"),
  timeout: z
    .number()
    .positive()
    .max(MAX_TIMEOUT_SECONDS)
    .optional()
    .describe(`Seconds after which it is ended; ${DEFAULT_TIMEOUT_SECONDS} when not given`),
  working_directory: z
    .string()
    .min(1)
    .optional()
    .describe("Where to run it; relative to the server's working directory, which is the default"),
});

export function createShellTool(options: ShellToolOptions): KitTool {
  const { shell, workingDirectory } = options;
  const outputs = new KeptOutputs();
  return defineTool({
    name: "shell",
    title: "Run a command",
    description:
      `Run a command in ${shell.name} and give back what it printed (stdout and stderr in order) and its exit code. ` +
      "Each call is a new shell: cd and variables do not carry over, so chain with && or give working_directory. " +
      "Nothing can be typed into it and there is no terminal: use options that do not ask. " +
      "Long output is cut in the middle; the full output is then kept in a file that the answer names. " +
      "A process started with & goes on until this server ends.",
    input,
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    async run(args, { signal, progress }) {
      if (args.command.includes("\0"))
        return failure("The command contains a NUL character; nothing was run.");
      const cwd =
        args.working_directory === undefined
          ? workingDirectory
          : resolve(workingDirectory, args.working_directory);
      const timeoutMs = (args.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
      try {
        const outcome = await runCommand(
          {
            command: args.command,
            shell,
            cwd,
            env: await options.host.background.environment(options.env),
            timeoutMs,
            maxOutputBytes: options.maxOutputBytes ?? MAX_KEPT_BYTES,
            signal,
            onTick: (elapsedMs, output) =>
              progress({
                progress: Math.round(elapsedMs / 1000),
                message: describeProgress(elapsedMs, output),
              }),
          },
          options.host,
        );
        if (outcome.output.path !== undefined) {
          if (!outcome.leftRunning) outputs.add(outcome.output.path, outcome.output.total);
          options.onOutputKept();
        }
        return describeOutcome(outcome, timeoutMs);
      } catch (error) {
        return failure(describeFailedStart(error, shell.name, cwd));
      } finally {
        options.host.ready?.prepareSoon();
      }
    },
  });
}

function describeOutcome(outcome: CommandOutcome, timeoutMs: number): ToolResult {
  const { output, end } = outcome;
  const notes = [describeEnd(end, outcome, timeoutMs)];
  if (outcome.leftRunning) notes.push(describeBackground(output));
  if (output.failure !== undefined) {
    notes.push(`The full output could not be kept (${output.failure}): only what stands here is left.`);
  }
  const printed = showOutput(output);
  const body = `${printed}${printed === "" || printed.endsWith("\n") ? "" : "\n"}[${notes.join(" ")}]`;
  return {
    content: [{ type: "text", text: body, ...cutMark(output) }, ...linkToFile(output)],
    ...(!isSuccess(end) && { isError: true }),
  };
}

function showOutput(output: OutputLog): string {
  const shown = output.shown();
  if (shown.type === "whole") return toPlainText(shown.bytes);
  const hidden = `${formatCount(shown.hiddenLines, "line")} (${formatBytes(shown.hiddenBytes)})`;
  const where =
    output.path === undefined
      ? "They were not kept."
      : `The full output is in ${output.path}: read on with read_file from start_line ${shown.nextLine}, or search it with shell.`;
  const head = toPlainText(shown.head);
  const gap = `${head.endsWith("\n") ? "" : "\n"}\n[… ${hidden} not shown. ${where}]\n\n`;
  return `${head}${gap}${toPlainText(shown.tail)}`;
}

/** For a host that shows even less of it. */
function cutMark(output: OutputLog): { readonly _meta?: ReturnType<typeof markCut> } {
  if (output.shown().type === "whole") return {};
  const size = `${formatBytes(output.total)}, ${formatCount(output.newlines, "line")}`;
  const where =
    output.path === undefined
      ? "The rest was not kept."
      : `The full output (${size}) is in ${output.path}: read parts of it with read_file (start_line, limit), or search it with shell.`;
  return { _meta: markCut(where) };
}

function describeEnd(end: CommandEnd, { elapsedMs, output }: CommandOutcome, timeoutMs: number): string {
  const soFar = output.total === 0 ? "It had printed nothing." : "What it had printed stands above.";
  switch (end.type) {
    case "exited":
      return `exit code ${end.code}${output.total === 0 ? ", no output" : ""}`;
    case "signalled":
      return `ended by signal ${end.signal}`;
    case "timeout":
      return (
        `timed out after ${formatDuration(timeoutMs)} and was ended. ${soFar} ` +
        "Give a longer timeout, or start it in the background with & and look at its output later."
      );
    case "cancelled":
      return `cancelled after ${formatDuration(elapsedMs)} and ended. ${soFar}`;
    case "too-much-output":
      return `ended because it printed more than ${formatBytes(output.total)}. Print less: filter or redirect to a file.`;
    default:
      return end satisfies never;
  }
}

function describeBackground(output: OutputLog): string {
  const where = output.path === undefined ? "" : ` and print into ${output.path}`;
  return `· processes it started are still running${where}; they end with this server.`;
}

function isSuccess(end: CommandEnd): boolean {
  return end.type === "exited" && end.code === 0;
}

function linkToFile(output: OutputLog): ToolResult["content"] {
  if (output.path === undefined || output.shown().type === "whole") return [];
  const uri = pathToFileURL(output.path).href;
  return [{ type: "resource_link", uri, name: "Full output", mimeType: "text/plain", size: output.total }];
}

function describeProgress(elapsedMs: number, output: OutputLog): string {
  const lines = formatCount(output.newlines, "line");
  const last = toPlainText(output.recent(2000)).trimEnd().split("\n").at(-1)?.trim() ?? "";
  const shown = last.length > LAST_LINE_CHARACTERS ? `${last.slice(0, LAST_LINE_CHARACTERS)}…` : last;
  return `${Math.round(elapsedMs / 1000)} s, ${lines}${shown === "" ? "" : `: ${shown}`}`;
}

function describeFailedStart(error: unknown, shell: string, cwd: string): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (!isDirectory(cwd))
    return `The working directory ${quoteName(cwd)} is not an existing directory; nothing was run.`;
  if (code === "E2BIG") {
    return "The command is too long for the system (E2BIG); write it into a script file and run that.";
  }
  return `${shell} could not be started (${code ?? String(error)}); nothing was run.`;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
