import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startMockLlm } from "../../../test/support/mock-llm.ts";
import type { Surroundings } from "../../app/surroundings.ts";
import { InputEnded, openPrompter } from "../prompter.ts";
import { configure } from "./configure.ts";

let folder: string;
let environment: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-configure-"));
  environment = { KARI_DISABLE_KEYRING: "1" };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name = "config.yaml") => readFileSync(join(folder, name), "utf8");

async function answer(...lines: string[]): Promise<string> {
  const input = new PassThrough();
  const output = new PassThrough();
  let screen = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
  });
  const place: Surroundings = {
    paths: { config: folder, data: join(folder, "data") },
    environment,
    workingDirectory: folder,
  };
  const prompter = openPrompter({ input, output });
  input.end(lines.map((line) => `${line}\n`).join(""));
  try {
    await configure(prompter, place);
  } finally {
    prompter.close();
  }
  return screen;
}

describe("the first set-up", () => {
  test("provider, model, key, extensions", async () => {
    const screen = await answer("openai", "gpt-x", "sk-canary", "");
    expect(file()).toBe(
      "# Settings of Kari. All keys: docs/configuration.md\nprovider: openai\nmodel: gpt-x\n",
    );
    expect(file("secrets.json")).toContain("sk-canary");
    expect(screen).toMatch(/OPENAI_API_KEY is kept in .*secrets\.json, in clear/);
    expect(screen).not.toContain("sk-canary");
  });

  test("typed in Japanese: full-width digits, なし, names", async () => {
    await answer("２", "むらさき", "", "なし");
    expect(file()).toContain(
      "provider: openai\nmodel: むらさき\nextensions:\n  developer:\n    type: builtin\n    enabled: false\n",
    );
  });

  test("a server of one's own says which models it has", async () => {
    const llm = await startMockLlm({ models: ["qwen3", "waka"] });
    try {
      const screen = await answer("ollama", llm.url, "", "");
      expect(screen).toContain("It has: qwen3, waka");
      expect(file()).toContain(`provider: ollama\nmodel: qwen3\nbase_url: ${llm.url}\n`);
    } finally {
      await llm.close();
    }
  });

  test("no language model at all can be chosen too", async () => {
    await answer("offline", "", "");
    expect(file()).toContain("provider: offline\nmodel: planner\n");
  });

  test("an address of one's own is asked until it is one", async () => {
    const screen = await answer("openai-compatible", "localhost", "", "http://localhost:1/v1", "m", "", "");
    expect(file()).toContain("base_url: http://localhost:1/v1\n");
    expect(screen).toContain('"localhost" is not an address');
    expect(existsSync(join(folder, "secrets.json"))).toBe(false);
  });

  test("a second time, what is there is offered, and the rest of the file stays", async () => {
    const before =
      "# mine\nprovider: openai-compatible # home\nmodel: a\nbase_url: http://localhost:1/v1\nmax_turns: 3\n";
    writeFileSync(join(folder, "config.yaml"), before);
    await answer("", "", "b", "", "");
    expect(file()).toBe(before.replace("model: a", "model: b"));
    // Another provider: the old address does not fit it, nor does the old model.
    await answer("anthropic", "c", "", "");
    expect(file()).toBe("# mine\nprovider: anthropic # home\nmodel: c\nmax_turns: 3\n");
  });

  test("a key in the environment is not asked for", async () => {
    environment["ANTHROPIC_API_KEY"] = "x";
    expect(await answer("1", "m", "")).toContain("ANTHROPIC_API_KEY is set in the environment: it is used.");
  });

  test("without a key it is said how to give one", async () => {
    expect(await answer("1", "m", "", "")).toContain("export ANTHROPIC_API_KEY=…");
  });

  test("whoever stops in the middle has changed nothing", async () => {
    await expect(answer("openai", "m", "sk-x")).rejects.toThrow(InputEnded);
    expect([existsSync(join(folder, "config.yaml")), existsSync(join(folder, "secrets.json"))]).toEqual([
      false,
      false,
    ]);
  });

  test("a broken file is said before anything is asked, and left alone", async () => {
    writeFileSync(join(folder, "config.yaml"), "modle: x\n");
    await expect(answer("1", "m", "", "")).rejects.toThrow(/config\.yaml:1: modle/);
    expect(file()).toBe("modle: x\n");
  });
});
