import { describe, expect, test } from "vitest";
import { shownName, shownUri, whyUnusable } from "./resource-uri.ts";

describe("P19: the address of a resource", () => {
  test.each(["file:///a%20b", "note://今日", "git://me@host/x", "demo://a/b?c=d@e:f", "urn:isbn:1"])(
    "%s can be used and is shown as it is",
    (uri) => {
      expect(whyUnusable(uri)).toBeUndefined();
      expect(shownUri(uri)).toBe(uri);
    },
  );

  test.each([
    ["", "empty", ""],
    [`x://${"a".repeat(1_000_000)}`, "1000004 characters", `x://${"a".repeat(196)}…`],
    ["x://a\nb", "control characters", "x://a\\u000ab"],
    ["x://a\u202eb", "control characters", "x://a\\u202eb"],
    ["x://a b", "spaces", "x://a b"],
    ["https://me:hunter2@host/x", "a password", "https://me:…@host/x"],
  ])("%.20s is refused with the reason, and shown in a way that does no harm", (uri, reason, shown) => {
    expect(whyUnusable(uri)).toContain(reason);
    expect(shownUri(uri)).toBe(shown);
  });

  test("a name of a megabyte is cut, on one line", () => {
    expect(shownName(`雁\n${"x".repeat(1_000_000)}`)).toBe(`雁\\u000a${"x".repeat(198)}…`);
  });
});
