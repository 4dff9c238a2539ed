/**
 * No process that an end-to-end test started may be left (Linux; elsewhere nobody can tell): checked after each file
 * (no-orphans-after-file.ts) and once more after all of them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { MARK } from "./kari.ts";

export default function setup(): () => Promise<void> {
  return waitForNone;
}

/** Gives them five seconds; ends and reports what is there then. */
export async function waitForNone(): Promise<void> {
  if (process.platform !== "linux") return;
  for (let tries = 0; tries < 25 && leftovers().length > 0; tries++) await delay(200);
  const left = leftovers();
  for (const { pid } of left) process.kill(pid, "SIGKILL");
  if (left.length > 0)
    throw new Error(
      `processes were left behind:\n${left.map(({ pid, command }) => `${pid} ${command}`).join("\n")}`,
    );
}

export function leftovers(): { pid: number; command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, "latin1").includes(`/${MARK}`)) return [];
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
        return command === "" ? [] : [{ pid: Number(name), command }];
      } catch {
        return [];
      }
    });
}
