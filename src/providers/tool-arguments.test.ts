import { expect, test } from "vitest";
import { parseToolArguments } from "./tool-arguments.ts";

test("L2: an object is taken, and nothing at all is an empty one", () => {
  expect(parseToolArguments('{"a":{"雁":[1,null]}}')).toEqual({ arguments: { a: { 雁: [1, null] } } });
  expect(parseToolArguments("")).toEqual({ arguments: {} });
  expect(parseToolArguments(" \n")).toEqual({ arguments: {} });
});

test.each([
  ["null", "The arguments must be a JSON object, not null."],
  ["[1]", "The arguments must be a JSON object, not an array."],
  ['"x"', "The arguments must be a JSON object, not a string."],
  ["3", "The arguments must be a JSON object, not a number."],
])("L2: %s is refused with what it is", (raw, reason) => {
  expect(parseToolArguments(raw)).toEqual({ arguments: {}, invalid: { raw, reason } });
});

test("L2: cut JSON is refused with the parser's words", () => {
  expect(parseToolArguments('{"a": "b')).toMatchObject({
    arguments: {},
    invalid: { raw: '{"a": "b', reason: expect.stringMatching(/^The arguments are not valid JSON: /) },
  });
});

test("L2: a string of 10 MB is an argument like any other", () => {
  const parsed = parseToolArguments(`{"a":"${"x".repeat(10_000_000)}"}`);
  expect((parsed.arguments["a"] as string).length).toBe(10_000_000);
});

test("R12: a nest of 100,000 levels is refused; brackets inside a string do not count", () => {
  const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(parseToolArguments(deep).invalid?.reason).toBe("The arguments are nested deeper than 200 levels.");
  const text = JSON.stringify({ a: '[{"\\'.repeat(1_000) });
  expect(parseToolArguments(text).invalid).toBeUndefined();
});

test("R11: `__proto__` pollutes nothing", () => {
  parseToolArguments('{"__proto__":{"polluted":1}}');
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
