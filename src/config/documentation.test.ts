import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { knownKeys, parseConfig } from "./file.ts";

const page = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
const section = (from: string, to: string) => page.slice(page.indexOf(from), page.indexOf(to));
const documented = (text: string) =>
  [...text.matchAll(/^\| (`[a-z_]+`(?:, `[a-z_]+`)*) +\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/[a-z_]+/g)].map(([key]) => key),
  );

describe("docs/configuration.md", () => {
  test("its example is a valid file", () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    const { extensions, ...rest } = parseConfig(example, "docs/configuration.md");
    expect(rest).toEqual({
      provider: "anthropic",
      model: "claude-sonnet-5-5",
      approve: "ask",
      maxTurns: 100,
    });
    expect(extensions.map(({ type }) => type)).toEqual([
      "builtin",
      "stdio",
      "stdio",
      "streamable_http",
      "sse",
    ]);
  });

  test("every key that is read is documented", () => {
    const { top, extension } = knownKeys();
    const missing = (keys: readonly string[], text: string) => {
      const known = documented(text);
      return keys.filter((key) => !known.includes(key));
    };
    expect(missing(top, section("## Keys at the top", "## Keys of an extension"))).toEqual([]);
    expect(missing(extension, section("## Keys of an extension", "### Variables"))).toEqual([]);
  });
});
