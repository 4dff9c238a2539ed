import { describe, expect, test } from "vitest";
import { findNumbers } from "./numbers.ts";
import { englishNumber, kanjiNumber } from "./numerals.ts";
import { foldWidth } from "./text.ts";
import { convertUnit, unitOf } from "./units.ts";

const values = (text: string) => findNumbers(foldWidth(text)).map(({ number }) => number.value);
const first = (text: string) => findNumbers(foldWidth(text))[0]?.number;

describe("findNumbers", () => {
  test.each([
    ["the sides are 3, 4 and 5.5", [3, 4, 5.5]],
    ["from 1,234,567 down to -25", [1234567, -25]],
    ["charges of 1e-9 and 2e-9", [1e-9, 2e-9]],
    ["a price of $2,000,000 or €1.5M", [2000000, 1500000]],
    ["213 million people and 8.5 billion yen", [213e6, 8.5e9]],
    ["coordinates 46.603354,1.8883340", [46.603354, 1.888334]],
    ["twenty five days, three hundred pages, two dozen eggs", [25, 300, 24]],
    ["ranks 1-3", [1, 3]],
    ["第１回の１位から３位", [1, 1, 3]],
    ["第十二回の三位まで", [12, 3]],
    ["30万円で2名", [300000, 2]],
  ])("%s", (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  test.each(["DNA123", "C6H12O6", "2x2 table", "一覧を表示", "the one with backstage access"])(
    "no number stands in %s",
    (text) => {
      expect(values(text)).toEqual([]);
    },
  );

  test("what stands at a number is kept with it", () => {
    expect(first("5% a year")).toMatchObject({ value: 5, percent: true });
    expect(first("$50 a night")).toMatchObject({ value: 50, currency: "USD" });
    expect(first("in 1998")).toMatchObject({ yearLike: true });
    expect(first("19th century")).toMatchObject({ value: 19, ordinal: true });
    expect(first("150lbs")?.unit?.name).toBe("lb");
    expect(first("30 degrees Celsius")?.unit?.name).toBe("celsius");
    expect(first("a temperature of 300K")).toMatchObject({ value: 300, unit: { name: "kelvin" } });
    expect(first("a 30-year mortgage")).toMatchObject({ value: 30, unit: { name: "year" } });
    expect(first("3時間")?.unit?.name).toBe("hour");
  });

  test("'in' after a number is the preposition, never inches", () => {
    expect(first("revenues of $1M in 2019")?.unit).toBeUndefined();
    expect(first("a height of 10in")?.unit?.name).toBe("inch");
  });

  test("a length in feet and inches is one length", () => {
    expect(first("height 5ft 10in")).toMatchObject({ value: 70, unit: { name: "inch" } });
    expect(values("2 hours 30 minutes")).toEqual([150]);
  });

  test("'next week' is one week, though no number is said", () => {
    expect(first("for the next week")).toMatchObject({ value: 1, implied: true, unit: { name: "week" } });
    expect(values("20 miles a day")).toEqual([20]);
  });
});

describe("numerals", () => {
  test("English number words add up, and other words are none", () => {
    expect(englishNumber(["two", "million", "three", "hundred"])).toBe(2000300);
    expect(englishNumber(["two", "cats"])).toBeUndefined();
  });

  test.each([
    ["十", 10],
    ["三百五", 305],
    ["二〇二四", 2024],
    ["一万二千", 12000],
    ["三億", 3e8],
  ])("%s is %d", (text, value) => {
    expect(kanjiNumber(text)).toBe(value);
  });

  test("一覧 is no numeral", () => {
    expect(kanjiNumber("一覧")).toBeUndefined();
  });
});

describe("convertUnit", () => {
  const convert = (value: number, from: string, to: string) => {
    const [left, right] = [unitOf(from), unitOf(to)];
    return left === undefined || right === undefined ? undefined : convertUnit(value, left, right);
  };
  test("units of one dimension convert without rounding noise", () => {
    expect(convert(100, "µf", "farads")).toBe(0.0001);
    expect(convert(2, "weeks", "days")).toBe(14);
    expect(convert(1, "decade", "years")).toBe(10);
    expect(convert(1, "month", "days")).toBe(30);
  });
  test("units of two dimensions do not, and temperatures have no factor", () => {
    expect(convert(1, "kg", "meters")).toBeUndefined();
    expect(convert(30, "celsius", "fahrenheit")).toBeUndefined();
  });
});
