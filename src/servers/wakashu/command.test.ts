import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../lib/usage-error.ts";
import { readWakashuOptions, wakashuCommand } from "./command.ts";
import { findPackage, sampleRoot } from "./package-root.ts";

describe("the command line", () => {
  test("nothing given: the defaults", () => {
    expect(readWakashuOptions({})).toEqual({});
  });

  test("everything given; a home folder is understood without a shell", () => {
    const values = { root: "~/wakashu", "tool-name": "getRanking", "max-answer": "4MiB" };
    expect(readWakashuOptions(values)).toEqual({
      root: join(homedir(), "wakashu"),
      toolName: "getRanking",
      maxAnswerBytes: 4 * 1024 * 1024,
    });
  });

  test.each([
    ["max-answer", "1KiB"],
    ["max-answer", "much"],
    ["tool-name", "和歌集"],
    ["tool-name", "a b"],
    ["tool-name", ""],
  ])("--%s %s is refused with the option's name", (option, value) => {
    expect(() => readWakashuOptions({ [option]: value })).toThrow(UsageError);
    expect(() => readWakashuOptions({ [option]: value })).toThrow(`--${option}`);
  });

  test("R22: a tool name that LLM APIs refuse is allowed with a warning", () => {
    const lines: string[] = [];
    readWakashuOptions({ "tool-name": "wakashu/getRanking" }, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringContaining("wakashu/getRanking")]);
    readWakashuOptions({ "tool-name": "getRanking" }, (line) => lines.push(line));
    expect(lines).toHaveLength(1);
  });

  test("the command makes a server over the sample, with its routes", async () => {
    const { definition, routes } = await wakashuCommand("1.2.3").create({});
    expect([definition.version, definition.tools[0]?.name, routes?.length]).toEqual([
      "1.2.3",
      "wakashu_getRanking",
      1,
    ]);
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
