/** A tool's result of 64 MB: from the call to the moment in which it is kept and the model may read on. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { kari } from "./agents.ts";
import { median } from "./measure.ts";

const SERVER = fileURLToPath(new URL("../test/fixtures/misbehaving-server.ts", import.meta.url));
const BYTES = 67_000_000;

export async function measureLongResult(runs: number): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), "kari-bench-"));
  try {
    const samples: number[] = [];
    for (let run = 0; run < runs; run++) samples.push(await once(scratch));
    return `a result of 64 MB, from the call to the store: ${median(samples).toFixed(0)} ms (target ≤ 2000 ms)`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function once(home: string): Promise<number> {
  mkdirSync(home, { recursive: true });
  const script = join(home, "script.json");
  const call = { name: "big__big", arguments: { bytes: BYTES } };
  writeFileSync(script, JSON.stringify({ turns: [{ toolCalls: [call] }, { text: "Done." }] }));
  const [command = "", ...args] = [
    ...kari.command,
    ...["run", "--no-profile", "--approve", "all", "--output-format", "stream-json", "--fake-model", script],
    ...["--with-extension", `big:${process.execPath} ${SERVER}`, "-t", "Do the thing."],
  ];
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8" };
  const child = spawn(command, args, { cwd: home, env, stdio: ["ignore", "pipe", "inherit"] });
  let [calledAt, keptAt] = [Number.NaN, Number.NaN];
  for await (const line of createInterface({ input: child.stdout })) {
    const { type } = JSON.parse(line) as { type: string };
    if (type === "tool-call") calledAt = performance.now();
    if (type !== "tool-result") continue;
    keptAt = performance.now();
    if (!line.includes("session://result/"))
      throw new Error(`the result was not kept: ${line.slice(0, 500)}`);
  }
  return keptAt - calledAt;
}
