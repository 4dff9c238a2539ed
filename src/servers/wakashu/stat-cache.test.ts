import { describe, expect, test } from "vitest";
import { type FileState, StatCache, sameState } from "./stat-cache.ts";

const old: FileState = { dev: 1, ino: 2, size: 3, mtimeMs: 1000, ctimeMs: 1000 };

describe("what is kept of a file", () => {
  test("is reused while the file stays as it was", () => {
    const cache = new StatCache<string>(100);
    cache.set("a", old, "value", 1);
    expect(cache.get("a", { ...old })).toBe("value");
  });

  test.each(["dev", "ino", "size", "mtimeMs", "ctimeMs"] as const)("is dropped when %s differs", (field) => {
    const cache = new StatCache<string>(100);
    cache.set("a", old, "value", 1);
    expect(cache.get("a", { ...old, [field]: old[field] + 1 })).toBeUndefined();
    expect(cache.get("a", old)).toBeUndefined();
    expect(cache.cost).toBe(0);
    expect(sameState(old, { ...old, [field]: 0 })).toBe(false);
  });

  test("is never kept when the file changed a moment ago: the clock could hide another change", () => {
    const cache = new StatCache<string>(100);
    const now = Date.now();
    cache.set("a", { ...old, mtimeMs: now }, "value", 1);
    cache.set("b", { ...old, ctimeMs: now }, "value", 1);
    cache.set("c", { ...old, mtimeMs: now + 1_000_000 }, "value", 1);
    expect([
      cache.get("a", { ...old, mtimeMs: now }),
      cache.get("b", { ...old, ctimeMs: now }),
      cache.cost,
    ]).toEqual([undefined, undefined, 0]);
  });

  test("stays within its cost; what was not used for longest goes first, and the huge is not kept", () => {
    const cache = new StatCache<string>(10);
    cache.set("a", old, "a", 4);
    cache.set("b", old, "b", 4);
    cache.get("a", old);
    cache.set("c", old, "c", 4);
    expect([cache.get("a", old), cache.get("b", old), cache.get("c", old)]).toEqual(["a", undefined, "c"]);
    cache.set("huge", old, "x", 6);
    expect(cache.get("huge", old)).toBeUndefined();
    cache.set("a", old, "again", 3);
    expect(cache.cost).toBe(7);
  });
});
