import { describe, expect, test } from "vitest";
import { planInsert, planReplace, planRewrite } from "./plan-edit.ts";
import type { TextEdit } from "./splice.ts";

function apply(raw: string, edits: readonly TextEdit[]): string {
  return edits.reduceRight(
    (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
    raw,
  );
}

function replace(raw: string, oldText: string, newText: string, all = false): string {
  return apply(raw, planReplace(raw, "f", { oldText, newText, all }).edits);
}

function insert(raw: string, after: number, text: string): string {
  return apply(raw, planInsert(raw, "f", after, text).edits);
}

describe("P18: line ends", () => {
  test("old_str with \\n matches \\r\\n, and what is put in gets \\r\\n", () => {
    expect(replace("a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\ny\n")).toBe("a\r\nx\r\ny\r\nc\r\n");
  });

  test("in a mixture, each untouched line keeps its own end and new lines take that of their place", () => {
    expect(replace("a\nb\r\nc\nd\r\n", "b\nc", "b\nnew\nc")).toBe("a\nb\r\nnew\nc\nd\r\n");
    expect(replace("a\nb\r\nc\nd\r\n", "b", "b1\nb2")).toBe("a\nb1\r\nb2\r\nc\nd\r\n");
  });

  test("old Mac files, with \\r alone, keep it", () => {
    expect(replace("a\rb\rc", "a\nb", "a\nx\nb")).toBe("a\rx\rb\rc");
  });

  test("a lone \\r among other line ends is an ordinary character", () => {
    expect(replace("a\rb\nc\n", "a\rb", "x")).toBe("x\nc\n");
  });

  test("a missing final newline stays missing", () => {
    expect(replace("a\nb", "b", "c")).toBe("a\nc");
    expect(insert("a\r\nb", 2, "c\n")).toBe("a\r\nb\r\nc");
    expect(insert("a", 1, "b\nc")).toBe("a\nb\nc");
  });

  test("a rewrite keeps the file's line ends and touches only what differs", () => {
    const raw = "a\r\nb\nc\r\n";
    const { edits } = planRewrite(raw, "a\nB\nc\n");
    expect(edits).toEqual([{ start: 3, end: 4, text: "B" }]);
    expect(apply("a\r\nb\r\n", planRewrite("a\r\nb\r\n", "x\ny\nz\n").edits)).toBe("x\r\ny\r\nz\r\n");
  });
});

describe("replace", () => {
  test("only what differs between old and new is edited", () => {
    const plan = planReplace("let x = 1;", "f", { oldText: "let x = 1;", newText: "let y = 1;", all: false });
    expect(plan.edits).toEqual([{ start: 4, end: 5, text: "y" }]);
  });

  test("a surrogate pair is never split", () => {
    const plan = planReplace("a😀b", "f", { oldText: "😀", newText: "😁", all: false });
    expect(plan.edits).toEqual([{ start: 1, end: 3, text: "😁" }]);
    const end = planReplace("𠮷", "f", { oldText: "𠮷", newText: "\ud843\udfb7", all: false });
    expect(end.edits).toEqual([{ start: 0, end: 2, text: "\ud843\udfb7" }]);
  });

  test("several places are an error that names the lines", () => {
    expect(() => replace("a\nb\na\n", "a", "c")).toThrow(/2 places in f \(lines 1, 3\)/);
  });

  test("replace_all replaces them all", () => {
    expect(replace("aXa\r\na", "a", "bb", true)).toBe("bbXbb\r\nbb");
  });

  test("no place is an error that says where the first line is", () => {
    expect(() => replace("a\n  if (x) {\n}\n", "if (x) {\n  y", "z")).toThrow(
      /not in f\. Its first line is at 2/,
    );
    expect(() => replace("a\n", "zzz", "y")).toThrow(/nowhere in the file/);
  });

  test("P10: a file in the other Unicode form is matched, and stays in its form", () => {
    const nfd = "ばら が咲く".normalize("NFD");
    expect(replace(nfd, "が咲く", "が散る")).toBe("ばら が散る".normalize("NFD"));
    expect(replace("が咲く", "が".normalize("NFD"), "は".normalize("NFD"))).toBe("は咲く");
  });

  test("empty and unchanged replacements are refused", () => {
    expect(() => replace("a", "", "b")).toThrow(/old_str is empty/);
    expect(() => replace("a", "a", "a")).toThrow(/the same/);
  });

  test("new text with $ patterns is taken as it is", () => {
    expect(replace("a b c", "b", "$& $1 $`")).toBe("a $& $1 $` c");
  });
});

describe("insert", () => {
  test.each([
    [0, "x\na\nb\n"],
    [1, "a\nx\nb\n"],
    [2, "a\nb\nx\n"],
  ])("after line %i", (after, expected) => expect(insert("a\nb\n", after, "x")).toBe(expected));

  test("into an empty file", () => expect(insert("", 0, "x\n")).toBe("x\n"));

  test("after a line that is not there is an error", () => {
    expect(() => insert("a\nb\n", 3, "x")).toThrow(/has 2 lines/);
  });
});
