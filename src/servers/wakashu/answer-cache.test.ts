import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Answer, toPlainJson } from "./answer.ts";
import { outline, ranking, type TempCollection, tempCollection, tinyPng } from "./temp-collection.ts";

let temp: TempCollection;
beforeEach(() => {
  temp = tempCollection();
  temp.post(1, 1, "a", { account: "a", text: "前の歌" });
  temp.post(1, 2, "b");
  // To the server these files have been there for long, and what it made of them may be kept.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
});
afterEach(() => {
  vi.useRealTimers();
  temp.remove();
});

describe("kept answers", () => {
  test("are given again while nothing changed", async () => {
    const call = ranking(temp.root);
    expect(await call(1, 1, 2)).toBe(await call(1, 1, 2));
    expect(await call(1, 1, 1)).not.toBe(await call(1, 1, 2));
  });

  test.each<[string, (file: (path: string) => string) => void]>([
    [
      "a text written in place, of the same length",
      (file) => writeFileSync(file("1-a/TextData1.json"), JSON.stringify({ account: "a", text: "次の歌" })),
    ],
    [
      "a text written in place with its old time set back",
      (file) => {
        writeFileSync(file("1-a/TextData1.json"), JSON.stringify({ account: "a", text: "次の歌" }));
        utimesSync(file("1-a/TextData1.json"), 1, 1);
      },
    ],
    [
      "a text replaced by renaming",
      (file) => {
        writeFileSync(file("new"), JSON.stringify({ account: "a", text: "次の歌" }));
        renameSync(file("new"), file("1-a/TextData1.json"));
      },
    ],
    ["a picture written in place", (file) => writeFileSync(file("1-a/Picture1.png"), tinyPng(2, 2))],
    ["a better picture added", (file) => writeFileSync(file("1-a/Picture1.jpg"), tinyPng())],
    ["a picture taken away", (file) => rmSync(file("1-a/Picture1.png"))],
    ["a post renamed", (file) => renameSync(file("2-b"), file("2-c"))],
    ["a post for the same rank added", (file) => renameSync(file("2-b"), file("01-b"))],
    [
      "a post replaced by a link",
      (file) => {
        renameSync(file("2-b"), file("x"));
        symlinkSync("1-a", file("2-b"));
      },
    ],
    ["the edition renamed away", (file) => renameSync(file("."), file("../第2回"))],
  ])("are not given after %s", async (_name, change) => {
    const call = ranking(temp.root);
    const before = await call(1, 1, 2);
    change((path) => join(temp.root, "第1回", path));
    const after = await call(1, 1, 2);
    expect(after).not.toBe(before);
    const wire = (answer: Answer) => Buffer.concat(toPlainJson(answer)).toString();
    expect(wire(after)).toBe(wire(await ranking(temp.root)(1, 1, 2)));
    expect(wire(after)).not.toBe(wire(before));
  });

  test("are not kept when a link is on the way: where it leads may change unseen", async () => {
    renameSync(join(temp.root, "第1回/2-b"), join(temp.root, "x"));
    symlinkSync("../x", join(temp.root, "第1回/2-b"));
    const call = ranking(temp.root);
    expect(await call(1, 1, 2)).not.toBe(await call(1, 1, 2));
    expect(outline(await call(1, 1, 2))).toContain("2位：@b");
  });

  test("errors are not kept", async () => {
    const call = ranking(temp.root);
    expect(await call(9, 1, 1)).not.toBe(await call(9, 1, 1));
  });
});
