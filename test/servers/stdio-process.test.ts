import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const demo = fileURLToPath(new URL("../support/demo-main.ts", import.meta.url));

const INITIALIZE = message(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "wire", version: "1" },
});

function message(id: number, method: string, params: object = {}): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

function start(): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [demo]);
}

/** Writes, closes the input and gives what the process said, and how it ended. */
async function run(input: string) {
  const child = start();
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      output[name] += chunk;
    });
  }
  child.stdin.end(input);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { ...output, code, signal };
}

test("questions piped in at once are all answered, and the process ends with its input", async () => {
  const call = message(2, "tools/call", { name: "echo", arguments: { text: "雁" } });
  const { stdout, code } = await run(`${INITIALIZE}${call}${message(3, "tools/list").trimEnd()}`);
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; result: unknown });
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(answers[1]?.result).toEqual({ content: [{ type: "text", text: "雁" }] });
  expect(code).toBe(0);
});

test("what a library prints goes to stderr: stdout carries messages alone", async () => {
  const { stdout, stderr } = await run(INITIALIZE);
  expect(stderr).toContain("stray line");
  expect(stdout).not.toContain("stray line");
  expect(() => JSON.parse(stdout)).not.toThrow();
});

test("C1: the input ends in the middle of a call: the process ends all the same", async () => {
  const { code, signal, stdout } = await run(`${INITIALIZE}${message(2, "tools/call", { name: "wait" })}`);
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(stdout).not.toContain('"id":2');
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s ends the process cleanly, also in a call",
  async (signal) => {
    const child = start();
    const lines = createInterface(child.stdout);
    child.stdin.write(INITIALIZE);
    await once(lines, "line");
    child.stdin.write(message(2, "tools/call", { name: "wait" }));
    child.stdin.write(message(3, "ping"));
    await once(lines, "line");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);

test("a client that stops reading and goes away ends the process", async () => {
  const child = start();
  child.stdout.destroy();
  child.stdin.on("error", () => {});
  child.stdin.write(INITIALIZE);
  expect(await once(child, "exit")).toEqual([0, null]);
});
