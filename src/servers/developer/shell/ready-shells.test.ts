/** What a waiting shell does must be what a new one does: the same commands are given to both. */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startTemporaryServer, type TemporaryServer } from "../temporary-server.ts";

/** Holds in a shell that waited for its command, and in no other. */
const WAITED = '[[ "$BASH_EXECUTION_STRING" == IFS=* ]]';

async function untilOneWaits(server: TemporaryServer): Promise<void> {
  await server.call("shell", { command: "true" });
  while (waitingIn(server.folder).length === 0) await sleep(5);
  // It is there when it reads; a command that comes earlier waits for it.
}

function waitingIn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const isOurs = readlinkSync(`/proc/${name}/cwd`) === folder;
        return isOurs && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("read -r -d");
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe.runIf(process.platform === "linux")("a shell that waits for its command", () => {
  test("runs the second command", async () => {
    await using server = startTemporaryServer();
    expect(await server.say("shell", { command: WAITED })).toBe("[exit code 1, no output]");
    await untilOneWaits(server);
    expect(await server.say("shell", { command: WAITED })).toBe("[exit code 0, no output]");
  });

  test.each([
    "exit 3",
    "echo one; echo two >&2; false",
    "set -e; false; echo never",
    "trap 'echo bye' EXIT; exit 4",
    "kill -9 $$",
    "cat; echo nothing to read",
    'printf \'%s|\' "$0" "$#" "$SECONDS" "$PWD" "${OLDPWD-unset}" "$-"',
    "cat <<'END'\n日本語 \"quoted\" $not `run` \\n\nEND",
    "# only a comment",
    "\n\necho $LINENO",
    "for i in 1 2 3; do\n  echo $i\ndone | tac",
    "ls -l /proc/self/fd | grep -c ' [3-9] ->'",
    "shopt -s extglob\necho !(*)",
    "f() { return 7; }; f",
    "exec sh -c 'echo replaced; exit 5'",
    "echo 'a\\\nb'",
    "unknown-command-of-nobody",
  ])("does with %j what a new one does", async (command) => {
    await using server = startTemporaryServer();
    const fresh = await server.call("shell", { command });
    await untilOneWaits(server);
    expect(await server.call("shell", { command })).toEqual(fresh);
  });

  test("a command that does not parse fails, and says so", async () => {
    await using server = startTemporaryServer();
    await untilOneWaits(server);
    expect(await server.say("shell", { command: "if true; then" })).toMatch(
      /syntax error[\s\S]*exit code [12]\]/,
    );
  });

  test("is not used when its folder was made anew, nor for another folder, nor for a long command", async () => {
    await using server = startTemporaryServer();
    await untilOneWaits(server);
    const long = `${WAITED} # ${"x".repeat(5000)}`;
    expect(await server.say("shell", { command: long })).toBe("[exit code 1, no output]");
    expect(await server.say("shell", { command: WAITED, working_directory: "/" })).toMatch(/exit code 1/);
    rmSync(server.folder, { recursive: true });
    mkdirSync(server.folder);
    expect(await server.say("shell", { command: `echo > here; ls; ${WAITED}` })).toBe("here\n[exit code 1]");
  });

  test("one that was killed is replaced by a new one", async () => {
    await using server = startTemporaryServer();
    await untilOneWaits(server);
    // Two are started, one after the other.
    for (let killed = 0; killed < 2; await sleep(5))
      for (const pid of waitingIn(server.folder)) {
        process.kill(pid, "SIGKILL");
        killed += 1;
        while (waitingIn(server.folder).includes(pid)) await sleep(5);
      }
    await sleep(20);
    expect(await server.say("shell", { command: "echo fine" })).toBe("fine\n[exit code 0]");
  });

  test("ends with the server", async () => {
    const server = startTemporaryServer();
    await untilOneWaits(server);
    await server[Symbol.asyncDispose]();
    expect(waitingIn(server.folder)).toEqual([]);
  });
});
