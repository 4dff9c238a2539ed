import { describe, expect, test } from "vitest";
import { stem } from "./stem.ts";

describe("stem", () => {
  test.each([
    ["calculates calculating calculated calculation calculator calculate"],
    ["file files"],
    ["planning planned planner plan"],
    ["recommend recommendation recommendations recommended"],
    ["city cities"],
    ["directory directories"],
    ["search searches searching searched"],
  ])("the forms of one word meet: %s", (forms) => {
    expect(new Set(forms.split(" ").map(stem)).size).toBe(1);
  });

  test.each([
    ["news", "new"],
    ["status", "state"],
    ["general", "generate"],
    ["data", "date"],
  ])("%s and %s stay apart", (left, right) => {
    expect(stem(left)).not.toBe(stem(right));
  });

  test("words that are not plain English pass through", () => {
    expect(["一覧", "naïve", "x2", "api"].map(stem)).toEqual(["一覧", "naïve", "x2", "api"]);
  });
});
