/**
 * A program of one's own that uses Kari as a library. It has no command line and no `mcp` branch, and yet the
 * builtin `developer` works in it: builtins start from Kari's own entry, never from this program.
 *
 *   node examples/session-builder.ts
 *
 * Here the model is a script, so that it runs anywhere; give `provider` and `model` instead for a real one.
 */
import { buildSession, type Model } from "kari-agent";

const model: Model = {
  id: "example/two-questions",
  limits: { context: 100_000, output: 4000, images: false },
  async *stream({ messages }) {
    const turn = messages.filter((message) => message.role === "assistant").length;
    const calls = [
      { name: "developer__shell", arguments: { command: "echo 雁が音 > note.txt && cat note.txt" } },
      { name: "platform__list_resources", arguments: { extension_name: "developer" } },
    ];
    const call = calls[turn];
    if (call) yield { type: "content", content: { type: "tool-request", id: `call-${turn}`, ...call } };
    else yield { type: "content", content: { type: "text", text: "Both tools answered." } };
    yield { type: "finish", reason: call ? "tool-calls" : "end", usage: {} };
  },
};

const session = await buildSession({ model, profile: false, approve: "ask" });
session.addExtension({ type: "builtin", name: "developer" });
try {
  for await (const event of session.send("Write a note and show me what there is.")) {
    switch (event.type) {
      case "approval-request":
        console.log(`asked about ${event.approval.request.name}: yes`);
        event.reply({ type: "allow" });
        break;
      case "tool-result":
        for (const content of event.response.content) {
          if (content.type === "text") console.log(`${event.response.name}: ${content.text.split("\n")[0]}`);
        }
        break;
      case "run-end":
        console.log(JSON.stringify(event.outcome));
        break;
      default:
        break;
    }
  }
} finally {
  await session.close();
}
