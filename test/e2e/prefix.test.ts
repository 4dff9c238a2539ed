/** The prompt is append-only: over many turns, reconnections and list changes no byte before the newest turn changes. */
import { expect, test } from "vitest";
import { freshHome, kari, root } from "../support/kari.ts";
import { type MockScript, startMockLlm } from "../support/mock-llm.ts";

const TURNS = 100;

/** Three crashes, two changes of lists, and a changed resource among ordinary calls. */
function step(turn: number): MockScript[number] {
  const odd: Record<number, string> = {
    10: "bad__add-tool",
    20: "bad__crash",
    35: "active__change",
    50: "bad__crash",
    60: "active__demote",
    80: "bad__crash",
  };
  return { calls: [{ id: `call_${turn}`, name: odd[turn] ?? "bad__ok", arguments: { turn } }] };
}

test("100 turns, three reconnections, two list changes: the bytes before the newest turn never change", async () => {
  const home = freshHome();
  const llm = await startMockLlm({
    steps: [...Array.from({ length: TURNS }, (_, turn) => step(turn)), { text: "done" }],
  });
  try {
    const fixture = (name: string, file: string) => [
      "--with-extension",
      `${name}:${process.execPath} ${root}test/fixtures/${file}`,
    ];
    const result = await kari(
      [
        "run",
        "--no-profile",
        "--approve",
        "all",
        "--max-turns",
        "200",
        ...fixture("bad", "misbehaving-server.ts"),
        ...fixture("active", "active-server.ts legacy"),
        "-t",
        "go",
      ],
      {
        home,
        env: {
          KARI_PROVIDER: "openai-compatible",
          KARI_MODEL: "m",
          OPENAI_BASE_URL: `${llm.url}/v1`,
          OPENAI_API_KEY: "x",
        },
      },
    );
    expect(result.code).toBe(0);
    expect(llm.requests).toHaveLength(TURNS + 1);
    const prompts = llm.requests.map(
      ({ body }) => body as unknown as { messages: unknown[]; tools: unknown[] },
    );
    prompts.slice(1).forEach((next, index) => {
      const before = prompts[index] ?? { messages: [], tools: [] };
      expect(JSON.stringify(next.messages.slice(0, before.messages.length))).toBe(
        JSON.stringify(before.messages),
      );
      // A tool that stays keeps its place and its bytes; new ones come at the end (the restarted server forgot one).
      const [old, now] = [before.tools, next.tools].map((tools) => tools.map((tool) => JSON.stringify(tool)));
      const stayed = old?.filter((tool) => now?.includes(tool));
      expect(now?.slice(0, stayed?.length)).toEqual(stayed);
    });
    expect(JSON.stringify(prompts.at(-1)?.messages)).toContain("out of cheese");
    expect(Math.max(...prompts.map(({ tools }) => tools.length))).toBe((prompts[0]?.tools.length ?? 0) + 1);
  } finally {
    await llm.close();
    home.remove();
  }
}, 240_000);
