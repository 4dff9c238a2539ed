import { describe, expect, test } from "vitest";
import type { JsonValue, ToolResponse } from "../../../conversation/index.ts";
import { renderResponse } from "./result.ts";
import { renderTable, renderValue } from "./table.ts";
import { padTo, widthOf } from "./width.ts";

const response = (more: Partial<ToolResponse>): ToolResponse => ({
  type: "tool-response",
  id: "1",
  name: "x__tool",
  content: [],
  isError: false,
  ...more,
});
const render = (more: Partial<ToolResponse>, language: "en" | "ja" = "en", request = "") =>
  renderResponse(response(more), { language, request });

describe("widths", () => {
  test("wide characters take two columns, marks none", () => {
    expect(widthOf("abc")).toBe(3);
    expect(widthOf("和歌")).toBe(4);
    expect(widthOf("ｱ")).toBe(1);
    expect(widthOf("が")).toBe(2);
    expect(widthOf("🦢")).toBe(2);
    expect(padTo("雁", 4)).toBe("雁  ");
  });
});

describe("tables", () => {
  test("rows line up though their characters are wide", () => {
    const lines = renderTable(
      [
        { name: "雁の和歌", n: 5 },
        { name: "goose", n: 12 },
      ],
      "ja",
    ).split("\n");
    expect(new Set(lines.map(widthOf)).size).toBe(1);
    expect(lines[2]).toBe("| 雁の和歌 |   5 |");
  });

  test("pipes and line ends cannot break a row", () => {
    const table = renderTable([{ a: "x | y\nz" }, { a: null }], "en");
    expect(table.split("\n")).toHaveLength(4);
    expect(table).toContain("x \\| y z");
  });

  test("what is cut is counted", () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({ index }));
    expect(renderTable(rows, "en")).toContain("50 more rows are not shown");
    expect(renderTable(rows, "ja")).toContain("50 行は省略");
    const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`c${index}`, index]));
    expect(renderTable([wide], "en")).toContain("columns not shown: c12");
  });

  test("R12: nesting without end is said, not thrown", () => {
    let deep: JsonValue = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(renderValue({ deep: { a: { b: { c: { d: deep } } } } }, "en")).toContain("too deep");
  });
});

describe("results", () => {
  test("text is shown as it is", () => {
    expect(render({ content: [{ type: "text", text: "a\n  b" }] })).toBe("a\n  b");
  });

  test("R25: structured content is laid out once, though the server repeats it as text", () => {
    const structuredContent = { items: [{ id: 1 }, { id: 2 }] };
    const text = render({
      structuredContent,
      content: [{ type: "text", text: JSON.stringify(structuredContent) }],
    });
    expect(text.match(/\| 1|\|\s+1/g)).toHaveLength(1);
  });

  test("data that the text already says in words is not shown twice, data that it does not say is shown", () => {
    const structuredContent = { posts: [{ rank: 1, account: "Laptop" }] };
    const words = render({ structuredContent, content: [{ type: "text", text: "1位：@Laptop" }] });
    expect(words).toBe("1位：@Laptop");
    const picture = { type: "image", mimeType: "image/png", data: "AAAA" } as const;
    const page = render({ structuredContent, content: [{ type: "text", text: "first place" }, picture] });
    expect(page).not.toContain("Laptop");
    const summary = render({ structuredContent, content: [{ type: "text", text: "found something" }] });
    expect(summary).toContain("Laptop");
    expect(summary).toContain("found something");
  });

  test("JSON text becomes a table, other text in braces stays", () => {
    expect(render({ content: [{ type: "text", text: '[{"a":1},{"a":2}]' }] })).toContain("|   a |");
    expect(render({ content: [{ type: "text", text: "{not json}" }] })).toBe("{not json}");
  });

  test("each picture is a line, and links are links", () => {
    const blob = "AAAA".repeat(1000);
    const text = render(
      {
        content: [
          { type: "text", text: "1位：@Laptop" },
          {
            type: "resource",
            resource: { uri: "file:///w/P1.png", name: "P1.png", mimeType: "image/png", blob },
          },
          { type: "resource", resource: { uri: "file:///w/%E9%9B%81.png", mimeType: "image/png", blob } },
          { type: "image", mimeType: "image/jpeg", data: blob },
          { type: "resource-link", link: { uri: "code://file/a.ts", name: "a.ts", description: "a file" } },
        ],
      },
      "ja",
    );
    expect(text.split("\n\n")).toEqual([
      "1位：@Laptop",
      "[画像] P1.png (file:///w/P1.png) image/png, 2.9 KB",
      "[画像] 雁.png (file:///w/%E9%9B%81.png) image/png, 2.9 KB",
      "[画像] image/jpeg, 2.9 KB",
      "[a.ts](code://file/a.ts) a file",
    ]);
  });

  test("R26: an error is called one, and keeps its picture", () => {
    const text = render({
      isError: true,
      content: [
        { type: "text", text: "no such file" },
        { type: "image", mimeType: "image/png", data: "AAAA" },
      ],
    });
    expect(text).toMatch(/^`x__tool` failed\.\n\nno such file\n\n\[picture\]/);
  });

  test("content for the assistant alone is not shown to the person", () => {
    expect(
      render({ content: [{ type: "text", text: "secret", annotations: { audience: ["assistant"] } }] }),
    ).not.toContain("secret");
  });

  test("nothing is said to be nothing, and too much is cut with the way to the rest", () => {
    expect(render({})).toContain("returned nothing");
    const text = render({ content: [{ type: "text", text: "x".repeat(70_000) }] });
    expect(text.length).toBeLessThan(61_000);
    expect(text).toContain("10000 more characters");
  });

  test("the row that the request names comes first", () => {
    const rows = ["C", "Go", "Rust", "Java"].map((name, lines) => ({ name, lines }));
    const text = render({ structuredContent: rows }, "en", "how many lines of Rust?");
    expect(text.split("\n")[2]).toContain("Rust");
    expect(render({ structuredContent: rows }, "en", "how many lines of Rusty?").split("\n")[2]).toContain(
      "C",
    );
  });

  test("a superlative puts the greatest rows first, by the column that it means", () => {
    const rows = ["a", "b", "c"].map((path, i) => ({
      path,
      size_bytes: [5, 90, 7][i],
      line_count: [9, 2, 4][i],
    }));
    const first = (request: string) =>
      render({ structuredContent: { files: rows } }, "en", request).split("\n")[2];
    expect(first("which files are the largest?")).toContain("b");
    expect(first("一番長いファイルは？")).toContain("a");
    expect(first("the smallest file")).toContain("a");
    expect(first("the nicest file")).toContain("size_bytes");
  });

  test("a file that was asked for by name is shown as it is, though it is JSON", () => {
    const resource = { uri: "code://file/package.json", mimeType: "application/json", text: '{\n "a": 1\n}' };
    const content = [{ type: "resource", resource } as const];
    expect(render({ content }, "en", "show me package.json")).toBe('{\n "a": 1\n}');
    expect(render({ content }, "en", "show me the settings")).toBe("- a: 1");
  });
});
