import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = import.meta.dirname;

/** A server in a process of its own, with what it does before it serves. */
async function endOf(before: string, argument = ""): Promise<{ code: number | null; signal: string | null }> {
  const program = `
    import { serveOnStdio } from ${JSON.stringify(join(folder, "stdio.ts"))};
    ${before}
    await serveOnStdio({ name: "ending", version: "1", tools: [] });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, argument], {
    stdio: ["pipe", "ignore", "inherit"],
    timeout: 15_000,
    killSignal: "SIGKILL",
  });
  child.stdin.end();
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  return { code, signal };
}

test("a server ends well when its client has gone", async () => {
  expect(await endOf("")).toEqual({ code: 0, signal: null });
});

test.skipIf(process.platform === "win32")(
  "a call of the system that never returns does not keep a server whose client has gone",
  async () => {
    const parent = mkdtempSync(join(tmpdir(), "kari-end-"));
    try {
      const pipe = join(parent, "nobody-writes-to-it");
      execFileSync("mkfifo", [pipe]);
      const before = `import { open } from "node:fs/promises"; void open(process.argv[1]);`;
      expect(await endOf(before, pipe)).toEqual({ code: null, signal: "SIGTERM" });
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  },
  20_000,
);
