import { expect, test } from "vitest";
import { FreshList, ttlOf } from "./fresh-list.ts";

const HOUR = 3_600_000;

function counted(ttlMs: number) {
  let asked = 0;
  const list = new FreshList<string>();
  const get = () => list.get(async () => ({ items: [`asked ${++asked} times`], ttlMs }));
  return { list, get };
}

test("what may be kept is asked for once, until its server says that it changed", async () => {
  const { list, get } = counted(HOUR);
  expect(await get()).toEqual(["asked 1 times"]);
  expect(await get()).toEqual(["asked 1 times"]);
  list.forget();
  expect(await get()).toEqual(["asked 2 times"]);
});

test("what may not be kept is asked for each time", async () => {
  const { get } = counted(0);
  await get();
  expect(await get()).toEqual(["asked 2 times"]);
});

test("an answer that a change has overtaken is given and not kept", async () => {
  const { list, get } = counted(HOUR);
  const first = get();
  list.forget();
  expect(await first).toEqual(["asked 1 times"]);
  expect(await get()).toEqual(["asked 2 times"]);
});

test.each([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY], ["60"], [undefined]])(
  "ttlMs %s means not at all",
  (ttlMs) => {
    expect(ttlOf({ ttlMs })).toBe(0);
  },
);
