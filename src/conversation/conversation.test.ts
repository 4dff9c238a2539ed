import { expect, test } from "vitest";
import { isActive, isFor } from "./resource.ts";

test("B4: priority 1.0 within an epsilon is active; odd priorities count as none", () => {
  const active = (priority: unknown) => isActive({ annotations: { priority } as { priority: number } });
  expect([1, 1 - 1e-12, 1 + 1e-12].map(active)).toEqual([true, true, true]);
  expect([0.999, 0, 2, Number.NaN, Number.POSITIVE_INFINITY, "1", null].map(active)).toEqual(
    Array(7).fill(false),
  );
  expect(isActive({})).toBe(false);
});

test("R27: content without an audience is for everybody, otherwise for those it names", () => {
  expect([undefined, {}, { audience: [] }].map((annotations) => isFor("assistant", annotations))).toEqual([
    true,
    true,
    true,
  ]);
  expect(isFor("assistant", { audience: ["user"] })).toBe(false);
  expect(isFor("user", { audience: ["user"] })).toBe(true);
});
