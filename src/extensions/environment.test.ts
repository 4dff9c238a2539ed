import { describe, expect, test } from "vitest";
import { childEnvironment, REFUSED_NAMES } from "./environment.ts";

describe("the environment of a child", () => {
  test("C11: what programs need passes, keys do not, declared names do", () => {
    const ours = { PATH: "/bin", LC_ALL: "C", OPENAI_API_KEY: "sk", GITHUB_TOKEN: "gh", UNSET: undefined };
    expect(childEnvironment(ours, { MY_TOKEN: "mine" })).toEqual({
      env: { PATH: "/bin", LC_ALL: "C", MY_TOKEN: "mine" },
      refused: [],
    });
  });

  test("the 31 names that change which code runs are not taken from a configuration, in any case", () => {
    expect(REFUSED_NAMES.size).toBe(31);
    const declared = { PATH: "/evil", Node_Options: "--require evil", LD_PRELOAD: "evil.so", FINE: "yes" };
    expect(childEnvironment({ PATH: "/bin" }, declared)).toEqual({
      env: { PATH: "/bin", FINE: "yes" },
      refused: ["PATH", "Node_Options", "LD_PRELOAD"],
    });
  });
});
