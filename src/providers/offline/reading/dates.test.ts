import { describe, expect, test } from "vitest";
import { dateFormatOf, findDates, findTimes, writeDate } from "./dates.ts";

// A Wednesday.
const NOW = new Date(2025, 0, 15);
const dates = (text: string) =>
  findDates(text, NOW).map(({ date }) => `${date.year ?? "?"}-${date.month ?? "?"}-${date.day ?? "?"}`);

describe("findDates", () => {
  test.each([
    ["on 2022-08-16", "2022-8-16"],
    ["in London 2022/08/16", "2022-8-16"],
    ["a birthday 01-31-1980", "1980-1-31"],
    ["born 31/01/1980", "1980-1-31"],
    ["at closing March.11, 2022", "2022-3-11"],
    ["from 1st June 2022", "2022-6-1"],
    ["15th October,2023", "2023-10-15"],
    ["2023 April 4th", "2023-4-4"],
    ["2024年5月3日に", "2024-5-3"],
    ["5月3日に", "?-5-3"],
    ["in December, given", "?-12-?"],
    ["tomorrow", "2025-1-16"],
    ["the day after tomorrow", "2025-1-17"],
    ["昨日の", "2025-1-14"],
    ["next Monday", "2025-1-20"],
    ["last Friday", "2025-1-10"],
  ])("%s", (text, expected) => {
    expect(dates(text)).toEqual([expected]);
  });

  test("a date without a year is in the year of the one beside it", () => {
    expect(dates("from 2023 April 4th to April 8th")).toEqual(["2023-4-4", "2023-4-8"]);
  });

  test("'may' the verb and 13/45/2020 are no dates", () => {
    expect(dates("you may go")).toEqual([]);
    expect(dates("13/45/2020")).toEqual([]);
  });
});

describe("findTimes", () => {
  test.each([
    ["at 3pm", 15, 0],
    ["6:30 PM", 18, 30],
    ["12 am", 0, 0],
    ["午後3時半", 15, 30],
    ["9時15分", 9, 15],
  ])("%s", (text, hour, minute) => {
    expect(findTimes(text).map(({ time }) => time)).toEqual([{ hour, minute }]);
  });

  test("3時間 is a duration, not a time", () => {
    expect(findTimes("3時間")).toEqual([]);
  });
});

describe("dateFormatOf", () => {
  test.each([
    ["Date in YYYY-MM-DD format", "yyyy-mm-dd"],
    ["in the format mm/dd/yyyy", "mm/dd/yyyy"],
    ["The date (month-day-year)", "mm-dd-yyyy"],
    ["ISO 8601 date", "yyyy-mm-dd"],
    ["e.g. 2024-01-31", "yyyy-mm-dd"],
    ["When it happens", undefined],
  ])("%s", (description, expected) => {
    expect(dateFormatOf(description)).toBe(expected);
  });

  test("a date is written as the format says", () => {
    expect(writeDate({ year: 2022, month: 8, day: 6 }, "mm-dd-yyyy", NOW)).toBe("08-06-2022");
    expect(writeDate({ month: 8, day: 6 }, "yyyy-mm-dd", NOW)).toBe("2025-08-06");
  });
});
