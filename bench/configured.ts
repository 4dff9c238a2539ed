/**
 * Starts with servers in the configuration: how soon the model is asked when one of them takes ten seconds, and how
 * soon a person can type when there are twenty-five. Kari alone, in milliseconds; each start is measured beside one
 * without the servers.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ECHO_SERVER, kari } from "./agents.ts";
import { now, startBenchLlm } from "./llm.ts";
import { measure, median } from "./measure.ts";

const SLOW_SERVER = `sleep 10; exec ${ECHO_SERVER}`;
const MANY = 25;

export async function measureConfigured(runs: number): Promise<readonly string[]> {
  const scratch = mkdtempSync(join(tmpdir(), "kari-bench-"));
  const llm = await startBenchLlm();
  const place = (name: string, servers: readonly string[]) => {
    const home = join(scratch, name);
    mkdirSync(join(home, ".config", "kari"), { recursive: true });
    writeFileSync(join(home, ".config", "kari", "config.yaml"), configOf(servers));
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8", ...kari.env(llm.url) };
    return { cwd: home, env };
  };
  const firstRequest = async (where: ReturnType<typeof place>) => {
    llm.play([{ text: "All done here." }]);
    const measured = await measure([...kari.command, "run", "-t", "Do the thing."], where);
    if (measured.code !== 0) throw new Error(`exit ${measured.code}\n${measured.stderr}`);
    return (llm.exchanges[0]?.askedAt ?? Number.NaN) - measured.startedAt;
  };
  try {
    const [none, slow, many] = [
      place("none", []),
      place("slow", [SLOW_SERVER]),
      place(
        "many",
        Array.from({ length: MANY }, () => `exec ${ECHO_SERVER}`),
      ),
    ];
    await firstRequest(none);
    const firstTime = await firstRequest(slow);
    const samples = {
      none: [] as number[],
      slow: [] as number[],
      prompt: [] as number[],
      bare: [] as number[],
    };
    const neverSeen = await promptMs(many);
    for (let run = 0; run < runs; run++) {
      samples.none.push(await firstRequest(none));
      samples.slow.push(await firstRequest(slow));
      samples.bare.push(await promptMs(none));
      samples.prompt.push(await promptMs(many));
    }
    const ms = (values: readonly number[]) => `${median(values).toFixed(0)} ms`;
    const ratio = (median(samples.slow) / median(samples.none)).toFixed(2);
    return [
      `first LLM request with a server that takes 10 s to start: ${ms(samples.slow)}, without it ${ms(samples.none)}, ratio ${ratio} ×` +
        ` (the very first time, when nothing is known of it: ${firstTime.toFixed(0)} ms)`,
      `prompt of a session with ${MANY} servers configured: ${ms(samples.prompt)}, with none ${ms(samples.bare)}` +
        ` (the very first time: ${neverSeen.toFixed(0)} ms; target ≤ 300 ms)`,
    ];
  } finally {
    await llm.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function configOf(servers: readonly string[]): string {
  const entries = servers.map(
    (command, i) => `  server-${i}: { type: stdio, cmd: sh, args: [-c, ${JSON.stringify(command)}] }\n`,
  );
  return `extensions:\n  developer: { type: builtin }\n${entries.join("")}`;
}

/** From the start of the process to the first sign of the prompt; then the session is ended as a person ends it. */
async function promptMs({ cwd, env }: { cwd: string; env: Record<string, string> }): Promise<number> {
  const startedAt = now();
  const [command = "", ...args] = [...kari.command, "session"];
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const shown = new Promise<number>((resolve, reject) => {
    let output = "";
    const look = (chunk: Buffer) => {
      output += chunk.toString("utf8");
      if (output.includes("雁>")) resolve(now() - startedAt);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) =>
      reject(new Error(`the session ended with ${code} before its prompt:\n${output}`)),
    );
  });
  const milliseconds = await shown;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end("/exit\n");
  await ended;
  return milliseconds;
}
