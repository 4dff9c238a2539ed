import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OptionsError, parseWakashuOptions } from "./options.ts";
import { findPackage, sampleRoot } from "./package-root.ts";

const parse = (...args: string[]) => parseWakashuOptions(args, {}, () => {});

describe("the command line", () => {
  test("nothing given: stdio, the defaults", () => {
    expect(parse()).toEqual({ help: false, server: {} });
  });

  test("everything given", () => {
    const args = [
      "--root",
      "~/wakashu",
      "--tool-name",
      "getRanking",
      "--max-answer",
      "4MiB",
      "--http",
      "127.0.0.1:8080",
      "--allow-host",
      "kari.local",
      "--allow-origin",
      "https://a.example",
      "--sse",
    ];
    expect(parseWakashuOptions(args, { WAKASHU_TOKEN: "0123456789abcdef" })).toEqual({
      help: false,
      server: { root: join(homedir(), "wakashu"), toolName: "getRanking", maxAnswerBytes: 4 * 1024 * 1024 },
      http: {
        host: "127.0.0.1",
        port: 8080,
        token: "0123456789abcdef",
        allowedHosts: ["kari.local"],
        allowedOrigins: ["https://a.example"],
        cors: true,
        sse: true,
      },
    });
  });

  test.each([
    ["8080", { port: 8080 }],
    ["localhost:0", { host: "localhost", port: 0 }],
    ["[::1]:9", { host: "[::1]", port: 9 }],
  ])("--http %s", (address, http) => {
    expect(parse("--http", address).http).toEqual(http);
  });

  test.each([
    ["--http", "x"],
    ["--http", "99999"],
    ["--http", "a:b:1"],
    ["--max-answer", "1KiB"],
    ["--max-answer", "much"],
    ["--tool-name", "和歌集"],
    ["--tool-name", "a b"],
    ["--unknown", "x"],
    ["stray", "x"],
  ])("%s %s is refused with the option's name", (option, value) => {
    expect(() => parse(option, value)).toThrow(OptionsError);
    expect(() => parse(option, value)).toThrow(option);
  });

  test("R22: a tool name that LLM APIs refuse is allowed with a warning", () => {
    const lines: string[] = [];
    parseWakashuOptions(["--tool-name", "wakashu/getRanking"], {}, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringContaining("wakashu/getRanking")]);
    parseWakashuOptions(["--tool-name", "getRanking"], {}, (line) => lines.push(line));
    expect(lines).toHaveLength(1);
  });
});

describe("our own package", () => {
  test("is found from the source and from a bundle beside it; elsewhere there is none", () => {
    const here = findPackage();
    expect(here?.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(findPackage(join(here?.path ?? "", "dist"))).toEqual(here);
    expect(sampleRoot(join(here?.path ?? "", "dist"))).toBe(join(here?.path ?? "", "examples/wakashu"));
    expect(findPackage("/")).toBeUndefined();
  });
});
