import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { AgentEvent, ToolContent } from "../conversation/index.ts";
import { createEventPrinter, showArguments, wholeArguments } from "./print-events.ts";

const strip = (text: string) => text.replace(/\u001B\[[\d;]*m/g, "");

async function print(
  events: readonly AgentEvent[],
  { isTTY = false, environment = {} }: { isTTY?: boolean; environment?: Record<string, string> } = {},
) {
  const screen = { out: "", log: "" };
  const stream = (name: "out" | "log") => ({
    isTTY,
    columns: 80,
    rows: 30,
    write(text: string) {
      screen[name] += text;
    },
  });
  const printer = createEventPrinter(stream("out"), stream("log"), environment);
  for (const event of events) await printer.print(event);
  return screen;
}

const say = (text: string): AgentEvent => ({ type: "text-delta", text });
const done: AgentEvent = { type: "run-end", outcome: { type: "done", text: "" } };
const result = (content: readonly ToolContent[], isError = false): AgentEvent => ({
  type: "tool-result",
  response: { type: "tool-response", id: "1", name: "t", content, isError },
});
const terminal = { isTTY: true, environment: { TERM: "xterm-256color" } };

describe("an answer", () => {
  const answer = "# Title\n\n**bold** `code`\n\n| a |\n|---|\n| b |\n";

  test("goes to a pipe byte for byte, with a line end when it has none", async () => {
    expect(await print([say(answer), done])).toEqual({ out: answer, log: "" });
    expect((await print([say("no "), say("end"), done])).out).toBe("no end\n");
  });

  test("L7: escape sequences never reach a pipe that may end in a terminal", async () => {
    expect((await print([say("a\u001B]0;x\u0007b\n"), done])).out).toBe("ab\n");
  });

  test("is laid out in a terminal", async () => {
    const { out } = await print([say(answer), done], terminal);
    expect(strip(out)).toBe("Title\n\nbold code\n\na\n─\nb\n");
    expect(out).toContain("\u001B[1mbold\u001B[22m");
  });

  test("is plain in a dumb terminal, and without colours where they are not wanted", async () => {
    expect((await print([say("**b**\n"), done], { isTTY: true, environment: { TERM: "dumb" } })).out).toBe(
      "**b**\n",
    );
    const { out } = await print([say("`c` **b**"), done], { isTTY: true, environment: { NO_COLOR: "1" } });
    expect(out).toBe("`c` \u001B[1mb\u001B[22m\n");
  });

  test("hidden characters are seen in a terminal", async () => {
    expect((await print([say("a\u200Bb\u202Ec"), done], terminal)).out).toBe("a⟦U+200B⟧b⟦U+202E⟧c\n");
  });

  test("that stops in a line or a table for a tool call begins a new line after it", async () => {
    const call: AgentEvent = {
      type: "tool-call",
      request: { type: "tool-request", id: "1", name: "t", arguments: {} },
    };
    const { out } = await print([say("| a |\n|---|\n| b"), call, say("next"), done], terminal);
    expect(strip(out)).toBe("a\n─\nb\nnext\n");
  });
});

describe("a tool's result", () => {
  test("texts are shortened, pictures are drawn whole, all in their order", async () => {
    const png = await sharp({ create: { width: 4, height: 40, channels: 3, background: "#00f" } })
      .png()
      .toBuffer();
    const long = Array.from({ length: 12 }, (_, index) => `line ${index}`).join("\n");
    const { log } = await print(
      [
        result([
          { type: "text", text: long },
          { type: "image", mimeType: "image/png", data: png.toString("base64") },
          { type: "text", text: "after" },
        ]),
      ],
      { isTTY: true, environment: { KARI_IMAGES: "blocks" } },
    );
    const lines = strip(log).split("\n");
    expect(lines.slice(7, 9)).toEqual(["  line 7", "  … 4 more lines"]);
    expect(lines.slice(9, 29)).toEqual(Array(20).fill("▀▀▀▀"));
    expect(lines.slice(29)).toEqual([`[image/png, 4 × 40, ${png.length} bytes]`, "  after", ""]);
  });

  test("of many blocks shows some of each, and says what is left out", async () => {
    const { log } = await print([
      result(
        Array.from({ length: 10 }, () => ({ type: "text" as const, text: `${"x\n".repeat(9)}x` })),
        true,
      ),
    ]);
    const lines = log.split("\n");
    expect(lines[0]).toBe("  (error)");
    expect(lines.filter((line) => line === "  x")).toHaveLength(40);
    expect(lines.at(-2)).toBe("  … 50 more lines");
  });

  test("that is structured and nothing else is shown as such", async () => {
    const response = { type: "tool-response", id: "1", name: "t", content: [], isError: false } as const;
    const { log } = await print([
      { type: "tool-result", response: { ...response, structuredContent: { a: 1 } } },
    ]);
    expect(log).toBe('  {\n    "a": 1\n  }\n');
  });

  test("of many pictures shows twelve and counts the rest", async () => {
    const png = await sharp({ create: { width: 2, height: 2, channels: 3, background: "#00f" } })
      .png()
      .toBuffer();
    const image = { type: "image" as const, mimeType: "image/png", data: png.toString("base64") };
    const { log } = await print([result(Array(15).fill(image))], {
      isTTY: true,
      environment: { KARI_IMAGES: "blocks" },
    });
    expect(strip(log).match(/▀▀/g)).toHaveLength(12);
    expect(strip(log)).toContain("… 3 more pictures");
  });
});

test("arguments that somebody is asked about are shown whole, with what they hide", () => {
  const args = { command: `ls\u202E; ${"x".repeat(500)}; rm` };
  expect(wholeArguments(args)).toBe(`{\n  "command": "ls⟦U+202E⟧; ${"x".repeat(500)}; rm"\n}`);
  expect(showArguments(args)).toMatch(/^\{"command":"ls⟦U\+202E⟧; x+…$/);
});
