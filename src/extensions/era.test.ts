/** Which era a process speaks: asked in place, remembered, and corrected when the memory is wrong. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { call, never, openManager, textOf } from "../../test/support/open-manager.ts";
import type { Verdict } from "./connect-options.ts";
import { firstPlan, nextPlan } from "./era-plan.ts";
import type { KeptExtension } from "./manager.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url));
const MODERN = fixture("modern-server.ts");
const LEGACY = fixture("misbehaving-server.ts");

function open(args: readonly string[], prior?: Verdict["prior"], times: { probeTimeoutMs?: number } = {}) {
  const kept: KeptExtension[] = [];
  const recalled = prior && { listing: { tools: [], hasResources: false }, prior };
  const opened = openManager(
    { startupTimeoutMs: 10_000, ...times },
    { memory: { recall: () => recalled, remember: (_config, record) => void kept.push(record) } },
  );
  const extension = opened.add({ type: "stdio", key: "x", command: process.execPath, args, env: {} });
  return { ...opened, extension, kept };
}

const discover = {
  resultType: "complete" as const,
  ttlMs: 0,
  cacheScope: "private" as const,
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
};

describe("plans", () => {
  const times = { probeTimeoutMs: 3000, startupTimeoutMs: 30_000 };
  test("what is remembered changes the patience and whether to ask, never what is believed", () => {
    expect(firstPlan(undefined, false, times)).toEqual({ type: "probe", patienceMs: 3000 });
    expect(firstPlan({ kind: "modern", discover }, false, times)).toEqual({
      type: "probe",
      patienceMs: 24_000,
    });
    expect(firstPlan({ kind: "legacy" }, false, times)).toEqual({ type: "legacy" });
    expect(firstPlan({ kind: "modern", discover }, true, times)).toEqual({ type: "adopt", discover });
  });

  test("each way is tried once, and then it is over", () => {
    const probe = firstPlan(undefined, false, times);
    expect(nextPlan([probe], "ended-on-probe", times)).toEqual({ type: "legacy" });
    expect(nextPlan([probe, { type: "legacy" }], "ended-on-probe", times)).toBeUndefined();
    expect(nextPlan([{ type: "legacy" }], "greeting-refused", times)).toEqual({
      type: "probe",
      patienceMs: 24_000,
    });
    expect(
      nextPlan([{ type: "legacy" }, { type: "probe", patienceMs: 24_000 }], "greeting-refused", times),
    ).toBeUndefined();
    expect(nextPlan([probe], "other", times)).toBeUndefined();
  });
});

describe("a modern server", () => {
  test("is found, called, and remembered as what it is", async () => {
    const { extension, kept } = open([MODERN]);
    expect(textOf(await call(extension, "ok"))).toBe("fine");
    expect(extension.state).toMatchObject({ era: "modern" });
    expect(kept.at(-1)).toMatchObject({ prior: { kind: "modern" } });
  });

  test("that was remembered as legacy is asked again and the memory corrected", async () => {
    const { extension, kept } = open([MODERN], { kind: "legacy" });
    expect(textOf(await call(extension, "ok"))).toBe("fine");
    expect(kept.at(-1)).toMatchObject({ prior: { kind: "modern" } });
  });

  test("that starts slower than the probe waits is given time instead of up", async () => {
    const { extension } = open([MODERN, "900"], undefined, { probeTimeoutMs: 200 });
    expect(textOf(await call(extension, "ok"))).toBe("fine");
    expect(extension.state).toMatchObject({ era: "modern" });
  });

  test("cancels a call by a notification on stdio", async () => {
    const { extension } = open([MODERN]);
    await extension.start();
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    await expect(extension.callTool("hang", {}, { signal: abort.signal })).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(JSON.parse(textOf(await call(extension, "cancelled")))).toHaveLength(1);
  });

  test("that listens tells of a new tool, and it is there when the call's result is", async () => {
    const { extension, manager } = open([MODERN, "0", "listen"]);
    await extension.start();
    await expect
      .poll(async () => {
        await call(extension, "add-tool");
        return manager.table.find("x__new-tool")?.toolName;
      })
      .toBe("new-tool");
  });

  test("that needs input gets it in rounds, with its state given back byte for byte", async () => {
    const { extension } = open([MODERN]);
    const result = await extension.callTool(
      "order",
      {},
      {
        ...never(),
        requests: {
          elicit: async ({ message }) => ({ type: "accept", content: { dish: `${message} 蕎麦` } }),
          sample: async () => ({ type: "decline", reason: "no" }),
        },
      },
    );
    expect(textOf(result)).toBe('{"action":"accept","content":{"dish":"Which dish? 蕎麦"}} opaque-é-雁');
  });
});

describe("a legacy server", () => {
  test("that was remembered as legacy is not asked again", async () => {
    const { extension } = open([LEGACY, "exit-on-probe"], { kind: "legacy" });
    await extension.start();
    expect(extension.state).toMatchObject({ era: "legacy" });
    expect(textOf(await call(extension, "list-requests"))).toBe("1");
  });

  test("that was remembered as modern is corrected on the same process", async () => {
    const { extension, kept, states } = open([LEGACY], { kind: "modern", discover });
    await extension.start();
    expect(states.filter(({ type }) => type === "failed")).toEqual([]);
    expect(kept.at(-1)).toMatchObject({ prior: { kind: "legacy" } });
  });

  test("that greets and then never lists is given up with its name", async () => {
    const { add } = openManager({ startupTimeoutMs: 1500 });
    const extension = add({
      type: "stdio",
      key: "mute",
      command: process.execPath,
      args: [LEGACY, "silent-list"],
      env: {},
    });
    await expect(extension.start()).rejects.toThrow(
      /mute did not start: it did not list what it offers within 1.5 s/,
    );
  });
});
