import { describe, expect, test } from "vitest";
import { createMarkdownWriter, type MarkdownOptions } from "./markdown.ts";

const ESC = "\u001B";
const strip = (text: string) => text.replace(/\u001B\[[\d;]*m/g, "");

function open(options: Partial<MarkdownOptions> = {}) {
  const screen = { written: "" };
  const out = {
    write(text: string) {
      screen.written += text;
    },
  };
  return { screen, writer: createMarkdownWriter(out, { columns: 80, colours: true, ...options }) };
}

function render(parts: readonly string[], options: Partial<MarkdownOptions> = {}): string {
  const { screen, writer } = open(options);
  for (const part of parts) writer.write(part);
  writer.end();
  return screen.written;
}

/** What is on the screen after each part. */
function steps(parts: readonly string[]): string[] {
  const { screen, writer } = open();
  return parts.map((part) => {
    writer.write(part);
    return strip(screen.written);
  });
}

const SAMPLE = `# 雁について

かりは *渡り鳥* で、**秋**に\`kari\`と鳴く。See [the page](https://example.com/a_(b)) now.

1. first
2. second with ~~old~~ text
- one
  - nested **bold**
- [x] done
- [ ] open

> quoted
> > twice

\`\`\`ts
const a = "**not bold**"; // | no | table |

\`\`\`

| 名前 | n |
|:-----|--:|
| 雁 | 1 |
| goose | 20 |

---
snake_case_name, 2 * 3 * 4, a\\*b, ![pixel](http://evil.example/?q=1) and 🦢!
`;

describe("a model's Markdown in a terminal", () => {
  test("reads like a page", () => {
    expect(strip(render([SAMPLE]))).toBe(`雁について

かりは 渡り鳥 で、秋にkariと鳴く。See the page (https://example.com/a_(b)) now.

1. first
2. second with old text
• one
  • nested bold
☑ done
☐ open

│ quoted
│ │ twice

\`\`\`ts
const a = "**not bold**"; // | no | table |

\`\`\`

名前    n
─────  ──
雁      1
goose  20

${"─".repeat(60)}
snake_case_name, 2 * 3 * 4, a*b, [picture: pixel, http://evil.example/?q=1] and 🦢!
`);
  });

  test("looks the same in whatever pieces it arrives", () => {
    const whole = strip(render([SAMPLE]));
    for (const size of [1, 2, 3, 5, 7, 11, 64]) {
      const pieces = SAMPLE.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      expect(strip(render(pieces))).toBe(whole);
    }
  });

  test.each([
    ["# Title", `${ESC}[1m${ESC}[4mTitle${ESC}[24m${ESC}[22m\n`],
    ["## Part", `${ESC}[1mPart${ESC}[22m\n`],
    [
      "**b** *i* _j_ ~~s~~",
      `${ESC}[1mb${ESC}[22m ${ESC}[3mi${ESC}[23m ${ESC}[3mj${ESC}[23m ${ESC}[9ms${ESC}[29m\n`,
    ],
    ["_a_b c_", `${ESC}[3ma_b c${ESC}[23m\n`],
    ["***both***", `${ESC}[1m${ESC}[3mboth${ESC}[23m${ESC}[22m\n`],
    ["`code`", `${ESC}[36mcode${ESC}[39m\n`],
    ["`` a`b ``", `${ESC}[36ma\`b${ESC}[39m\n`],
    ["[x](http://y)", `${ESC}[4mx${ESC}[24m ${ESC}[2m(http://y)${ESC}[22m\n`],
    ["[http://y](http://y)", `${ESC}[4mhttp://y${ESC}[24m\n`],
    [
      "**[x](http://y) z**",
      `${ESC}[1m${ESC}[4mx${ESC}[24m ${ESC}[2m(http://y)${ESC}[22m${ESC}[1m z${ESC}[22m\n`,
    ],
  ])("%s is styled", (source, expected) => {
    expect(render([source])).toBe(expected);
  });

  test("without colours code keeps its marks, and nothing is coloured", () => {
    const shown = render(["`a` **b**\n```\nx\n```"], { colours: false });
    expect(strip(shown)).toBe("`a` b\n```\nx\n```\n");
    expect(shown).not.toMatch(/\u001B\[3[0-9]m/);
  });

  test("what is no Markdown stays as it is", () => {
    const plain =
      "a_b_c * d ** e [f] (g) 5 > 3 #tag http://x/a_b_c `open\n  indented\n\n100% | 20\n=====\n+1";
    expect(strip(render([plain]))).toBe(`${plain}\n`);
  });
});

describe("while it arrives", () => {
  test("a paragraph appears word by word, a marked word when its end is there", () => {
    expect(steps(["Hel", "lo ", "wor", "ld **bo", "ld", "** x"])).toEqual([
      "Hel",
      "Hello ",
      "Hello wor",
      "Hello world ",
      "Hello world ",
      "Hello world bold x",
    ]);
  });

  test("a heading and a list item appear as soon as they are known to be one", () => {
    expect(steps(["#", "# ", "Ti", "tle\n", "-", " a", "b"])).toEqual([
      "",
      "",
      "Ti",
      "Title\n",
      "Title\n",
      "Title\n• a",
      "Title\n• ab",
    ]);
  });

  test("code appears as it comes, and only a line that may be its end waits", () => {
    expect(steps(["```", "js\n", "let", " a;\n", "``", "`\n", "x"])).toEqual([
      "",
      "```js\n",
      "```js\nlet",
      "```js\nlet a;\n",
      "```js\nlet a;\n",
      "```js\nlet a;\n```\n",
      "```js\nlet a;\n```\nx",
    ]);
  });

  test("a marker that is never closed is shown after a while, and an answer never stops at it", () => {
    const shown = steps(["a *b", "c".repeat(700), " more"]);
    expect(shown[0]).toBe("a ");
    expect(shown[1]).toBe(`a *b${"c".repeat(700)}`);
    expect(strip(render(["a **open"]))).toBe("a **open\n");
    expect(strip(render(["a [open](http"]))).toBe("a [open](http\n");
  });

  test("half of an emoji waits for its other half", () => {
    const [high, low] = ["🦢".slice(0, 1), "🦢".slice(1)];
    expect(steps([`a${high}`, `${low}b`])).toEqual(["a", "a🦢b"]);
  });

  test("the end closes a line once, and what follows begins a new one", () => {
    const { screen, writer } = open();
    writer.write("one");
    writer.end();
    writer.end();
    writer.write("two\n");
    writer.end();
    expect(screen.written).toBe("one\ntwo\n");
  });

  test("open markers without end cost as much as there are, not their square", () => {
    for (const marker of ["*a ", "[a", "`a ``b", "**a _b "]) {
      const cost = (times: number) => {
        const start = performance.now();
        render([marker.repeat(times)]);
        return performance.now() - start;
      };
      cost(1000);
      expect(cost(8000) / cost(1000)).toBeLessThan(40);
    }
  });
});

describe("tables", () => {
  const table = (columns: number) =>
    strip(
      render(
        [
          "| 歌人 | 歌 |\n|:-:|---|\n| 小野小町 | 花の色は うつりにけりな いたづらに |\n| x | a \\| `b|c` |\n",
        ],
        {
          columns,
        },
      ),
    );

  test("line up by the width of what is seen", () => {
    expect(table(80)).toBe(
      [
        "  歌人    歌",
        "────────  ──────────────────────────────────",
        "小野小町  花の色は うつりにけりな いたづらに",
        "   x      a | b|c",
        "",
      ].join("\n"),
    );
  });

  test("that are too wide are wrapped, and nothing is lost", () => {
    expect(table(30)).toBe(
      [
        "  歌人    歌",
        "────────  ────────────────────",
        "小野小町  花の色は",
        "          うつりにけりな",
        "          いたづらに",
        "   x      a | b|c",
        "",
      ].join("\n"),
    );
  });

  test("with more columns than fit, or no second line, are shown as they came", () => {
    const wide = `|${"a|".repeat(30)}\n|${"-|".repeat(30)}\n`;
    expect(strip(render([wide], { columns: 40 }))).toBe(wide);
    expect(strip(render(["| just | pipes |\nx"]))).toBe("| just | pipes |\nx\n");
  });

  test("of endless rows do not wait for ever", () => {
    const row = "| a | b |\n";
    const shown = steps([`${row}|---|---|\n`, row.repeat(400)]);
    expect(shown[0]).toBe("");
    expect((shown[1] ?? "").split("\n").length).toBeGreaterThan(300);
  });
});
