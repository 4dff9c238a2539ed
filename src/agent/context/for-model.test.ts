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

test("R27: a picture for the user alone counts as not seen: the same bytes for the model still go to it", () => {
  const hidden: ToolContent = { ...picture, annotations: { audience: ["user"] } };
  const messages = [result([hidden]), result([picture]), result([{ ...hidden }])];
  expect(forModel(messages)).toEqual(messages);
});

test("hidden characters are taken out of structured content and of links as well", () => {
  const link = { uri: "x://y", name: "n\u200bame", description: "say\u{E0041}" };
  const [message] = forModel([
    {
      role: "tool",
      content: [
        {
          type: "tool-response",
          id: "1",
          name: "x__y",
          content: [{ type: "resource-link", link }],
          structuredContent: { rows: ["a\u202eb"] },
          isError: false,
        },
      ],
    },
  ]);
  expect(message?.content[0]).toMatchObject({
    content: [{ link: { name: "name", description: "say" } }],
    structuredContent: { rows: ["ab"] },
  });
});
