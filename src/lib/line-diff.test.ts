import { expect, test } from "vitest";
import { unifiedDiff } from "./line-diff.ts";

test("shows what changed with a little around it and where it stands", () => {
  const before = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`).join("\n");
  const after = before.replace("line 10", "LINE 10").replace("line 20", "line 20\nline 21");
  expect(unifiedDiff(before, after)).toBe(
    "@@ -7 +7 @@\n line 7\n line 8\n line 9\n-line 10\n+LINE 10\n line 11\n line 12\n line 13\n@@ -18 +18 @@\n line 18\n line 19\n line 20\n+line 21",
  );
});

test("applying the diff to the old text gives the new one, for many random edits", () => {
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % n;
  };
  for (let round = 0; round < 200; round++) {
    const a = Array.from({ length: random(30) }, () => String(random(5)));
    const b = [...a];
    for (let edit = random(8); edit > 0; edit--)
      b.splice(random(b.length + 1), random(2), ...(random(2) ? [String(random(5))] : []));
    const diff = unifiedDiff(a.join("\n"), b.join("\n")) ?? "";
    const removed = diff.split("\n").filter((line) => line.startsWith("-")).length;
    const added = diff.split("\n").filter((line) => line.startsWith("+")).length;
    expect(apply(a.join("\n"), diff)).toBe(b.join("\n"));
    if (a.length > 0 && b.length > 0) expect(b.length - a.length).toBe(added - removed);
  }
});

function apply(text: string, diff: string): string {
  const lines = text.split("\n");
  const result: string[] = [];
  let next = 1;
  for (const line of diff === "" ? [] : diff.split("\n")) {
    const hunk = /^@@ -(\d+)/.exec(line);
    if (hunk) {
      while (next < Number(hunk[1])) result.push(lines[next++ - 1] ?? "");
    } else if (line.startsWith("+")) result.push(line.slice(1));
    else if (line.startsWith("-")) next++;
    else result.push(lines[next++ - 1] ?? "");
  }
  while (next <= lines.length) result.push(lines[next++ - 1] ?? "");
  return result.join("\n");
}

test("the same text has an empty diff; texts with nothing in common have none", () => {
  expect(unifiedDiff("a\nb", "a\nb")).toBe("");
  const many = (prefix: string) => Array.from({ length: 3000 }, (_, i) => `${prefix}${i}`).join("\n");
  expect(unifiedDiff(many("a"), many("b"))).toBeUndefined();
});
