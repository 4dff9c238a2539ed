/** What a person or a script gets from the built executable when a provider or its model misbehaves, in each wire format. */
import { expect, test } from "vitest";
import { freshHome, kari } from "../support/kari.ts";
import { type MockScript, startMockLlm } from "../support/mock-llm.ts";
import { CASES, KEY, type WireCase } from "../wire/wire-case.ts";

const ADDRESS: Readonly<Record<string, string>> = {
  "openai-compatible": "OPENAI_BASE_URL",
  openai: "OPENAI_BASE_URL",
  anthropic: "ANTHROPIC_BASE_URL",
  google: "GOOGLE_GEMINI_BASE_URL",
};
const KEY_NAME: Readonly<Record<string, string>> = {
  "openai-compatible": "OPENAI_API_KEY",
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GEMINI_API_KEY",
};

async function runOn(wire: WireCase, steps: MockScript, files: readonly string[] = []) {
  const home = freshHome();
  for (const file of files) home.file(file, `${file}\n${"雁が飛ぶ\n".repeat(3000)}`);
  const llm = await startMockLlm({ steps });
  try {
    const { provider, model, path } = wire;
    const result = await kari(["run", "--output-format", "json", "-t", "x"], {
      home,
      env: {
        KARI_PROVIDER: provider,
        KARI_MODEL: model,
        [ADDRESS[provider] ?? ""]: `${llm.url}${path}`,
        [KEY_NAME[provider] ?? ""]: KEY,
      },
    });
    expect(result.stdout + result.stderr).not.toContain(KEY);
    return { ...result, json: JSON.parse(result.stdout), requests: llm.requests };
  } finally {
    await llm.close();
    home.remove();
  }
}

test.concurrent.each(CASES)(
  "$format: 500 for ever is exit code 1 and a JSON error, after five attempts that are said",
  async (wire) => {
    const broken = { status: 500, body: { error: { message: "internal trouble" } } };
    const { code, json, requests, stderr } = await runOn(wire, Array(20).fill(broken));
    expect(code).toBe(1);
    expect(json.outcome).toEqual({
      type: "failed",
      failure: { code: "overload", message: expect.stringContaining("internal trouble") },
    });
    expect(requests).toHaveLength(5);
    expect(stderr).toContain("internal trouble");
  },
  60_000,
);

test.concurrent.each(CASES)(
  "$format: a tool that does not exist and a context that is too long do not end the run",
  async (wire) => {
    const error = {
      type: "invalid_request_error",
      message: "prompt is too long: 2 tokens > 1 maximum",
      code: 400,
    };
    const files = Array.from({ length: 6 }, (_, i) => `long-${i}.txt`);
    const { code, json, requests } = await runOn(
      wire,
      [
        { calls: [{ name: "developer__Shell", arguments: { command: "x" } }] },
        ...files.map((path) => ({ calls: [{ name: "developer__read_file", arguments: { path } }] })),
        { status: 400, body: { type: "error", error } },
        { text: "done" },
      ],
      files,
    );
    expect(code).toBe(0);
    expect(json.outcome).toEqual({ type: "done", text: "done" });
    expect(requests[1]?.raw).toContain("Did you mean developer__shell");
    expect(requests.at(-1)?.raw).toContain("This old result was shortened");
    expect(requests.at(-1)?.raw.length).toBeLessThan((requests.at(-2)?.raw.length ?? 0) * 0.7);
  },
  60_000,
);
