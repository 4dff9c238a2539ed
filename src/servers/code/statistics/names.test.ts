import { expect, test } from "vitest";
import { packNames, rowFrom } from "./names.ts";

test("a name is found among many, and one that is missing has the place where it would be", () => {
  const paths = ["a", "a-b", "a/b", "ab", "b/雁", "ä"];
  const names = packNames(Buffer.from(`${paths.join("\0")}\0`));
  expect(paths.map((path) => rowFrom(names, path))).toEqual([0, 1, 2, 3, 4, 5]);
  expect(["", "a.", "b", "z", "黒"].map((path) => rowFrom(names, path))).toEqual([0, 2, 4, 5, 6]);
  expect(rowFrom(packNames(Buffer.alloc(0)), "a")).toBe(0);
});
