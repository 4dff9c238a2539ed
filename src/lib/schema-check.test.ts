import { describe, expect, test } from "vitest";
import { checkAgainstSchema } from "./schema-check.ts";

const check = (schema: unknown, value: unknown) =>
  checkAgainstSchema(schema, value).map(({ path, message }) => `${path} ${message}`);

describe("checking arguments", () => {
  test("says what is missing, what has the wrong type and what is not known", () => {
    const schema = {
      type: "object",
      required: ["path", "mode"],
      properties: {
        path: { type: "string" },
        mode: { enum: ["r", "w"] },
        lines: { type: "array", items: { type: "integer" } },
      },
      additionalProperties: false,
    };
    expect(check(schema, { path: 7, lines: [1, "2"], colour: 1 })).toEqual([
      "/mode is required and missing",
      "/path must be string, and is number 7",
      '/lines/1 must be integer, and is string "2"',
      "/colour is not a parameter. Parameters: path, mode, lines",
    ]);
    expect(check(schema, { path: "a", mode: "x" })).toEqual(['/mode must be one of "r", "w", and is "x"']);
    expect(check(schema, { path: "a", mode: "r", lines: [] })).toEqual([]);
  });

  test("a value that fits one of several forms is fine; otherwise the nearest form says why", () => {
    const schema = { anyOf: [{ type: "string" }, { type: "object", required: ["a"] }] };
    expect(check(schema, "x")).toEqual([]);
    expect(check(schema, {})).toHaveLength(1);
  });

  test("R21: local references are followed, cycles end, remote ones are not fetched", () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
    };
    expect(check(tree, { next: { next: { next: 1 } } })).toEqual([
      "/next/next/next must be object, and is number 1",
    ]);
    expect(check({ $ref: "#" }, {})).toEqual([]);
    expect(check({ $ref: "https://example.com/schema.json" }, 7)).toEqual([]);
  });

  test("R21: a hostile pattern is not run, and a huge value is checked in bounded steps", () => {
    expect(check({ type: "string", pattern: "^(a+)+$" }, `${"a".repeat(50_000)}!`)).toEqual([]);
    expect(check({ type: "array", items: { type: "string" } }, Array(1_000_000).fill("x"))).toEqual([]);
  });

  test("a schema that says nothing accepts everything", () => {
    expect(check({}, null)).toEqual([]);
    expect(check(true, 3)).toEqual([]);
    expect(check(undefined, 3)).toEqual([]);
  });
});
