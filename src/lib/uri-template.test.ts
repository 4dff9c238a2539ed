import { expect, test } from "vitest";
import { matchesTemplate, templateVariables } from "./uri-template.ts";

test("finds the variables of a template", () => {
  expect(templateVariables("wakashu://{collection}/第{edition}回/{+path}{?limit,cursor}")).toEqual([
    "collection",
    "edition",
    "path",
    "limit",
    "cursor",
  ]);
});

test("tells whether a URI fits", () => {
  expect(matchesTemplate("code://file/{+file_path}", "code://file/src/a.ts")).toBe(true);
  expect(matchesTemplate("test://item/{id}/data", "test://item/7/data")).toBe(true);
  expect(matchesTemplate("test://item/{id}/data", "test://item/7/8/data")).toBe(false);
  expect(matchesTemplate("code://stats/files{?limit}", "code://stats/files")).toBe(true);
  expect(matchesTemplate("code://stats/files{?limit}", "code://stats/files?limit=3")).toBe(true);
  expect(matchesTemplate("a.b://{x}", "aXb://1")).toBe(false);
});

test("P19: a URI of a megabyte fits nothing, at once", () => {
  expect(matchesTemplate("{+a}{+b}{+c}{+d}!", "x".repeat(1_000_000))).toBe(false);
});
