import { describe, expect, test } from "vitest";
import type { AgentEvent, Message, ToolContent } from "../conversation/index.ts";
import { userMessage } from "../conversation/index.ts";
import { markCut } from "../lib/cut-mark.ts";
import { createScriptedModel, parseScript } from "../providers/scripted.ts";
import { estimateConversation, shortenOldResults } from "./compaction.ts";
import type { AgentPorts } from "./ports.ts";
import { run } from "./run.ts";

const overflow = { error: { code: "context-overflow", message: "too long" } };

/** A conversation of many turns with long results. */
function longHistory(turns: number, size = 5000): Message[] {
  return Array.from({ length: turns }, (_, i): Message[] => [
    userMessage(`question ${i}`),
    { role: "assistant", content: [{ type: "tool-request", id: `c${i}`, name: "x__read", arguments: {} }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-response",
          id: `c${i}`,
          name: "x__read",
          isError: false,
          content: [{ type: "text", text: `start ${i}\n${"z".repeat(size)}` }],
        },
      ],
    },
    { role: "assistant", content: [{ type: "text", text: `answer ${i}` }] },
  ]).flat();
}

async function play(
  turns: unknown[],
  history: Message[],
  context?: AgentPorts["context"],
  window = 200_000,
): Promise<AgentEvent[]> {
  const scripted = createScriptedModel(parseScript(JSON.stringify({ turns }), "test"));
  const ports: AgentPorts = {
    model: { ...scripted, limits: { ...scripted.limits, context: window } },
    toolBox: {
      tools: () => [],
      all: () => [],
      find: () => undefined,
      call: () => Promise.reject(new Error("no tools")),
    },
    decide: () => ({ type: "allow" }),
    remember: () => {},
    ...(context && { context }),
  };
  const events: AgentEvent[] = [];
  const options = { system: "s", history, maxTurns: 5, signal: new AbortController().signal };
  for await (const event of run(userMessage("and now?"), ports, options)) events.push(event);
  return events;
}

const compactions = (events: readonly AgentEvent[]) => events.filter((event) => event.type === "compaction");

describe("compaction", () => {
  test("an old result says where its whole is: as the session kept it, as its server did, else by another call", () => {
    const result = (content: ToolContent): Message => ({
      role: "tool",
      content: [{ type: "tool-response", id: "c", name: "x__y", isError: false, content: [content] }],
    });
    const long = "z".repeat(500);
    const rest = "The full output is in /o.txt.";
    const [kept, embedded, cut, other] = shortenOldResults([
      result({ type: "text", text: `${long} session://result/0a` }),
      result({ type: "resource", resource: { uri: "x://y", text: `${long} session://result/0b` } }),
      result({ type: "text", text: long, meta: markCut(rest) }),
      result({ type: "text", text: long }),
      ...longHistory(2),
    ]).map((message) => JSON.stringify(message));
    expect(kept).toContain("shortened; the whole is session://result/0a.]");
    expect(embedded).toContain("shortened; the whole is session://result/0b.]");
    expect(cut).toContain("shortened; The full output is in /o.txt.]");
    expect(other).toContain("shortened; call the tool again to see it.]");
  });

  test("old results shrink to references, recent ones and the pairing of calls stay", () => {
    const before = longHistory(10);
    const after = shortenOldResults(before);
    expect(estimateConversation(after)).toBeLessThan(estimateConversation(before) / 2);
    expect(after.slice(-6)).toEqual(before.slice(-6));
    expect(JSON.stringify(after[2])).toContain(
      "start 0\\n[This old result was shortened; call the tool again to see it.]",
    );
    expect(after.map((message) => message.role)).toEqual(before.map((message) => message.role));
  });

  test("L10: an overflow that shortening answers needs no summary, and the run goes on", async () => {
    const events = await play([overflow, { text: "fine" }], longHistory(10));
    expect(compactions(events)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ outcome: { type: "done", text: "fine" } });
  });

  test("L10: when shortening is not enough the model summarises, and the person's last words stay", async () => {
    const short = Array.from({ length: 60 }, (_, i) => userMessage(`words ${i} ${"w".repeat(500)}`));
    const events = await play([overflow, { text: "they talked" }, { text: "fine" }], short);
    const [compaction] = compactions(events);
    expect(compaction?.messages).toHaveLength(2);
    expect(JSON.stringify(compaction?.messages)).toMatch(/they talked[\s\S]*and now\?/);
    expect(compaction && compaction.after < compaction.before).toBe(true);
  });

  test("L10: overflow for ever shrinks strictly, at most twice, and then stops with a clear failure", async () => {
    const events = await play(Array(20).fill(overflow), longHistory(20));
    expect(compactions(events).length).toBeLessThanOrEqual(2);
    for (const { before, after } of compactions(events)) expect(after).toBeLessThan(before);
    expect(events.at(-1)).toMatchObject({
      outcome: { type: "failed", failure: { code: "context-overflow" } },
    });
  });

  test("a conversation that is nearly full is compacted before the provider has to say so", async () => {
    const events = await play([{ text: "fine" }], longHistory(10), undefined, 14_000);
    expect(compactions(events)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ outcome: { type: "done" } });
  });

  test("what was on the shelf is put there again afterwards", async () => {
    let given = false;
    const context = {
      collect: async () => {
        if (given) return [];
        given = true;
        return [{ role: "user", origin: "context", content: [{ type: "text", text: "THE SHELF" }] }] as const;
      },
      reset: () => {
        given = false;
      },
    };
    const words = Array.from({ length: 60 }, (_, i) => userMessage(`words ${i} ${"w".repeat(500)}`));
    const events = await play([overflow, { text: "summary" }, { text: "fine" }], words, context);
    const [compaction] = compactions(events);
    const after = events.slice(events.indexOf(compaction as AgentEvent));
    expect(JSON.stringify(compaction?.messages) + JSON.stringify(after)).toContain("THE SHELF");
  });
});
