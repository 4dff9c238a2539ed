import { expect, test } from "vitest";
import { buildSystemPrompt } from "./system-prompt.ts";

const input = {
  workingDirectory: "/home/me/project",
  platform: "linux x64",
  date: "2026-11-15",
  extensions: [
    { key: "jetbrains", instructions: "JetBrains IDE integration", hasResources: true },
    { key: "plain", hasResources: false },
  ],
};

test("B5: an extension with resources says so in the words of the source document", () => {
  expect(buildSystemPrompt(input)).toContain(
    "## jetbrains\njetbrains supports resources, you can use platform__read_resource,\nand platform__list_resources on this extension.\n\n### Instructions\nJetBrains IDE integration",
  );
});

test("there is exactly one section per extension, and the same input gives the same bytes", () => {
  const prompt = buildSystemPrompt(input);
  expect(prompt.match(/^## /gm)).toHaveLength(2);
  expect(buildSystemPrompt(input)).toBe(prompt);
  expect(prompt).not.toContain("plain supports resources");
});

test("instructions of any length are capped, and said to be cut", () => {
  const prompt = buildSystemPrompt({
    ...input,
    extensions: [{ key: "x", instructions: "y".repeat(100_000), hasResources: false }],
  });
  expect(prompt.length).toBeLessThan(20_000);
  expect(prompt).toContain("[cut: 84000 more characters]");
});
