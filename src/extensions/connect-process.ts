/**
 * Starts a process and greets it in the era it speaks: asked in place, on the one process we start. A server that
 * ends when it is asked is started once more and greeted the old way (era-plan.ts says what is tried when).
 */
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { ProcessConfig } from "./config.ts";
import { type Connected, type ConnectOptions, callLimits } from "./connect-options.ts";
import { Connection } from "./connection.ts";
import { childEnvironment } from "./environment.ts";
import { type EraOutcome, type EraPlan, firstPlan, nextPlan, priorOf } from "./era-plan.ts";
import { ExtensionError } from "./extension-error.ts";
import { openClient } from "./open-client.ts";
import { processPeer } from "./peer.ts";
import { limitedCommand } from "./process/limits.ts";
import { StdioTransport, type StdioTransportOptions } from "./process/stdio-transport.ts";
import { windowsCommand } from "./process/windows-command.ts";
import { ServerRequests } from "./server-requests.ts";
import { processStartFailure } from "./start-failure.ts";

export async function connectProcess(config: ProcessConfig, options: ConnectOptions): Promise<Connected> {
  const tried: EraPlan[] = [];
  let plan: EraPlan | undefined = firstPlan(options.verdict?.prior, config.type === "builtin", options);
  for (;;) {
    tried.push(plan);
    try {
      return await attempt(config, options, plan);
    } catch (error) {
      plan = options.signal.aborted ? undefined : nextPlan(tried, outcomeOf(error), options);
      if (plan === undefined) throw error;
    }
  }
}

async function attempt(config: ProcessConfig, options: ConnectOptions, plan: EraPlan): Promise<Connected> {
  const transport = new StdioTransport(spawnOptions(config, options));
  const peer = processPeer(transport);
  const requests = new ServerRequests(config.key, rootsOf(config, options.workingDirectory));
  const prior = priorOf(plan);
  const client = await openClient(transport, {
    client: options.client,
    requests,
    startupTimeoutMs: options.startupTimeoutMs,
    probeTimeoutMs: plan.type === "probe" ? plan.patienceMs : options.probeTimeoutMs,
    ...(prior && { prior }),
    signal: options.signal,
  }).catch((error: unknown) => {
    throw processStartFailure(config, peer, error, options.startupTimeoutMs);
  });
  const connection = new Connection({
    key: config.key,
    client,
    peer,
    limits: callLimits(config, options),
    requests,
  });
  client.onclose = () => options.onClose();
  return { connection, verdict: { prior: connection.prior } };
}

function spawnOptions(config: ProcessConfig, options: ConnectOptions): StdioTransportOptions {
  const { self, environment, workingDirectory } = options;
  const { limits } = config;
  if (limits && process.platform !== "linux")
    options.onNotice?.(`${config.key} starts without its limits: they are enforced on Linux only.`);
  if (config.type === "builtin") {
    const { env } = childEnvironment(environment, {});
    const args = [...self.args, "mcp", config.name];
    return {
      ...limitedCommand(self.command, args, limits),
      env,
      cwd: workingDirectory,
      ...(limits && { limits }),
    };
  }
  const { env, refused } = childEnvironment(environment, config.env);
  if (refused.length > 0) {
    options.onNotice?.(
      `${config.key} starts without ${refused.join(", ")}: a configuration may not set names that change which code runs.`,
    );
  }
  const cwd = config.cwd ?? workingDirectory;
  const started =
    process.platform === "win32"
      ? windowsCommand(config.command, config.args, { env, cwd, isFile })
      : limitedCommand(config.command, config.args, limits);
  return { ...started, env, cwd, ...(limits && { limits }) };
}

/**
 * Servers take our roots in place of the folders they were started with. So whoever names folders in an extension's
 * arguments gets exactly those; the working directory is for the others.
 */
export function rootsOf(config: ProcessConfig, workingDirectory: string): readonly string[] {
  if (config.type === "builtin") return [workingDirectory];
  const cwd = config.cwd ?? workingDirectory;
  const folders = config.args.filter((argument) => isAbsolute(argument) && isFolder(argument));
  return folders.length > 0 ? folders : [cwd];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function outcomeOf(error: unknown): EraOutcome {
  const cause = error instanceof ExtensionError ? error.cause : error;
  if (cause instanceof ProtocolError) return "greeting-refused";
  const ended =
    cause instanceof SdkError &&
    cause.code === SdkErrorCode.EraNegotiationFailed &&
    /connection closed during the server\/discover probe/.test(cause.message);
  return ended ? "ended-on-probe" : "other";
}
