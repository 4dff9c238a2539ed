import { describe, expect, test } from "vitest";
import { parseJsonc } from "./jsonc.ts";

const parse = (text: string) => parseJsonc(text, "mcp.json");

describe("JSON with comments", () => {
  test("comments and trailing commas are no part of it", () => {
    expect(parse('\uFEFF// a\n{ "a": [1, /* b, */ 2, ], // c\n "b": {"c": null,},\n}\n/* end')).toEqual({
      a: [1, 2],
      b: { c: null },
    });
  });

  test("what looks like a comment inside a string is text", () => {
    const value = { url: "http://x//y", glob: "/* a */", "q\\": 'say "hi", }', 雁: "かり,]" };
    expect(parse(JSON.stringify(value))).toEqual(value);
  });

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": [1, 2\n', 3],
    ['// only\n{"a" 1}', 2],
    ['{"a": "open\n}', 1],
    ["nonsense", 1],
  ])("%j is an error in line %i", (text, line) => {
    expect(() => parse(text)).toThrow(`mcp.json:${line}: is not valid JSON`);
  });

  test("an empty file is said to be empty", () => {
    expect(() => parse(" // nothing\n")).toThrow("mcp.json: is empty");
  });

  test("strings of many megabytes, and commas without end, are read in one go", () => {
    const value = { history: `${"雁 // \\".repeat(3_000_000)}` };
    expect(parse(JSON.stringify(value))).toEqual(value);
    expect(() => parse(`[${",".repeat(100_000)}`)).toThrow(/is not valid JSON/);
  });

  test("R12: nesting without end is an error or a value, never a crash", () => {
    const deep = "[".repeat(200_000);
    expect(() => parse(deep)).toThrow(/is not valid JSON/);
  });
});
