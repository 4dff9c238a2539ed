import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { call, never, openManager, textOf } from "../../test/support/open-manager.ts";

const server = fileURLToPath(new URL("../../test/fixtures/misbehaving-server.ts", import.meta.url));

interface OpenOptions {
  args?: readonly string[];
  timeoutSeconds?: number;
  startupTimeoutMs?: number;
  probeTimeoutMs?: number;
  env?: Readonly<Record<string, string>>;
  command?: string;
}

function open(options: OpenOptions = {}) {
  const { startupTimeoutMs = 20_000, probeTimeoutMs = 5000 } = options;
  const opened = openManager({ startupTimeoutMs, probeTimeoutMs });
  const extension = opened.add({
    type: "stdio",
    key: "bad",
    command: options.command ?? process.execPath,
    args: options.command ? [] : [server, ...(options.args ?? ["ok"])],
    env: options.env ?? {},
    ...(options.timeoutSeconds !== undefined && { timeoutSeconds: options.timeoutSeconds }),
  });
  return { ...opened, extension };
}

describe("starting", () => {
  test("a legacy server is probed in place and greeted on the same process", async () => {
    const { extension } = open();
    await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "legacy" });
    const pid = extension.state.type === "ready" ? extension.state.pid : undefined;
    expect(textOf(await call(extension, "pid"))).toBe(String(pid));
  });

  test("a server that exits when it is probed is started again and greeted the old way", async () => {
    const { extension } = open({ args: ["exit-on-probe"] });
    await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "legacy" });
  });

  test("C1: a server that exits at once fails with its configuration, the method and its last words", async () => {
    const { extension, states } = open({ args: ["exit-start"] });
    await expect(extension.start()).rejects.toThrow(
      /bad did not start[\s\S]*stdio\([\s\S]*exit-start[\s\S]*initialize[\s\S]*exited with code 3[\s\S]*missing FOO_TOKEN/,
    );
    expect(states.at(-1)?.type).toBe("failed");
  });

  test("a server that never answers is given up on at the start-up timeout", async () => {
    const { extension } = open({ args: ["silent"], startupTimeoutMs: 600, probeTimeoutMs: 200 });
    await expect(extension.start()).rejects.toThrow(/no answer within 0.6 s/);
  });

  test("C10: a program that does not exist is named", async () => {
    const { extension } = open({ command: "no-such-program-here" });
    await expect(extension.start()).rejects.toThrow(/no program "no-such-program-here" on the PATH/);
  });

  test("R1: lines that are no messages are skipped, before the handshake too", async () => {
    const { extension } = open({ args: ["garbage-start"] });
    await extension.start();
    expect(textOf(await call(extension, "garbage"))).toBe("after garbage");
  });

  test("R16: a version from the future is refused cleanly", async () => {
    const { extension } = open({ args: ["future"] });
    await expect(extension.start()).rejects.toThrow(/2099-01-01/);
  });

  test("C11: a child gets the allowed environment and what its configuration declares, and no key of ours", async () => {
    const { extension } = open({ env: { DECLARED: "yes" } });
    const env = JSON.parse(textOf(await call(extension, "env"))) as Record<string, string>;
    expect(env).toMatchObject({ DECLARED: "yes", PATH: process.env["PATH"] });
    expect(JSON.stringify(env)).not.toContain("canary");
  });
});

describe("calls", () => {
  test("R3: characters split across chunks arrive whole", async () => {
    expect(textOf(await call(open().extension, "kana"))).toBe("雁が音🦢をぞ");
  });

  test("R5, R6, R8: answers to unknown ids and second answers are ignored", async () => {
    const { extension } = open();
    expect(textOf(await call(extension, "twice"))).toBe("first");
    expect(textOf(await call(extension, "unknown-id"))).toBe("mine");
    expect(textOf(await call(extension, "ok"))).toBe("fine");
  });

  test("R10, R15, R17: keys in another case, a batch, and news of what was never declared count for nothing", async () => {
    const { extension } = open();
    const changes: string[] = [];
    extension.onChange(({ type }) => changes.push(type));
    expect(textOf(await call(extension, "lies"))).toBe("the truth");
    expect(textOf(await call(extension, "ok"))).toBe("fine");
    expect(changes).toEqual([]);
  });

  test("R11: a __proto__ key pollutes nothing", async () => {
    expect(textOf(await call(open().extension, "pollute"))).toBe("clean");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("R12: an answer nested 100,000 levels deep fails that call and nothing else", async () => {
    const { extension } = open();
    await expect(call(extension, "deep")).rejects.toThrow(/nested deeper/);
    expect(textOf(await call(extension, "ok"))).toBe("fine");
  });

  test("R2: a line over the limit fails the call it belongs to; the connection and other extensions live", async () => {
    const { extension } = open();
    const { extension: other } = open();
    const pid = textOf(await call(extension, "pid"));
    const big = call(extension, "endless-line", { megabytes: 90 }).catch((error: Error) => error.message);
    expect(textOf(await call(other, "ok"))).toBe("fine");
    expect(await big).toMatch(/over the limit of 69206016 bytes/);
    expect(textOf(await call(extension, "pid"))).toBe(pid);
  });

  test("a server's own error and a broken result are errors in words, and the next call works", async () => {
    const { extension } = open();
    await expect(call(extension, "rpc-error")).rejects.toThrow(/server-side boom/);
    await expect(call(extension, "not-a-list")).rejects.toThrow(/tools\/call/);
    expect(await call(extension, "is-error")).toMatchObject({ isError: true });
    expect(await call(extension, "empty")).toMatchObject({ content: [], isError: false });
  });

  test("nothing of a result is dropped: links, blobs, audio, structured content, audience, meta", async () => {
    const result = await call(open().extension, "everything");
    expect(result).toMatchObject({
      content: [
        { type: "text", annotations: { audience: ["user"] }, source: { extension: "bad" } },
        { type: "resource-link", link: { uri: "test://link", name: "a link", size: 12 } },
        { type: "resource", resource: { uri: "test://blob", blob: "AAEC" } },
        { type: "image", mimeType: "image/png" },
        { type: "audio", mimeType: "audio/wav", meta: { "test/voice": "雁" } },
      ],
      structuredContent: { answer: 42 },
      meta: { "test/trace": "abc" },
    });
  });

  test("a silent call is cancelled at the server after its timeout", async () => {
    const { extension } = open({ timeoutSeconds: 0.3 });
    await extension.start();
    await expect(call(extension, "hang")).rejects.toThrow(/no sign of life for 0.3 s/);
    expect(JSON.parse(textOf(await call(extension, "cancelled")))).toHaveLength(1);
  });

  test("progress resets the timeout and is passed on with its message", async () => {
    const { extension } = open({ timeoutSeconds: 1.5 });
    await extension.start();
    const messages: (string | undefined)[] = [];
    const result = await extension.callTool(
      "progress",
      { everyMs: 600 },
      { ...never(), onProgress: ({ message }) => messages.push(message) },
    );
    expect(textOf(result)).toBe("done");
    expect(messages).toEqual(["step 1", "step 2", "step 3", "step 4", "step 5"]);
  });

  test("our abort cancels the call at the server", async () => {
    const { extension } = open();
    await extension.start();
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    await expect(extension.callTool("hang", {}, { signal: abort.signal })).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(JSON.parse(textOf(await call(extension, "cancelled")))).toHaveLength(1);
  });
});

describe("crashes", () => {
  test("C1: a crash in a call fails that call with the last words, and the next call starts a new process", async () => {
    const { extension } = open();
    const before = textOf(await call(extension, "pid"));
    await expect(call(extension, "crash")).rejects.toThrow(
      /exited with code 9 during tools\/call[\s\S]*out of cheese/,
    );
    expect(textOf(await call(extension, "pid"))).not.toBe(before);
  });

  test("C1: a crash in the middle of a line is a crash like any other", async () => {
    const { extension } = open();
    await expect(call(extension, "crash-mid-line")).rejects.toMatchObject({ code: "crashed" });
    expect(textOf(await call(extension, "ok"))).toBe("fine");
  });

  test("C1: a server that closes its output but lives on is ended, and the next call starts another", async () => {
    const { extension } = open();
    const pid = Number(textOf(await call(extension, "pid")));
    await expect(call(extension, "close-output")).rejects.toThrow(/closed its output during tools\/call/);
    expect(() => process.kill(pid, 0)).toThrow();
    expect(textOf(await call(extension, "ok"))).toBe("fine");
  });

  test.each(["SIGKILL", "SIGTERM"] as const)(
    "C1: one that is ended by %s in a call says so",
    async (signal) => {
      const { extension } = open();
      const pid = Number(textOf(await call(extension, "pid")));
      const hanging = call(extension, "hang").catch((error: Error) => error.message);
      process.kill(pid, signal);
      expect(await hanging).toMatch(new RegExp(`was ended by ${signal} during tools/call`));
      expect(textOf(await call(extension, "ok"))).toBe("fine");
    },
  );

  test("C5: what a crashed server has started goes with it", async () => {
    const { extension } = open();
    const child = Number(textOf(await call(extension, "leave-child")));
    process.kill(child, 0);
    await expect(call(extension, "crash")).rejects.toMatchObject({ code: "crashed" });
    await expect.poll(() => isThere(child)).toBe(false);
  });

  test("C2: five crashes within a minute open the breaker", async () => {
    const { extension } = open({ args: ["exit-start"] });
    for (let i = 0; i < 5; i++) await expect(extension.start()).rejects.toThrow(/did not start/);
    await expect(extension.start()).rejects.toThrow(/failed 5 times within a minute/);
  });

  test("C8: a megabyte of stderr is kept as a tail and harms nobody", async () => {
    expect(textOf(await call(open().extension, "stderr"))).toBe("after stderr");
  });

  test("C4: a server that ignores the end of input and TERM is gone after stop", async () => {
    const { extension, manager } = open({ args: ["deaf"] });
    const pid = Number(textOf(await call(extension, "pid")));
    await manager.stop();
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

describe("changes", () => {
  test("a tool that appears is there in the table when the server has said so", async () => {
    const { extension, manager } = open();
    await extension.start();
    expect(manager.table.find("bad__new-tool")).toBeUndefined();
    await call(extension, "add-tool");
    await expect.poll(() => manager.table.find("bad__new-tool")?.toolName).toBe("new-tool");
  });

  test("odd and long tool names get names that every provider accepts, and lead back", async () => {
    const { extension, manager } = open();
    await extension.start();
    for (const tool of manager.table.all()) expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const odd = manager.table.all().filter((tool) => /weird|long-/.test(tool.toolName));
    const results = await Promise.all(odd.map((tool) => call(extension, tool.toolName)));
    expect(results.map(textOf)).toEqual(["odd name ran", "long name ran"]);
  });
});

/** A process that has ended and waits for its parent is not there. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
