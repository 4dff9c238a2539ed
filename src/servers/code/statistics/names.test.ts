import { expect, test } from "vitest";
import { allNames, countNames, nameAt, packNames, rowFrom } from "./names.ts";

const list = (names: readonly string[]) => Buffer.from(names.map((name) => `${name}\0`).join(""));

function unpack(raw: Buffer): string[] {
  const names = packNames(raw);
  const one = Array.from({ length: countNames(names) }, (_, row) => nameAt(names, row));
  expect(allNames(names)).toEqual(one);
  return one;
}

test("no names", () => {
  const { bytes, offsets } = packNames(Buffer.of());
  expect([bytes.length, ...offsets]).toEqual([0, 0]);
});

test("names in order share the bytes they came in", () => {
  const raw = list(["a", "a/b", "a0", "b", "b", "é", "日本"]);
  const names = packNames(raw);
  expect(Buffer.from(names.bytes)).toEqual(raw);
  expect(names.raw).toBe(names.bytes);
  expect([...names.offsets]).toEqual([0, 2, 6, 9, 11, 13, 16, 23]);
});

test("names out of order are put in the order of their bytes", () => {
  expect(unpack(list(["b", "ab", "a", "a-b", "日本", "é", "a/b"]))).toEqual([
    "a",
    "a-b",
    "a/b",
    "ab",
    "b",
    "é",
    "日本",
  ]);
});

test("what is not closed is no name", () => {
  expect([...packNames(Buffer.from("a\0b\0c")).offsets]).toEqual([0, 2, 4]);
  expect([...packNames(Buffer.from("c")).offsets]).toEqual([0]);
});

test("names that are not UTF-8 are counted apart", () => {
  const names = packNames(Buffer.concat([list(["b"]), Buffer.of(0xff, 0), list(["a"])]));
  expect(names.notUtf8).toEqual(["\ufffd"]);
  expect(allNames(names)).toEqual(["a", "b"]);
});

test("names of any length, in order or with one out of order, wherever it is", () => {
  for (let length = 1; length < 50; length += 1) {
    const start = "x".repeat(length - 1);
    const sorted = Array.from({ length: 20 }, (_, i) => `${start}${String.fromCodePoint(0x61 + i)}`);
    expect(packNames(list(sorted)).raw).not.toBeInstanceOf(Buffer);
    for (let at = 1; at < sorted.length; at += 1) {
      const swapped = sorted.with(at, sorted[at - 1] as string).with(at - 1, sorted[at] as string);
      const names = packNames(list(swapped));
      expect(allNames(names)).toEqual(sorted);
      expect(Buffer.from(names.raw)).toEqual(list(swapped));
    }
  }
});

test("a name comes behind one that it begins with, also where sixteen bytes end", () => {
  const growing = Array.from({ length: 60 }, (_, i) => "a".repeat(i + 1));
  expect(packNames(list(growing)).raw).not.toBeInstanceOf(Buffer);
  expect(unpack(list(growing.toReversed()))).toEqual(growing);
});

test("more names than the scanner has room for at first", () => {
  const names = Array.from(
    { length: 30_000 },
    (_, i) => `${"folder/".repeat(8)}${String(i).padStart(6, "0")}.ts`,
  );
  expect(unpack(list(names))).toEqual(names);
});

test("a name is found among many, and one that is missing has the place where it would be", () => {
  const paths = ["a", "a-b", "a/b", "ab", "b/雁", "ä"];
  const names = packNames(Buffer.from(`${paths.join("\0")}\0`));
  expect(paths.map((path) => rowFrom(names, path))).toEqual([0, 1, 2, 3, 4, 5]);
  expect(["", "a.", "b", "z", "黒"].map((path) => rowFrom(names, path))).toEqual([0, 2, 4, 5, 6]);
  expect(rowFrom(packNames(Buffer.alloc(0)), "a")).toBe(0);
});
