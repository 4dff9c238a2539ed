/** Calls under load and under faults: turns, pace, silence, storms. Over real processes. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { call, never, openManager, textOf } from "../../test/support/open-manager.ts";
import type { StdioConfig } from "./config.ts";

const server = fileURLToPath(new URL("../../test/fixtures/misbehaving-server.ts", import.meta.url));
const open = (more: Partial<StdioConfig> = {}, connect: { maxCallMs?: number } = {}) => {
  const opened = openManager(connect);
  const base: StdioConfig = { type: "stdio", key: "bad", command: process.execPath, args: [server], env: {} };
  return { ...opened, extension: opened.add({ ...base, ...more }) };
};

describe("turns", () => {
  test("as many calls at once as the configuration allows; the others wait and all are answered", async () => {
    const { extension } = open({ maxConcurrency: 3 });
    const results = await Promise.all(Array.from({ length: 12 }, () => call(extension, "sleep", { ms: 30 })));
    expect(results).toHaveLength(12);
    expect(Math.max(...results.map((result) => Number(textOf(result))))).toBe(3);
  });

  test("a call that waits for its turn can be cancelled", async () => {
    const { extension } = open({ maxConcurrency: 1 });
    await extension.start();
    const first = call(extension, "sleep", { ms: 300 });
    const abort = new AbortController();
    const second = extension.callTool("sleep", {}, { signal: abort.signal });
    abort.abort();
    await expect(second).rejects.toMatchObject({ code: "cancelled", mayHaveRun: false });
    expect(textOf(await first)).toBe("1");
  });

  test("a call that waits for a slow start can be cancelled", async () => {
    const { extension } = open({ args: [server, "slow-start", "5000"] });
    const abort = new AbortController();
    const waiting = extension.callTool("ok", {}, { signal: abort.signal });
    setTimeout(() => abort.abort(), 100);
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("pace", () => {
  test("thousands of progress messages become a few, and the last one is there", async () => {
    const { extension } = open();
    const steps: number[] = [];
    await extension.callTool(
      "many-progress",
      {},
      { ...never(), onProgress: ({ progress }) => steps.push(progress) },
    );
    expect(steps.length).toBeLessThan(100);
    expect([steps[0], steps.at(-1)]).toEqual([1, 5000]);
  });

  test("R18: ten thousand announcements of a change cause two or three refreshes", async () => {
    const { extension } = open();
    await extension.start();
    await call(extension, "storm");
    expect(Number(textOf(await call(extension, "list-requests")))).toBeLessThanOrEqual(3);
  });
});

describe("silence", () => {
  test("a call may not take longer than its total, whatever progress it makes", async () => {
    const { extension } = open({ timeoutSeconds: 0.5 }, { maxCallMs: 1000 });
    await extension.start();
    await expect(call(extension, "progress", { everyMs: 300 })).rejects.toThrow(
      /took longer than 1 s in all/,
    );
    expect(JSON.parse(textOf(await call(extension, "cancelled")))).toHaveLength(1);
  });

  test("a busy server is told from a deaf one by a ping", async () => {
    const { extension } = open({ timeoutSeconds: 0.4 });
    await extension.start();
    await expect(call(extension, "hang")).rejects.toThrow(
      /answers other requests, so it is busy with this one/,
    );
  });

  test.runIf(process.platform === "linux")(
    "a stopped server is told from a busy one, long before the timeout, with the way to wake it",
    async () => {
      const { extension } = open({ timeoutSeconds: 300 });
      await extension.start();
      const pid = extension.state.type === "ready" ? Number(extension.state.pid) : 0;
      await expect(call(extension, "stop")).rejects.toThrow(
        new RegExp(`process ${pid} is stopped \\(SIGSTOP\\); "kill -CONT ${pid}" lets it go on`),
      );
      process.kill(pid, "SIGCONT");
      expect(textOf(await call(extension, "ok"))).toBe("fine");
    },
  );
});

describe("changes", () => {
  test("a tool that appears in a call is in the table when the call's result is", async () => {
    const { extension, manager } = open();
    await extension.start();
    await call(extension, "add-tool");
    expect(manager.table.find("bad__new-tool")?.toolName).toBe("new-tool");
  });
});
