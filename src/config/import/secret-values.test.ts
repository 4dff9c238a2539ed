import { describe, expect, test } from "vitest";
import { holdsSecret, isSecret } from "./secret-values.ts";

describe("what is most likely a secret", () => {
  test.each([
    "GITHUB_TOKEN",
    "API_KEY",
    "apiKey",
    "x-api-key",
    "Authorization",
    "DB_PASSWORD",
    "OPENAI_API_KEY",
    "KEY",
  ])("by its name: %s", (name) => expect(isSecret(name, "abc")).toBe(true));

  test.each(["PATH", "KEYBOARD", "MONKEY", "AUTHOR", "TOKENIZER_PATH_X", "LANG", "PASSENGERS"])(
    "not by its name: %s",
    (name) => expect(isSecret(name, "abc")).toBe(false),
  );

  test("by its look, whatever its name", () => {
    expect(isSecret("X", `ghp_${"a".repeat(36)}`)).toBe(true);
    expect(isSecret("X", "sk-short")).toBe(false);
  });

  test("a variable or nothing is none", () => {
    expect(isSecret("TOKEN", "${TOKEN}")).toBe(false);
    expect(isSecret("TOKEN", "")).toBe(false);
  });

  test("in the words of a command and in addresses", () => {
    expect(holdsSecret("--api-key=abc")).toBe(true);
    expect(holdsSecret("abc", "--token")).toBe(true);
    expect(holdsSecret("GITHUB_TOKEN=abc", "-e")).toBe(true);
    expect(holdsSecret("Authorization: Bearer abc", "--header")).toBe(true);
    expect(holdsSecret("https://host/mcp?x=1&api_key=abc")).toBe(true);
    expect(holdsSecret("https://me:pw@host/")).toBe(true);
    for (const word of ["--verbose", "server", "--root=/a", "https://host/mcp?page=2", "--token=${TOKEN}"])
      expect(holdsSecret(word)).toBe(false);
    expect(holdsSecret("-y", "--token")).toBe(false);
  });
});
