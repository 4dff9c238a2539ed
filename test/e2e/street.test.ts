/** The whole street on the built executable: words → agent → LLM → tool → child of the same executable → answer. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshHome, type Home, kari, root } from "../support/kari.ts";
import { type MockLlm, startMockLlm } from "../support/mock-llm.ts";

let home: Home;
let llm: MockLlm;

beforeEach(async () => {
  home = freshHome();
  llm = await startMockLlm();
});

afterEach(async () => {
  await llm.close();
  home.remove();
});

const provider = () => ({
  KARI_PROVIDER: "openai-compatible",
  KARI_MODEL: "mock-model",
  OPENAI_BASE_URL: `${llm.url}/v1`,
  OPENAI_API_KEY: "sk-canary",
});

interface ChatBody {
  readonly messages: readonly Record<string, unknown>[];
  readonly tools: readonly {
    readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
  }[];
}

describe("a request to a model over the wire", () => {
  test("the second request holds the system prompt, the tools in order, the tool call and its result", async () => {
    llm.script([
      { calls: [{ id: "call_1", name: "developer__shell", arguments: { command: "echo 雁" } }] },
      { text: "完了" },
    ]);
    const result = await kari(
      ["run", "--no-profile", "--approve", "all", "--with-builtin", "developer", "-t", "雁と言って"],
      {
        home,
        env: provider(),
      },
    );
    expect(result).toMatchObject({ code: 0, stdout: "完了\n" });

    const [first, second] = llm.requests.map((request) => request.body as unknown as ChatBody);
    expect(second?.tools.map((tool) => tool.function.name)).toEqual([
      "platform__read_resource",
      "platform__list_resources",
      "developer__shell",
      "developer__text_editor",
      "developer__read_file",
      "developer__list_files",
    ]);
    expect(second?.tools).toEqual(first?.tools);
    const [system, ...conversation] = second?.messages ?? [];
    expect(system?.["role"]).toBe("system");
    expect(system?.["content"]).toContain(`Working directory: ${home.work}`);
    expect(system?.["content"]).toMatch(
      /## developer\ndeveloper supports resources, you can use platform__read_resource,\nand platform__list_resources on this extension\.\n\n### Instructions\n/,
    );
    expect(conversation).toEqual([
      { role: "user", content: "雁と言って" },
      {
        role: "assistant",
        content: expect.toSatisfy((content) => content === null || content === ""),
        tool_calls: [
          {
            id: "call_1",
            type: "function",
            function: { name: "developer__shell", arguments: '{"command":"echo 雁"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: expect.stringContaining("雁") },
    ]);
    expect(first?.messages).toEqual(second?.messages.slice(0, 2));
  });

  test("the shell runs in a child that is this same executable, without our key", async () => {
    llm.script([
      {
        calls: [
          { name: "developer__shell", arguments: { command: "tr '\\0' ' ' < /proc/$PPID/cmdline; env" } },
        ],
      },
      { text: "x" },
    ]);
    await kari(["run", "--approve", "all", "-t", "x"], { home, env: provider() });
    const result = JSON.stringify(llm.requests[1]?.body);
    expect(result).toContain(`${root}bin/kari.js mcp developer`);
    expect(result).not.toContain("sk-canary");
  });

  test("with two extensions dev and developer, developer__shell never reaches dev", async () => {
    llm.script([
      { calls: [{ name: "developer__shell", arguments: { command: "echo from-developer" } }] },
      { text: "x" },
    ]);
    const server = `${root}test/fixtures/misbehaving-server.ts`;
    await kari(
      [
        "run",
        "--approve",
        "all",
        "--no-profile",
        "--with-extension",
        `dev:${process.execPath} ${server}`,
        "--with-builtin",
        "developer",
        "-t",
        "x",
      ],
      { home, env: provider() },
    );
    expect(JSON.stringify(llm.requests[1]?.body)).toContain("from-developer");
    const first = llm.requests[0]?.body as unknown as ChatBody;
    expect(first.tools.map((tool) => tool.function.name)).toContain("dev__ok");
  });

  test("a provider that fails ends with exit code 1, and JSON output stays JSON", async () => {
    llm.script([{ status: 401, body: { error: { message: "bad key sk-canary" } } }]);
    const result = await kari(["run", "--output-format", "json", "-t", "x"], { home, env: provider() });
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      outcome: { type: "failed", failure: { code: "auth" } },
    });
    expect(result.stdout + result.stderr).not.toContain("sk-canary");
  });
});
