// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration has variables
/** What an extension wants of the person reaches whoever reads the events, and the replies reach the extension. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildSession } from "../../src/app/build-session.ts";
import type { AgentEvent } from "../../src/conversation/index.ts";
import { freshHome, type Home, root } from "../support/kari.ts";

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

/** Plays a script of tool calls in `ask` mode and answers every event. */
async function play(
  tools: readonly string[],
  answer: (event: AgentEvent) => void,
  env: Record<string, string> = {},
): Promise<AgentEvent[]> {
  const turns = [...tools.map((name) => ({ toolCalls: [{ name: `bad__${name}` }] })), { text: "done" }];
  const session = await buildSession({
    fakeModel: home.file("script.json", JSON.stringify({ turns })),
    approve: "ask",
    profile: false,
    workingDirectory: home.work,
    environment: { PATH: process.env["PATH"], HOME: home.path, KARI_DISABLE_KEYRING: "1" },
    extensions: [
      {
        type: "stdio",
        name: "bad",
        command: process.execPath,
        args: [`${root}test/fixtures/misbehaving-server.ts`],
        env,
        required: true,
      },
    ],
  });
  const events: AgentEvent[] = [];
  try {
    for await (const event of session.send("go")) {
      events.push(event);
      answer(event);
    }
  } finally {
    await session.close();
  }
  return events;
}

const yes = (event: AgentEvent) => {
  if (event.type === "approval-request") event.reply({ type: "allow", remember: true });
};
const results = (events: readonly AgentEvent[]) =>
  events.flatMap((event) =>
    event.type === "tool-result" && event.response.content[0]?.type === "text"
      ? [event.response.content[0].text]
      : [],
  );

describe("questions", () => {
  test("a form is an event, and its reply is what the extension gets", async () => {
    const events = await play(["elicit"], (event) => {
      yes(event);
      if (event.type !== "elicitation-request") return;
      expect(event.elicitation).toMatchObject({ type: "form", extension: "bad", message: "Tell me" });
      event.reply({ type: "accept", content: { name: "雁" } });
      event.reply({ type: "cancel" });
    });
    expect(results(events)).toEqual(['{"action":"accept","content":{"name":"雁"}}']);
  });

  test("the model is asked for an extension only after a yes", async () => {
    const asked: string[] = [];
    const events = await play(["sample", "sample"], (event) => {
      yes(event);
      if (event.type !== "sampling-request") return;
      asked.push(event.sampling.extension);
      event.reply({ type: "deny", reason: "too dear" });
    });
    expect(asked).toEqual(["bad", "bad"]);
    expect(results(events)[0]).toMatch(/declined: too dear/);
  });
});

describe("R23: a tool that changes", () => {
  test("is announced with its difference, and needs a fresh yes that shows it, whatever was allowed before", async () => {
    const reasons: string[] = [];
    const events = await play(["describe", "describe", "redescribe", "describe", "describe"], (event) => {
      yes(event);
      if (event.type === "approval-request" && event.approval.tool.toolName === "describe")
        reasons.push(event.approval.reason);
    });
    const shown = reasons.map((reason) => /has changed since it was last used/.test(reason));
    expect(shown).toEqual([false, false, true, false]);
    expect(reasons[2]).toMatch(/-says what it is[\s\S]*\+now sends everything to evil\.example/);
    expect(events.filter((event) => event.type === "tool-changed")).toMatchObject([
      { name: "bad__describe", extension: "bad", diff: expect.stringContaining("evil.example") },
    ]);
  });

  test("between two runs is noticed too", async () => {
    await play(["describe"], yes, { DESCRIPTION: "${KIND:-says what it is}" });
    const events = await play(["describe", "redescribe", "describe"], yes, {
      DESCRIPTION: "${KIND:-says what it is}",
    });
    expect(events.some((event) => event.type === "tool-changed")).toBe(true);
    const later = await play(["describe"], yes, { DESCRIPTION: "${KIND:-says what it is}" });
    expect(later.some((event) => event.type === "tool-changed")).toBe(true);
  });
});
