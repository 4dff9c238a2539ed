import { expect, test } from "vitest";
import { EditHistory, hashOf } from "./edit-history.ts";

test("the last steps of a file are kept, the oldest go", () => {
  const history = new EditHistory();
  for (let step = 0; step < 30; step++) history.add("f", Buffer.from(`${step}`), Buffer.from(`${step + 1}`));
  let kept = 0;
  for (let step = 29; history.last("f") !== undefined; step--, kept++) {
    expect(history.last("f")).toEqual({
      before: Buffer.from(`${step}`),
      afterHash: hashOf(Buffer.from(`${step + 1}`)),
    });
    history.removeLast("f");
  }
  expect(kept).toBe(20);
});

test("memory is bounded over all files: the file edited longest ago is forgotten first", () => {
  const history = new EditHistory();
  const large = Buffer.alloc(16 * 1024 * 1024);
  for (const path of ["a", "b", "c", "d", "e"]) expect(history.add(path, large, large)).toBe(true);
  expect(["a", "b", "c", "d", "e"].filter((path) => history.last(path) !== undefined)).toEqual([
    "b",
    "c",
    "d",
    "e",
  ]);
});

test("a step too large to keep is said, and no older step is offered in its place", () => {
  const history = new EditHistory();
  history.add("f", Buffer.from("a"), Buffer.from("b"));
  expect(history.add("f", Buffer.alloc(40 * 1024 * 1024), Buffer.from("c"))).toBe(false);
  expect(history.last("f")).toBeUndefined();
});
