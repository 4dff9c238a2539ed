/** The small parts by themselves: clocks, turns, pages, lines, marks. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { CallClock } from "./call-clock.ts";
import { CallSlots } from "./call-slots.ts";
import { Coalescer } from "./coalescer.ts";
import { invalidHeaderMark } from "./header-marks.ts";
import { wholeLines } from "./http/event-lines.ts";
import { createServerFetch } from "./http/server-fetch.ts";
import { PendingRequests } from "./message-guard.ts";
import { offeredTools } from "./offered-tools.ts";
import { allPages } from "./pages.ts";

describe("the clock of a call", () => {
  const clock = (idleMs: number, totalMs: number, caller = new AbortController()) => ({
    caller,
    clock: new CallClock({ idleMs, totalMs }, caller.signal),
  });

  test("silence ends it, a sign of life does not, the total always does", () => {
    vi.useFakeTimers();
    try {
      const one = clock(100, 1000).clock;
      vi.advanceTimersByTime(90);
      one.touch();
      vi.advanceTimersByTime(90);
      expect(one.expired).toBeUndefined();
      vi.advanceTimersByTime(10);
      expect([one.expired, one.signal.aborted]).toEqual(["idle", true]);
      const other = clock(100, 250).clock;
      for (let i = 0; i < 4; i++) {
        vi.advanceTimersByTime(80);
        other.touch();
      }
      expect(other.expired).toBe("total");
    } finally {
      vi.useRealTimers();
    }
  });

  test("no time passes while it is paused, however often", () => {
    vi.useFakeTimers();
    try {
      const { clock: paused } = clock(100, 200);
      const [resume, alsoResume] = [paused.pause(), paused.pause()];
      vi.advanceTimersByTime(10_000);
      resume();
      resume();
      vi.advanceTimersByTime(10_000);
      alsoResume();
      vi.advanceTimersByTime(90);
      expect(paused.expired).toBeUndefined();
      vi.advanceTimersByTime(10);
      expect(paused.expired).toBe("idle");
    } finally {
      vi.useRealTimers();
    }
  });

  test("a caller's abort is no expiry", () => {
    const { caller, clock: aborted } = clock(100, 200);
    caller.abort(new Error("enough"));
    expect([aborted.signal.aborted, aborted.expired]).toEqual([true, undefined]);
    aborted.stop();
  });
});

describe("turns", () => {
  test("are given in order, and one that left is passed over", async () => {
    const slots = new CallSlots(1);
    const signal = new AbortController().signal;
    const giveBack = await slots.take(signal);
    const order: string[] = [];
    const leaving = new AbortController();
    const a = slots.take(signal).then((give) => {
      order.push("a");
      give();
    });
    const b = slots.take(leaving.signal).catch(() => order.push("left"));
    const c = slots.take(signal).then(() => order.push("c"));
    leaving.abort();
    await b;
    giveBack();
    giveBack();
    await Promise.all([a, c]);
    expect(order).toEqual(["left", "a", "c"]);
  });
});

describe("coalescing", () => {
  test("the first runs at once, the last is never lost, no two run together", async () => {
    let runs = 0;
    let together = 0;
    const coalescer = new Coalescer(50, async () => {
      runs += 1;
      together += 1;
      expect(together).toBe(1);
      await delay(10);
      together -= 1;
    });
    for (let i = 0; i < 1000; i++) coalescer.request();
    expect(runs).toBe(1);
    await coalescer.settled(1000);
    expect(runs).toBe(2);
    await coalescer.settled(1000);
    coalescer.stop();
    coalescer.request();
    expect(runs).toBe(2);
  });

  test("two requests one after the other are an interval apart", async () => {
    let runs = 0;
    const coalescer = new Coalescer(60_000, async () => {
      runs += 1;
    });
    coalescer.request();
    await delay(0);
    coalescer.request();
    await coalescer.settled(20);
    expect(runs).toBe(1);
    coalescer.stop();
  });
});

describe("pages", () => {
  test("P21: a cursor that comes twice ends in an error, and an empty cursor is one", async () => {
    const pages: Record<string, { items: number[]; nextCursor: string | undefined }> = {
      first: { items: [1], nextCursor: "" },
      "": { items: [2], nextCursor: "last" },
      last: { items: [3], nextCursor: undefined },
    };
    expect(await allPages("x", async (cursor) => pages[cursor ?? "first"] as (typeof pages)[string])).toEqual(
      [1, 2, 3],
    );
    await expect(allPages("x", async () => ({ items: [1], nextCursor: "again" }))).rejects.toThrow(
      /same cursor twice/,
    );
  });

  test("a listing without an end is cut off", async () => {
    let page = 0;
    await expect(allPages("x", async () => ({ items: [], nextCursor: `${page++}` }))).rejects.toThrow(
      /1000 pages/,
    );
  });
});

describe("event streams", () => {
  async function pass(chunks: readonly string[], maxLineBytes = 1000): Promise<string[]> {
    const out: string[] = [];
    const stream = wholeLines({
      maxLineBytes,
      replace: ({ head, tail }, bytes) => `[${bytes} ${head.slice(0, 4)}…${tail.slice(-4)}]`,
    });
    const writer = stream.writable.getWriter();
    const reading = (async () => {
      for await (const chunk of stream.readable) out.push(Buffer.from(chunk).toString("utf8"));
    })();
    for (const chunk of chunks) await writer.write(Buffer.from(chunk));
    await writer.close();
    await reading;
    return out;
  }

  test("come line by line, whatever the chunks are", async () => {
    expect((await pass(["da", "ta: 1\n\ndata", ": 2\n", "\n", "rest"])).join("|")).toBe(
      "data: 1\n\n|data: 2\n|\n|rest",
    );
  });

  test("R2: a line too long is replaced, and the stream goes on", async () => {
    const out = await pass([
      "data: 1\n",
      `data: ${"x".repeat(900)}`,
      `${"y".repeat(900)}end`,
      "\ndata: 2\n\n",
    ]);
    expect(out.join("")).toBe("data: 1\n[1809 data…yend]\ndata: 2\n\n");
  });
});

describe("N14: the fetch of a server", () => {
  const asked: { url: string; headers: Record<string, string> }[] = [];
  const fetch = createServerFetch({
    request: async (url, init) => {
      asked.push({ url: String(url), headers: Object.fromEntries(new Headers(init?.headers)) });
      return new Response("{}");
    },
    server: new URL("https://mine.example/mcp"),
    headers: { "X-Key": "canary" },
    pending: new PendingRequests(),
    maxMessageBytes: 1000,
    onSessionLost: () => {},
    onNetworkFailure: () => {},
  });

  test("gives configured headers to that server alone", async () => {
    await fetch("https://mine.example/other");
    await fetch("https://auth.example/token");
    expect(asked).toEqual([
      { url: "https://mine.example/other", headers: { "x-key": "canary" } },
      { url: "https://auth.example/token", headers: {} },
    ]);
  });

  test("sends a token nowhere else", async () => {
    const headers = { authorization: "Bearer secret" };
    await expect(fetch("https://elsewhere.example/", { headers })).rejects.toThrow(/was not sent/);
    await expect(fetch("http://mine.example/mcp", { headers })).rejects.toThrow(/was not sent/);
  });
});

describe("whose answer it was", () => {
  test("is read from either end, or known when only one waits", () => {
    const pending = new PendingRequests();
    for (const id of [1, 12, "a.b"]) pending.noteSent({ jsonrpc: "2.0", id, method: "x" });
    expect(pending.ownerOf({ head: '{"jsonrpc":"2.0","id":12,"result"', tail: "" })).toBe(12);
    expect(pending.ownerOf({ head: '{"result":', tail: '"}],"jsonrpc":"2.0","id":"a.b"}' })).toBe("a.b");
    expect(pending.ownerOf({ head: "", tail: "" })).toBeUndefined();
    pending.settle(12);
    pending.settle("a.b");
    expect(pending.ownerOf({ head: "", tail: "" })).toBe(1);
  });
});

describe("marks for headers", () => {
  const schema = (properties: object) => ({ type: "object", properties }) as never;
  test.each([
    [schema({ a: { type: "string", "x-mcp-header": "Region" } }), undefined],
    [
      schema({ a: { type: "object", properties: { b: { type: "integer", "x-mcp-header": "B" } } } }),
      undefined,
    ],
    [schema({ "x-mcp-header": { type: "string" } }), undefined],
    [schema({ a: { type: "string", default: { "x-mcp-header": 1 } } }), undefined],
    [schema({ a: { type: "number", "x-mcp-header": "N" } }), /no text, whole number/],
    [schema({ a: { type: "string", "x-mcp-header": "a b" } }), /no header name/],
    [schema({ a: { type: "array", items: { type: "string", "x-mcp-header": "N" } } }), /only properties/],
    [
      schema({ a: { type: "string", "x-mcp-header": "N" }, b: { type: "string", "x-mcp-header": "n" } }),
      /twice/,
    ],
  ])("%j", (inputSchema, fault) => {
    const reason = invalidHeaderMark(inputSchema);
    if (fault) expect(reason).toMatch(fault);
    else expect(reason).toBeUndefined();
  });
});

describe("R20: what is offered", () => {
  const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object", ...more } });
  const config = { type: "stdio" as const, key: "x", command: "c", args: [], env: {} };

  test("a definition of 5 MB is left out, with its reason", () => {
    const { tools, leftOut } = offeredTools(
      [tool("fine"), tool("huge", { description: "y".repeat(5_000_000) })],
      config,
    );
    expect(tools.map(({ name }) => name)).toEqual(["fine"]);
    expect(leftOut).toEqual([
      expect.stringMatching(/"huge" that is left out: its definition has 50\d+ characters/),
    ]);
  });

  test("of more than ten thousand tools the first are kept, and it is said", () => {
    const { tools, leftOut } = offeredTools(
      Array.from({ length: 10_500 }, (_none, index) => tool(`t${index}`)),
      config,
    );
    expect(tools).toHaveLength(10_000);
    expect(leftOut).toEqual([expect.stringContaining("10500 tools")]);
  });

  test("a tool whose marks are wrong is left out over HTTP alone", () => {
    const marked = tool("marked", { properties: { a: { type: "number", "x-mcp-header": "N" } } });
    expect(offeredTools([marked], config).tools).toHaveLength(1);
    const remote = { type: "streamable_http" as const, key: "x", url: "http://x", headers: {} };
    expect(offeredTools([marked], remote)).toMatchObject({
      tools: [],
      leftOut: [expect.stringContaining("x-mcp-header")],
    });
  });
});
