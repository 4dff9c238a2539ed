import { expect, test } from "vitest";
import type { Message, ToolContent } from "../../conversation/index.ts";
import { forModel } from "./for-model.ts";

const result = (content: ToolContent[], name = "x__look"): Message => ({
  role: "tool",
  content: [{ type: "tool-response", id: "1", name, content, isError: false }],
});
const picture: ToolContent = { type: "image", mimeType: "image/png", data: "A".repeat(5000) };

test("a picture goes to the model once; the same bytes again are one line that says where", () => {
  const messages = [result([picture]), result([{ ...picture }], "y__again")];
  const [first, second] = forModel(messages);
  expect(first).toEqual(messages[0]);
  expect(JSON.stringify(second)).toContain("same bytes as in the result of x__look above");
});

test("what stands before never changes when more comes after", () => {
  const messages = [result([picture]), result([{ type: "text", text: "a\u200bb" }]), result([picture])];
  const all = forModel(messages);
  for (let length = 1; length <= messages.length; length++)
    expect(forModel(messages.slice(0, length))).toEqual(all.slice(0, length));
  expect(JSON.stringify(all[1])).toContain('"ab"');
});

test("the person's own words are sent as they are", () => {
  const mine: Message = { role: "user", content: [{ type: "text", text: "a\u200bb" }] };
  expect(forModel([mine])).toEqual([mine]);
});
