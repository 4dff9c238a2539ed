import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../conversation/index.ts";
import { ANY_PROPERTY_NAMES, createPropertyNames } from "../property-name.ts";
import { compileSchema, type SchemaDialect } from "./compile.ts";

function compile(schema: JsonObject, dialect: SchemaDialect): JsonObject {
  return compileSchema(schema, dialect, ANY_PROPERTY_NAMES).schema;
}

function strict(schema: JsonObject): boolean | undefined {
  return compileSchema(schema, "openai", ANY_PROPERTY_NAMES).strict;
}

const EVERY: readonly SchemaDialect[] = ["plain", "openai", "anthropic", "google"];

describe("any schema", () => {
  test.each(EVERY)("%s: a missing or empty schema is an object without properties", (dialect) => {
    expect(compile({}, dialect)).toEqual({ type: "object", properties: {} });
    expect(compile({ type: "object" }, dialect)).toEqual({ type: "object", properties: {} });
  });

  test.each(EVERY)("%s: the same schema gives the same bytes, and the original is untouched", (dialect) => {
    const schema = {
      type: "object",
      properties: { b: { type: "string" }, a: { $ref: "#/$defs/x" } },
      $defs: { x: {} },
    };
    const before = JSON.stringify(schema);
    expect(JSON.stringify(compile(schema, dialect))).toBe(JSON.stringify(compile(schema, dialect)));
    expect(JSON.stringify(schema)).toBe(before);
  });

  test.each(EVERY)(
    "%s: R21: a reference to another document is never followed; anything is allowed there",
    (dialect) => {
      const schema = {
        type: "object",
        properties: { x: { $ref: "https://evil.example/schema.json", description: "d" } },
      };
      expect(compile(schema, dialect)["properties"]).toEqual({ x: { description: "d" } });
    },
  );

  test.each(EVERY)("%s: R21: cycles, huge enums and deep nests end, in a small schema", (dialect) => {
    let deep: JsonObject = { type: "string" };
    for (let level = 0; level < 5_000; level++) deep = { type: "object", properties: { inner: deep } };
    const wide = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { type: "string" }]),
    );
    const schema = {
      type: "object",
      properties: {
        self: { $ref: "#" },
        ring: { $ref: "#/$defs/a" },
        lost: { $ref: "#/$defs/nowhere" },
        choice: { enum: Array.from({ length: 1_000_000 }, (_, index) => `v${index}`) },
        deep,
        wide: { type: "object", properties: wide },
      },
      $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { anyOf: [{ $ref: "#/$defs/a" }] } },
    };
    const text = JSON.stringify(compile(schema, dialect));
    expect(text.length).toBeLessThan(1_000_000);
    expect(text).toContain("One of 1000000 values");
  });

  test("R21: a pattern is never run, and a long one is not sent", () => {
    const pattern = `^(${"a+".repeat(200)})+$`;
    const schema = {
      type: "object",
      properties: { x: { type: "string", pattern }, y: { type: "string", pattern: "^a+$" } },
    };
    expect(compile(schema, "plain")["properties"]).toEqual({
      x: { type: "string" },
      y: { type: "string", pattern: "^a+$" },
    });
  });

  test("a union at the top becomes one object; only what every branch requires is required", () => {
    const schema = {
      anyOf: [
        {
          type: "object",
          properties: { id: { type: "string" }, name: { type: "string" } },
          required: ["id", "name"],
        },
        {
          type: "object",
          properties: { id: { type: "string" }, size: { type: "number" } },
          required: ["id"],
        },
      ],
      properties: { verbose: { type: "boolean" } },
      additionalProperties: false,
    };
    expect(compile(schema, "plain")).toEqual({
      type: "object",
      properties: {
        id: { type: "string" },
        name: { type: "string" },
        size: { type: "number" },
        verbose: { type: "boolean" },
      },
      required: ["id"],
    });
  });

  test("a reference at the top is put in its place", () => {
    const schema = {
      $ref: "#/$defs/input",
      $defs: { input: { type: "object", properties: { a: {} }, required: ["a"] } },
    };
    expect(compile(schema, "anthropic")).toMatchObject({
      type: "object",
      properties: { a: {} },
      required: ["a"],
    });
    expect(compile(schema, "anthropic")["$ref"]).toBeUndefined();
  });
});

describe("Gemini", () => {
  test("references are put in place, once around a cycle", () => {
    const schema = {
      type: "object",
      properties: { root: { $ref: "#/$defs/node" } },
      $defs: {
        node: {
          type: "object",
          properties: {
            label: { type: "string" },
            children: { type: "array", items: { $ref: "#/$defs/node" } },
          },
        },
      },
    };
    expect(compile(schema, "google")).toEqual({
      type: "object",
      properties: {
        root: {
          type: "object",
          properties: { label: { type: "string" }, children: { type: "array", items: {} } },
        },
      },
    });
  });

  test("an escaped reference and a name with a slash are found", () => {
    const schema = {
      type: "object",
      properties: { x: { $ref: "#/$defs/a~1b%20c" } },
      $defs: { "a/b c": { type: "integer" } },
    };
    expect(compile(schema, "google")["properties"]).toEqual({ x: { type: "integer" } });
  });

  test("only known keywords are left, and their meaning is kept where it can be", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      additionalProperties: false,
      properties: {
        kind: { const: "file" },
        when: { type: "string", format: "date-time", examples: ["now"], default: "now" },
        mail: { type: "string", format: "email", pattern: "@", minLength: 3 },
        map: { type: "object", additionalProperties: { type: "number" } },
        either: { oneOf: [{ type: "string" }, { type: "number" }] },
        both: {
          allOf: [{ type: "object", properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }],
        },
        flags: { type: "array" },
        mixed: { enum: ["a", 1, null] },
        optional: { type: ["string", "null"] },
      },
      required: ["kind", "gone"],
      $comment: "x",
    };
    expect(compile(schema, "google")).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["file"] },
        when: { type: "string", format: "date-time" },
        mail: { type: "string" },
        map: { type: "object", additionalProperties: { type: "number" } },
        either: { anyOf: [{ type: "string" }, { type: "number" }] },
        both: { type: "object", properties: { a: {}, b: {} }, required: ["a"] },
        flags: { type: "array", items: {} },
        mixed: { description: 'One of ["a",1,null].' },
        optional: { type: ["string", "null"] },
      },
      required: ["kind"],
    });
  });
});

describe("OpenAI's strict mode", () => {
  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };

  test("is used where the schema already is strict, all the way down", () => {
    expect(strict(closed)).toBe(true);
    expect(strict({ ...closed, properties: { a: { type: "array", items: closed } } })).toBe(true);
  });

  test.each<[string, JsonObject]>([
    ["an optional parameter", { ...closed, required: [] }],
    ["an open object", { type: "object", properties: { a: { type: "string" } }, required: ["a"] }],
    ["an open object inside", { ...closed, properties: { a: { type: "object", properties: {} } } }],
    ["a parameter of any type", { ...closed, properties: { a: {} } }],
    ["an unknown keyword", { ...closed, properties: { a: { type: "string", minLength: 1 } } }],
    ["a default", { ...closed, properties: { a: { type: "string", default: "x" } } }],
  ])("is not used for %s, and the schema is not bent", (_what, schema) => {
    expect(strict(schema)).toBe(false);
    expect(compile(schema, "openai")).toEqual(schema);
  });
});

test("Anthropic: parameters in Japanese get stand-ins that carry their name", () => {
  const names = createPropertyNames();
  const schema = {
    type: "object",
    properties: {
      都市名: { type: "string" },
      inner: { type: "object", properties: { 値: { type: "number" } } },
    },
    required: ["都市名"],
  };
  const { schema: compiled } = compileSchema(schema, "anthropic", names);
  const city = names.toWire("都市名");
  expect(compiled).toEqual({
    type: "object",
    properties: {
      [city]: { type: "string", title: "都市名" },
      inner: { type: "object", properties: { [names.toWire("値")]: { type: "number", title: "値" } } },
    },
    required: [city],
  });
});
