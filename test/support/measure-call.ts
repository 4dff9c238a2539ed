/**
 * Calls one tool of one server in a process of its own and says what that cost: argv is the configuration, the tool
 * and its arguments, as JSON. Prints one line of JSON: the growth of the peak memory, the time beside that of the
 * same call made by hand (read all, parse once), and what came of it.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../src/conversation/index.ts";
import { type ExtensionConfig, ExtensionManager } from "../../src/extensions/index.ts";

const [config, tool, args] = process.argv.slice(2) as [string, string, string];
const manager = new ExtensionManager({
  connect: {
    self: { command: "unused", args: [] },
    environment: process.env,
    workingDirectory: process.cwd(),
    client: { name: "kari-measure", version: "0" },
    startupTimeoutMs: 20_000,
    probeTimeoutMs: 5000,
    maxCallMs: 120_000,
  },
});
const extension = manager.add(JSON.parse(config) as ExtensionConfig);
const other = manager.add({ ...(JSON.parse(config) as ExtensionConfig), key: "other" });
const signal = new AbortController().signal;
await extension.callTool("ok", {}, { signal });
await other.callTool("ok", {}, { signal });

const plainMs = process.env["WITH_PLAIN"] ? await callByHand(tool, JSON.parse(args)) : undefined;
const before = peakMegabytes({ reset: true });
const since = performance.now();
const call = extension.callTool(tool, JSON.parse(args), { signal }).then(
  ({ content }) => ({ length: content[0]?.type === "text" ? content[0].text.length : 0 }),
  (error: Error) => ({ error: error.message }),
);
let otherCalls = 0;
let done = false;
void call.finally(() => {
  done = true;
});
while (!done && plainMs === undefined) {
  await other.callTool("ok", {}, { signal });
  otherCalls += 1;
  // As an agent would: a loop without a pause makes more garbage than the message under test.
  await sleep(2);
}
await call;
const ms = Math.round(performance.now() - since);
const grown = Math.round(peakMegabytes() - before);
const after = await extension.callTool("ok", {}, { signal }).then(
  () => "alive",
  (error: Error) => error.message,
);
console.log(JSON.stringify({ grown, ms, plainMs, otherCalls, after, ...(await call) }));
await manager.stop();

/** The floor: what reading that much from a pipe and parsing it takes on this machine now. */
async function callByHand(name: string, callArguments: JsonObject): Promise<number> {
  const stdio = JSON.parse(config) as Extract<ExtensionConfig, { type: "stdio" }>;
  const child = spawn(stdio.command, [...stdio.args], { stdio: ["pipe", "pipe", "ignore"] });
  const answer = (id: number, method: string, params: JsonObject) =>
    new Promise<unknown>((resolve) => {
      const chunks: Buffer[] = [];
      const read = (chunk: Buffer) => {
        chunks.push(chunk);
        if (chunk.at(-1) !== 0x0a) return;
        child.stdout.off("data", read);
        resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      };
      child.stdout.on("data", read);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await answer(1, "ping", {});
  const begin = performance.now();
  await answer(2, "tools/call", { name, arguments: callArguments });
  const taken = Math.round(performance.now() - begin);
  child.kill();
  return taken;
}

/** Linux keeps the peak; it can be set back to what is used now. */
function peakMegabytes({ reset = false } = {}): number {
  if (process.platform !== "linux") return process.memoryUsage.rss() / 1e6;
  if (reset) writeFileSync("/proc/self/clear_refs", "5");
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}
