// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is the syntax under test
import { describe, expect, test } from "vitest";
import type { ExtensionConfig } from "./config.ts";
import { expandConfig, expandVariables } from "./expand.ts";

const environment = { HOME: "/home/雁", EMPTY: "", NESTED: "${HOME}", TOKEN: "t$&oken" };
const expand = (text: string, missing = new Set<string>()) => expandVariables(text, environment, missing);

describe("variables", () => {
  test.each([
    ["${HOME}/bin", "/home/雁/bin"],
    ["${MISSING:-fallback}", "fallback"],
    ["${MISSING:-}", ""],
    ["${EMPTY:-fallback}", "fallback"],
    ["${EMPTY}", ""],
    ["${HOME}:${HOME}", "/home/雁:/home/雁"],
    ["$HOME $5 ${} ${1A} $${", "$HOME $5 ${} ${1A} $${"],
    ["${TOKEN}", "t$&oken"],
  ])("%s becomes %s", (text, expected) => {
    expect(expand(text)).toBe(expected);
  });

  test("a value that looks like a variable is not expanded again", () => {
    expect(expand("${NESTED}")).toBe("${HOME}");
  });

  test("a name every object has is not a variable", () => {
    const missing = new Set<string>();
    expect(expand("${constructor}", missing)).toBe("");
    expect([...missing]).toEqual(["constructor"]);
  });
});

describe("configurations", () => {
  test("commands, arguments, environment and folders are expanded", () => {
    const config: ExtensionConfig = {
      type: "stdio",
      key: "x",
      command: "${HOME}/run",
      args: ["--root=${HOME}", "plain"],
      env: { "${HOME}": "${TOKEN}" },
      cwd: "${HOME}",
    };
    expect(expandConfig(config, environment)).toEqual({
      ...config,
      command: "/home/雁/run",
      args: ["--root=/home/雁", "plain"],
      env: { "${HOME}": "t$&oken" },
      cwd: "/home/雁",
    });
  });

  test("addresses and headers are expanded", () => {
    const config: ExtensionConfig = {
      type: "streamable_http",
      key: "x",
      url: "https://${HOST:-example.com}/mcp",
      headers: { Authorization: "Bearer ${TOKEN}" },
    };
    expect(expandConfig(config, environment)).toMatchObject({
      url: "https://example.com/mcp",
      headers: { Authorization: "Bearer t$&oken" },
    });
  });

  test("what is not set is named, all of it, and what to do", () => {
    const config: ExtensionConfig = {
      type: "sse",
      key: "remote",
      url: "https://${HOST}/sse",
      headers: { a: "${KEY}" },
    };
    expect(() => expandConfig(config, environment)).toThrow(
      /Extension remote did not start.*\$\{HOST\}, \$\{KEY\}.*not set.*\$\{HOST:-value\}/,
    );
  });
});
