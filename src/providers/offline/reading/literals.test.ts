import { describe, expect, test } from "vitest";
import { findLiterals } from "./literals.ts";
import { readRequest } from "./reading.ts";
import { foldWidth } from "./text.ts";

const NOW = new Date(2025, 0, 15);
const of = (type: string, text: string) =>
  findLiterals(foldWidth(text), NOW).flatMap((literal) =>
    literal.type === type && "value" in literal ? [literal.value] : [],
  );

describe("findLiterals", () => {
  test.each([
    ['say "hello there"', "hello there"],
    ["the 'R vs Adams' case", "R vs Adams"],
    ["don't forget 'John's book'", "John's book"],
    ["run `npm test` now", "npm test"],
    ["「遠慮したラップトップ和歌集」の", "遠慮したラップトップ和歌集"],
    ["『雁』を読む", "雁"],
    ["'wakashu'で", "wakashu"],
    ["called “The Wild Goose”", "The Wild Goose"],
    ['watching "Pulp Fiction," again', "Pulp Fiction"],
    ['send "a quote that never ends', "a quote that never ends"],
  ])("quoted text: %s", (text, expected) => {
    expect(of("quoted", text)).toEqual([expected]);
  });

  test("an apostrophe opens no quote", () => {
    expect(of("quoted", "what's the dog's name")).toEqual([]);
  });

  test.each([
    ["read https://example.com/a?b=c.", "https://example.com/a?b=c"],
    ["read code://stats/overview", "code://stats/overview"],
    ["does healthandwellness.org exist", "healthandwellness.org"],
  ])("URLs: %s", (text, expected) => {
    expect(of("url", text)).toEqual([expected]);
  });

  test("e-mail addresses", () => {
    expect(of("email", "write to john.doe@example.com.")).toEqual(["john.doe@example.com"]);
  });

  test.each([
    ["show package.json", "package.json"],
    ["open ./src/index.ts", "./src/index.ts"],
    ["C:/data/cars.csv を", "C:/data/cars.csv"],
    ["in ~/data/scan.nii", "~/data/scan.nii"],
    ["src/lib/ranking/stem.tsの中身", "src/lib/ranking/stem.ts"],
  ])("paths: %s", (text, expected) => {
    expect(of("path", text)).toEqual([expected]);
  });

  test.each(["and/or", "Washington, D.C.", "10 km/h"])("no path in %s", (text) => {
    expect(of("path", text)).toEqual([]);
  });

  test.each([
    ["case LAX2019080202", "LAX2019080202"],
    ["docket 2022/AL2562", "2022/AL2562"],
    ["dataset your_dataset_name", "your_dataset_name"],
    ["host 192.168.1.1", "192.168.1.1"],
    ["in #general", "#general"],
  ])("identifiers: %s", (text, expected) => {
    expect(of("identifier", text)).toEqual([expected]);
  });

  test.each([
    ["the list [5, 3, 4]", [5, 3, 4]],
    ["points (3,4)", [3, 4]],
    ["at (33.4484 N, 112.0740 W)", [33.4484, -112.074]],
    ["['Sam', 'Alice']", ["Sam", "Alice"]],
    ["scores {'math':90, b: true}", { math: 90, b: true }],
    ["[[1, 2], [3]]", [[1, 2], [3]]],
  ])("data in brackets: %s", (text, expected) => {
    expect(of("json", text)).toEqual([expected]);
  });

  test("an aside in brackets is no data", () => {
    expect(of("json", "the GCD (greatest common divisor) of 3 and 4")).toEqual([]);
  });

  test("patterns, street addresses and formulas", () => {
    expect(of("pattern", "find *.ts files")).toEqual(["*.ts"]);
    expect(of("address", "at 123 main street, please")).toEqual(["123 main street"]);
    expect(of("expression", "derivative of 3x^2 + 2x - 1")).toEqual(["3x^2 + 2x - 1"]);
  });

  test("R12: brackets nested without end are left alone", () => {
    expect(of("json", "[".repeat(5000))).toEqual([]);
  });
});

describe("readRequest", () => {
  test("spans point into what was typed, full width or not", () => {
    const text = "第１回の１位から３位";
    const spans = readRequest(text, NOW).literals.map(({ start, end }) => text.slice(start, end));
    expect(spans).toEqual(["１", "１", "３"]);
  });

  test("a number that only counts the values beside it is no value", () => {
    for (const text of [
      "the divisor of two numbers: 40 and 50",
      "its three sides are 5 units, 4 units and 3 units long",
      "distance between two cities, New York and Los Angeles",
    ]) {
      const reading = readRequest(text, NOW);
      expect(reading.tallies.size, text).toBe(1);
    }
    expect(readRequest("two hotels in Paris", NOW).tallies.size).toBe(0);
  });

  test("names keep their inner words and lose what is not theirs", () => {
    const names = (text: string) =>
      readRequest(text, NOW)
        .phrases.filter(({ kind, part }) => kind === "name" && !part)
        .map(({ text: name }) => name);
    expect(names("Find the Museum of Modern Art in New York")).toEqual(["Museum of Modern Art", "New York"]);
    expect(names("Get the price of Apple's stock")).toEqual(["Apple"]);
    expect(names("stock X and product A by 10%")).toEqual(["X", "A"]);
    expect(names("weather in Seattle, Washington today")).toContain("Seattle, Washington");
    expect(names("players Alex, Sam and Robert")).toEqual(["Alex", "Sam", "Robert"]);
  });

  test("a Japanese particle gives a phrase its part", () => {
    const parts = Object.fromEntries(
      readRequest("東京から京都まで電車で", NOW).phrases.map(({ text, preposition }) => [text, preposition]),
    );
    expect(parts).toEqual({ 東京: "from", 京都: "to", 電車: "in" });
  });

  test("a request of a megabyte is read at both ends, and says what it left out", () => {
    const reading = readRequest(`start ${"x ".repeat(500_000)} end`, NOW);
    expect(reading.cut).toBeGreaterThan(990_000);
    expect(reading.original.startsWith("start")).toBe(true);
    expect(reading.original.endsWith("end")).toBe(true);
  });
});
