import { expect, test } from "vitest";
import { terminalText } from "./terminal-text.ts";

test("L7: colours, titles, links, clipboard writes and bells are taken out; text, tabs and lines stay", () => {
  expect(
    terminalText("\u001b[31mred\u001b[0m \u001b]0;title\u0007x\u001b]52;c;aGk=\u001b\\y\u0007\tz\n雁"),
  ).toBe("red xy\tz\n雁");
  expect(terminalText("\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\")).toBe("link");
  expect(terminalText("\u009b31mC1\u0085")).toBe("31mC1");
});

test("an escape that never ends takes nothing with it but itself", () => {
  expect(terminalText("a\u001b")).toBe("a");
});
