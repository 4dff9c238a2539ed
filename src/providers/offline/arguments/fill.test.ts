import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../conversation/index.ts";
import { readRequest } from "../reading/reading.ts";
import { array, boolean, fill, filled, integer, NOW, number, string, tool } from "./example-filling.ts";
import { fillArguments } from "./fill.ts";

describe("numbers", () => {
  test("go to the parameter whose name stands beside them", () => {
    const sides = { height: integer(), base: integer() };
    expect(filled("a triangle with a base of 10 units and height of 5 units", sides)).toEqual({
      base: 10,
      height: 5,
    });
  });

  test("in a row go in the order of the names before the row", () => {
    const sides = { base: integer("length of the base"), height: integer("the height") };
    expect(filled("the lengths of its base and height as 6cm and 10cm", sides)).toEqual({
      base: 6,
      height: 10,
    });
  });

  test("that nothing names go in the order of the parameters", () => {
    expect(filled("the greatest common divisor of 36 and 48", { num1: integer(), num2: integer() })).toEqual({
      num1: 36,
      num2: 48,
    });
  });

  test("lines 10 to 20 are eleven from 10 on, where a tool takes a start and how many", () => {
    const lines = {
      path: string("The file"),
      "start_line?": integer("The first line to read, from 1"),
      "limit?": integer("How many lines at most"),
    };
    const about = "read_file: Read a text file with line numbers";
    expect(filled("show me lines 10 to 20 of a.ts", lines, about)).toEqual({
      path: "a.ts",
      start_line: 10,
      limit: 11,
    });
    expect(filled("a.tsの10行目から20行目を見せて", lines, about)).toMatchObject({
      start_line: 10,
      limit: 11,
    });
    expect(filled("show the first 20 lines of a.ts", lines, about)).toEqual({ path: "a.ts", limit: 20 });
  });

  test("1位から3位, ranks 1 to 3 and 1〜3 are a start and an end", () => {
    const ranks = {
      edition: integer("第何回か"),
      rankStart: integer("開始順位"),
      rankEnd: integer("終了順位"),
    };
    const expected = { edition: 1, rankStart: 1, rankEnd: 3 };
    expect(filled("第1回の和歌集のランキング1位から3位を取得して", ranks)).toEqual(expected);
    expect(filled("第一回の一位から三位まで", ranks)).toEqual(expected);
    expect(filled("第１回の１位〜３位", ranks)).toEqual(expected);
    expect(filled("edition 1, ranks 1 to 3", ranks)).toEqual(expected);
    expect(filled("ranks 1-3 of edition 1", ranks)).toEqual(expected);
    expect(filled("between rank 1 and 3 in edition 1", ranks)).toEqual(expected);
  });

  test("one number for a range that needs two ends is both of them, unless it is said to be one", () => {
    const ranks = { rankStart: integer("開始順位"), rankEnd: integer("終了順位") };
    expect(filled("5位を見せて", ranks)).toEqual({ rankStart: 5, rankEnd: 5 });
    expect(filled("5位まで見せて", ranks)).toEqual({ rankEnd: 5 });
  });

  test("a minimum and a maximum are said with words", () => {
    const range = { min_price: integer("Lowest price"), max_price: integer("Highest price") };
    expect(filled("between $100 and $200", range)).toEqual({ min_price: 100, max_price: 200 });
    expect(filled("under $200 a night", { "max_price?": integer("Maximum price") })).toEqual({
      max_price: 200,
    });
  });

  test("are converted to the unit that the parameter wants", () => {
    expect(filled("a capacitance of 100µF", { capacitance: number("in farads (F)") })).toEqual({
      capacitance: 0.0001,
    });
    expect(filled("height 5ft 10in", { height: integer("Height in inches") })).toEqual({ height: 70 });
    expect(filled("the air quality for the next week", { days: integer("Number of days") })).toEqual({
      days: 7,
    });
    expect(filled("over the past decade", { duration: integer("period in years") })).toEqual({
      duration: 10,
    });
  });

  test("as percentages are fractions, unless the parameter speaks of percent", () => {
    const text = "an annual interest rate of 5%";
    expect(filled(text, { interest_rate: number("The annual interest rate") })).toEqual({
      interest_rate: 0.05,
    });
    expect(filled(text, { interest_rate: number("The rate in percent") })).toEqual({ interest_rate: 5 });
    expect(filled(text, { interest_rate: integer("The annual rate") })).toEqual({ interest_rate: 5 });
  });

  test("years go to years and money to money", () => {
    const schema = { year1: integer(), year1_revenue: integer(), year2: integer(), year2_revenue: integer() };
    expect(filled("revenues of $1M in 2019 and $1.2M in 2020", schema)).toEqual({
      year1: 2019,
      year1_revenue: 1000000,
      year2: 2020,
      year2_revenue: 1200000,
    });
  });

  test("an optional parameter takes no number that nothing points at it with", () => {
    expect(
      filled("a circle with radius 3", { radius: integer(), "precision?": integer("Decimal places") }),
    ).toEqual({
      radius: 3,
    });
  });

  test("outside of minimum and maximum, or broken for an integer, are not taken", () => {
    expect(filled("give me 500", { count: integer("", { maximum: 100 }) })).toEqual({});
    expect(filled("give me 2.5", { count: integer() })).toEqual({});
  });

  test("parts of a date fill year, month and day", () => {
    const parts = { year: integer(), month: integer(), day: integer() };
    expect(filled("on March 11, 2022", parts)).toEqual({ year: 2022, month: 3, day: 11 });
    expect(filled("2024年5月3日", parts)).toEqual({ year: 2024, month: 5, day: 3 });
  });
});

describe("flags", () => {
  const flag = { "include_humidity?": boolean("Whether to include humidity") };
  test("are set by what they switch", () => {
    expect(filled("the weather including humidity", flag)).toEqual({ include_humidity: true });
    expect(filled("the weather", flag)).toEqual({});
  });
  test("are cleared by a no", () => {
    expect(filled("the weather without humidity", flag)).toEqual({ include_humidity: false });
    expect(filled("don't return the full text", { full_text: boolean() })).toEqual({ full_text: false });
  });
  test("take true and false by name", () => {
    expect(filled("list recursive=false", { "recursive?": boolean() })).toEqual({ recursive: false });
  });
});

describe("lists and objects", () => {
  test("lists are read from brackets, from rows of numbers and from rows of names", () => {
    expect(filled("the average of [12, 15, 18]", { numbers: array(number()) })).toEqual({
      numbers: [12, 15, 18],
    });
    expect(filled("the data: 85, 90 and 88", { data: array(integer()) })).toEqual({ data: [85, 90, 88] });
    expect(filled("prices of Microsoft and Google", { companies: array(string()) })).toEqual({
      companies: ["Microsoft", "Google"],
    });
    expect(filled("with 'Age', 'Income' and 'Education'", { predictors: array(string()) })).toEqual({
      predictors: ["Age", "Income", "Education"],
    });
    expect(filled("vertices (1,2), (3,4) and (1,3)", { vertices: array(array(number())) })).toEqual({
      vertices: [
        [1, 2],
        [3, 4],
        [1, 3],
      ],
    });
  });

  test("an object's properties are filled like parameters", () => {
    const budget = { budget: { type: "object", properties: { min: integer(), max: integer() } } };
    expect(filled("a villa within $300,000 to $400,000", budget)).toEqual({
      budget: { min: 300000, max: 400000 },
    });
  });

  test("a required object is there, though nothing in it was said", () => {
    expect(filled("hello", { options: { type: "object", properties: { depth: integer() } } })).toEqual({
      options: {},
    });
  });

  test("an object without properties takes an object as it is written", () => {
    expect(filled("scores {'math': 90, 'music': 89}", { scores: { type: "object" } })).toEqual({
      scores: { math: 90, music: 89 },
    });
  });
});

describe("explicit values", () => {
  test("name=value and name: value beat everything else", () => {
    const ranks = { rankStart: integer(), rankEnd: integer() };
    expect(filled("rankEnd=9, rank_start: 7", ranks)).toEqual({ rankStart: 7, rankEnd: 9 });
    expect(filled('title = "A: B"', { title: string() })).toEqual({ title: "A: B" });
    expect(filled("名前：太郎、年齢：20", { 名前: string(), 年齢: integer() })).toEqual({
      名前: "太郎",
      年齢: 20,
    });
  });
});

describe("defaults and missing values", () => {
  test("a required value that is not said comes from the schema's default, or is missing", () => {
    const result = fill("hello", { limit: integer("", { default: 10 }), id: integer() });
    expect(result.arguments).toEqual({ limit: 10 });
    expect(result.missing.map(({ name }) => name)).toEqual(["id"]);
    expect(result.filled[0]?.provenance).toEqual({ from: "default" });
  });

  test("a default that only the description states counts too", () => {
    expect(filled("hello", { formatted: boolean("Default is true.") })).toEqual({ formatted: true });
  });
});

describe("provenance", () => {
  test("every value says which words of the request it came from", () => {
    const text = "第１回のランキング";
    const [edition] = fill(text, { edition: integer("第何回か") }).filled;
    expect(edition?.provenance).toEqual({ from: "request", spans: [{ start: 1, end: 2 }], text: "１" });
  });

  test("two parameters never take the same words", () => {
    const { filled: all } = fill("in Paris", { city: string(), country: string() });
    expect(all.map(({ value }) => value)).toEqual(["Paris"]);
  });
});

describe("hostile schemas", () => {
  test("R21: cyclic, remote and senseless references are plain text, not a loop", () => {
    const cyclic = {
      a: { $ref: "#/properties/a" },
      b: { $ref: "https://example.com/x.json" },
      c: { type: "no-such" },
    };
    expect(() => filled("hello 'x'", cyclic as Record<string, JsonObject>)).not.toThrow();
  });

  test("R11: a parameter called __proto__ pollutes nothing", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"polluted":{"type":"string"}}},"constructor":{"type":"string"}}}',
    ) as JsonObject;
    fillArguments({ ...tool({}), inputSchema: schema }, readRequest("polluted='yes' constructor='x'", NOW));
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("words that every object has are words", () => {
    expect(() =>
      filled("constructor toString __proto__ 5 constructor", { n: integer(), s: string() }),
    ).not.toThrow();
  });

  test("10,000 properties and a million choices are read to a limit", () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`p${index}?`, string("x")]),
    );
    const choices = { c: string("", { enum: Array.from({ length: 1_000_000 }, (_, index) => `v${index}`) }) };
    expect(() => filled("give me 5 of 'them'", many)).not.toThrow();
    expect(filled("v399", choices)).toEqual({ c: "v399" });
  });
});

describe("what a chosen way of working needs", () => {
  const editor = {
    command: string("", { enum: ["view", "write", "undo_edit"] }),
    path: string("The file"),
    "view_range?": array(integer(), "view: first and last line"),
    "file_text?": string("write: the whole new content"),
  };
  const about = "text_editor: View or edit a text file";
  const missing = (text: string) => fill(text, editor, about).missing.map(({ name }) => name);

  test("is missing when it was not said, and only for what changes something", () => {
    expect(missing("write a.txt")).toEqual(["file_text"]);
    expect(missing("view a.txt")).toEqual([]);
    expect(filled("write 'hello' to a.txt", editor, about)).toEqual({
      command: "write",
      path: "a.txt",
      file_text: "hello",
    });
  });

  test("a part of a value is no choice where it is the tool's own word", () => {
    expect(filled("undo it in a.txt", editor, about)).toMatchObject({ command: "undo_edit" });
    const titled = { ...tool(editor, about), title: "View and edit a file" };
    expect(fillArguments(titled, readRequest("edit a.txt", NOW)).arguments).toEqual({ path: "a.txt" });
  });
});

test("a file is no folder to search below, and a superlative is no name", () => {
  const search = {
    "query?": string("Text to find in the contents"),
    "name?": string("File name: a glob or a part of the name"),
    "path?": string("Only below this folder of the project"),
  };
  const about = "find: Find files by name";
  expect(filled("find index.ts", search, about)).toEqual({ name: "index.ts" });
  expect(filled("search for console.log in src", search, about)).toEqual({
    query: "console.log",
    path: "src",
  });
  expect(filled("show me the biggest files", { path: string("The file") }, "read: Read a file")).toEqual({});
});

test("a glob goes to the parameter that takes one", () => {
  const search = {
    "query?": string("Text to find in the contents"),
    "name?": string('File name: a glob ("*.test.ts") or a part of the name'),
  };
  expect(filled("find *.ts files", search, "find: Find files by name")).toEqual({ name: "*.ts" });
});
