import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { userMessage } from "../conversation/index.ts";
import { createModel } from "./create-model.ts";
import { findHost } from "./hosts.ts";
import { listModels } from "./list-models.ts";
import type { ModelEvent } from "./model.ts";
import { probeServer } from "./probe.ts";

let server: Server;
afterEach(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

/** The parts of Ollama's API that we ask, after its documentation. `loaded` is what /api/ps tells once it ran. */
async function startOllama({
  loaded = 4096,
  running = false,
  capabilities = ["completion", "tools"],
  show = true,
} = {}) {
  let ran = running;
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  server = createServer((request, response) => {
    const json = (value: unknown) => response.end(JSON.stringify(value));
    request.resume();
    switch (request.url) {
      case "/v1/models":
        return json({ object: "list", data: [{ id: "nomic-embed-text" }, { id: "qwen3:8b" }] });
      case "/api/show":
        if (!show) return response.writeHead(404).end("{}");
        return json({ capabilities, model_info: { "qwen3.context_length": 40960 }, parameters: "stop x" });
      case "/api/ps":
        return json({ models: ran ? [{ name: "qwen3:8b", context_length: loaded }] : [] });
      case "/v1/chat/completions":
        ran = true;
        return response.end(
          `${chunk({ role: "assistant", content: "はい" }, null)}${chunk({}, "stop")}data: [DONE]\n\n`,
        );
      default:
        return response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function ask(baseUrl: string, limits?: { context: number }) {
  const model = await createModel({ provider: "ollama", model: "qwen3:8b", baseUrl, limits });
  const before = model.limits;
  const events: ModelEvent[] = [];
  const request = { system: "", messages: [userMessage("hi")], tools: [] };
  for await (const event of model.stream(request, { signal: new AbortController().signal }))
    events.push(event);
  return { model, before, notices: events.filter((event) => event.type === "notice"), events };
}

test("a small window is said once it is known, and counts from then on", async () => {
  const { model, before, notices, events } = await ask(await startOllama());
  expect(before).toMatchObject({ context: 32_768, images: false });
  expect(notices).toMatchObject([
    { level: "warning", text: expect.stringContaining("a window of 4096 tokens") },
  ]);
  expect(model.limits.context).toBe(4096);
  expect(events.at(-1)).toMatchObject({ type: "finish", reason: "end" });
});

test("a window that is large enough is taken without a word", async () => {
  const { model, notices } = await ask(await startOllama({ loaded: 40_960, capabilities: ["vision"] }));
  expect([model.limits.context, model.limits.images, notices]).toEqual([40_960, true, []]);
});

test("a model that runs already tells its window at once", async () => {
  const { before } = await ask(await startOllama({ running: true, loaded: 20_000 }));
  expect(before.context).toBe(20_000);
});

test("the user's own word goes before", async () => {
  const { model } = await ask(await startOllama({ loaded: 20_000 }), { context: 9_000 });
  expect(model.limits.context).toBe(9_000);
});

test("an Ollama that does not tell is used all the same", async () => {
  const { events } = await ask(await startOllama({ show: false, running: true }));
  expect(events.at(-1)).toMatchObject({ type: "finish" });
});

test("its models are listed without those that only embed, and another program on the port is not taken for it", async () => {
  const baseUrl = await startOllama();
  const host = findHost("ollama");
  if (host === undefined) throw new Error("no row for ollama");
  expect(await listModels(host, baseUrl, { signal: AbortSignal.timeout(5_000) })).toEqual(["qwen3:8b"]);
  expect(await probeServer(host, baseUrl)).toEqual(["qwen3:8b"]);
  expect(await probeServer(host, `${baseUrl}/nowhere`)).toBeUndefined();
});
