/** Nothing outlives Kari: not after an orderly end, not after a signal, not after SIGKILL. */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { finished, freshHome, type Home, kari, root, startKari } from "../support/kari.ts";
import { leftovers } from "../support/no-orphans.ts";

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

const ours = () => leftovers().filter(({ command }) => !command.includes("kari-e2e-never"));

async function eventually(check: () => boolean, ms: number): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until; await delay(50)) if (check()) return true;
  return check();
}

/** A script that runs `sleep 60` in the shell, in the foreground and as a daemon that left its group. */
const sleeping = () =>
  home.file(
    "script.json",
    JSON.stringify({
      turns: [
        {
          toolCalls: [
            { name: "developer__shell", arguments: { command: "setsid sleep 61 & touch started; sleep 60" } },
          ],
        },
        { text: "never" },
      ],
    }),
  );

describe("the end", () => {
  test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "C6: %s in the middle of `shell sleep 60` leaves no process",
    async (signal) => {
      const child = startKari(["run", "--approve", "all", "--fake-model", sleeping(), "-t", "x"], { home });
      const done = finished(child);
      expect(await eventually(() => existsSync(`${home.work}/started`), 20_000)).toBe(true);
      expect(
        ours()
          .map(({ command }) => command)
          .join("\n"),
      ).toMatch(/sleep 60[\s\S]*|sleep 61/);
      child.kill(signal);
      const { code } = await done;
      if (signal !== "SIGKILL") expect(code).toBe(130);
      expect(await eventually(() => ours().length === 0, 5000)).toBe(true);
    },
  );

  test("C5: a grandchild of a stdio extension, in a group of its own, is gone after an orderly end", async () => {
    const file = home.file(
      "script.json",
      JSON.stringify({ turns: [{ toolCalls: [{ name: "bad__grandchild" }] }, { text: "pid {{result}}" }] }),
    );
    const server = `bad:${process.execPath} ${root}test/fixtures/misbehaving-server.ts`;
    const result = await kari(
      [
        "run",
        "--no-profile",
        "--approve",
        "all",
        "--fake-model",
        file,
        "--with-extension",
        server,
        "-t",
        "x",
      ],
      { home },
    );
    const pid = Number(/pid (\d+)/.exec(result.stdout)?.[1]);
    expect(pid).toBeGreaterThan(1);
    expect(await eventually(() => ours().length === 0, 5000)).toBe(true);
    expect(existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "").toBe(false);
  });
});
