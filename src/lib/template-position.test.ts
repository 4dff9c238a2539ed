import { expect, test } from "vitest";
import { templatePosition } from "./template-position.ts";

const POEM = "shelf://poem/{poet}/{number}";

test.each([
  [POEM, "", { type: "fixed", text: "shelf://poem/" }],
  [POEM, "shelf://po", { type: "fixed", text: "shelf://poem/" }],
  [POEM, "other://", undefined],
  [
    POEM,
    "shelf://poem/ko",
    { type: "variable", name: "poet", value: "ko", before: "shelf://poem/", after: "/" },
  ],
  [
    POEM,
    "shelf://poem/%E5%B0%8F/1",
    {
      type: "variable",
      name: "number",
      value: "1",
      before: "shelf://poem/%E5%B0%8F/",
      others: { poet: "小" },
    },
  ],
  [
    "file:///{+path}",
    "file:///a/b",
    { type: "variable", name: "path", value: "a/b", reserved: true, after: "" },
  ],
  ["a://x", "a://x", undefined],
  ["a://{id}/end", "a://1/e", { type: "fixed", text: "a://1/end" }],
  ["a://{id}.txt", "a://1%zz", { type: "variable", value: "1%zz", after: ".txt" }],
  ["a://{id}.txt/{n}", "a://b/c.txt/", undefined],
  ["a://{?q}", "a://", undefined],
])("in %s, behind %s", (template, typed, expected) => {
  const found = templatePosition(template, typed);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});
