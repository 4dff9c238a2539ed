import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { identityOf } from "./document.ts";
import { saveFile } from "./save.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "save-"));
  path = join(folder, "秋.txt");
  writeFileSync(path, "before");
});
afterEach(() => rmSync(folder, { recursive: true }));

const after = Buffer.from("after");

test("the new content is there, with the old permissions, and nothing else is left", () => {
  chmodSync(path, 0o4751);
  saveFile(path, after, identityOf(path));
  expect(readFileSync(path, "utf8")).toBe("after");
  expect(statSync(path).mode & 0o7777).toBe(0o4751);
  expect(readdirSync(folder)).toEqual(["秋.txt"]);
});

test("a new file may need new folders", () => {
  const deep = join(folder, "a", "b", "c.txt");
  saveFile(deep, after, undefined);
  expect(readFileSync(deep, "utf8")).toBe("after");
});

test("hard links stay one file", () => {
  const twin = join(folder, "twin.txt");
  linkSync(path, twin);
  saveFile(path, Buffer.from("ab"), identityOf(path));
  expect(readFileSync(twin, "utf8")).toBe("ab");
});

describe("nothing is written when the file is not what was read", () => {
  test("changed by somebody else, also with the same size", () => {
    const identity = identityOf(path);
    writeFileSync(path, "BEFORE");
    utimesSync(path, 1, 1);
    expect(() => saveFile(path, after, identity)).toThrow(/changed by somebody else/);
    expect(readFileSync(path, "utf8")).toBe("BEFORE");
  });

  test("P15: replaced by a directory", () => {
    const identity = identityOf(path);
    rmSync(path);
    mkdirSync(path);
    expect(() => saveFile(path, after, identity)).toThrow(/now a directory. Nothing was written/);
    expect(readdirSync(folder)).toEqual(["秋.txt"]);
    expect(readdirSync(path)).toEqual([]);
  });

  test("gone", () => {
    const identity = identityOf(path);
    rmSync(path);
    expect(() => saveFile(path, after, identity)).toThrow(/gone meanwhile/);
    expect(existsSync(path)).toBe(false);
  });

  test("there although it was to be new", () => {
    expect(() => saveFile(path, after, undefined)).toThrow(/come into being/);
    expect(readFileSync(path, "utf8")).toBe("before");
  });
});
