import { describe, expect, test } from "vitest";
import { type Acceptable, type Arguments, type FunctionDescription, matchArguments } from "./ast-match.ts";

const describeFunction = (
  properties: FunctionDescription["parameters"]["properties"],
  required: string[],
) => ({
  name: "f",
  parameters: { properties, required },
});
const matches = (
  properties: FunctionDescription["parameters"]["properties"],
  required: string[],
  call: Arguments,
  answer: Acceptable,
) => matchArguments(describeFunction(properties, required), call, answer).error === undefined;

describe("matchArguments", () => {
  const text = { city: { type: "string" } };

  test("strings match without spaces, case and light punctuation", () => {
    expect(matches(text, ["city"], { city: "new york, n.y." }, { city: ["New York NY"] })).toBe(true);
    expect(matches(text, ["city"], { city: "Boston" }, { city: ["New York"] })).toBe(false);
  });

  test("a required parameter must be there, even where the answer would let it be left out", () => {
    expect(matches(text, ["city"], {}, { city: ["", "x"] })).toBe(false);
  });

  test("an optional parameter may be left out only where the answer says so", () => {
    const both = { city: { type: "string" }, unit: { type: "string" } };
    expect(matches(both, ["city"], { city: "x" }, { city: ["x"], unit: ["km", ""] })).toBe(true);
    expect(matches(both, ["city"], { city: "x" }, { city: ["x"], unit: ["km"] })).toBe(false);
  });

  test("a parameter that nobody expects is an error", () => {
    expect(matches(text, [], { city: "x", other: 1 }, { city: ["x"] })).toBe(false);
  });

  test("types count: 5 is not '5', true is not 1, and 2.5 is no integer", () => {
    const number = { n: { type: "integer" } };
    expect(matches(number, ["n"], { n: 5 }, { n: [5] })).toBe(true);
    expect(matches(number, ["n"], { n: "5" }, { n: [5] })).toBe(false);
    expect(matches(number, ["n"], { n: true }, { n: [1] })).toBe(false);
    expect(matches(number, ["n"], { n: 2.5 }, { n: [2] })).toBe(false);
    expect(matches({ n: { type: "float" } }, ["n"], { n: 5 }, { n: [5.0] })).toBe(true);
  });

  test("an answer of another type than described stands for a variable", () => {
    expect(matches({ n: { type: "integer" } }, ["n"], { n: "my_var" }, { n: ["my_var"] })).toBe(true);
  });

  test("lists match in order, with their strings normalised", () => {
    const list = { l: { type: "array", items: { type: "string" } } };
    expect(matches(list, ["l"], { l: ["A b", "c"] }, { l: [["ab", "C"]] })).toBe(true);
    expect(matches(list, ["l"], { l: ["c", "ab"] }, { l: [["ab", "c"]] })).toBe(false);
  });

  test("dictionaries match key by key, each with its own acceptable values", () => {
    const dict = { d: { type: "dict" } };
    const answer = { d: [{ min: [1], max: [2, ""] }] };
    expect(matches(dict, ["d"], { d: { min: 1 } }, answer)).toBe(true);
    expect(matches(dict, ["d"], { d: { min: 1, max: 3 } }, answer)).toBe(false);
    expect(matches(dict, ["d"], { d: { max: 2 } }, answer)).toBe(false);
  });

  test("lists of dictionaries match one by one", () => {
    const rows = { r: { type: "array", items: { type: "dict" } } };
    const answer = { r: [[{ a: [1] }, { a: [2] }]] };
    expect(matches(rows, ["r"], { r: [{ a: 1 }, { a: 2 }] }, answer)).toBe(true);
    expect(matches(rows, ["r"], { r: [{ a: 2 }, { a: 1 }] }, answer)).toBe(false);
  });

  test("how many arguments are right is counted beside the verdict", () => {
    const both = describeFunction({ a: { type: "integer" }, b: { type: "integer" } }, ["a", "b"]);
    expect(matchArguments(both, { a: 1, b: 9 }, { a: [1], b: [2] })).toMatchObject({ right: 1, total: 2 });
  });
});
