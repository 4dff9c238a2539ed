/**
 * A small server with one of everything the kit offers, for tests of the wire: the same definition is served on
 * streams, over HTTP and, by demo-main.ts, as a process of its own.
 */
import { z } from "zod";
import {
  ask,
  type ChangeBus,
  createChangeBus,
  defineTool,
  needInput,
  ResourceError,
  type ServerDefinition,
  structured,
  text,
} from "../../src/servers/kit/index.ts";

export interface DemoServer {
  readonly definition: ServerDefinition;
  readonly changes: ChangeBus;
  /** How often watching was started. */
  watched(): number;
  readonly closed: Promise<void>;
  /** The tool `wait` has begun, and it has been cancelled. */
  readonly waiting: Promise<void>;
  readonly cancelled: Promise<void>;
}

const ITEMS = ["one", "two", "three", "四", "five"];
const PAGE = 2;

export function createDemoServer(): DemoServer {
  const changes = createChangeBus();
  const [closed, waiting, cancelled] = [deferred(), deferred(), deferred()];
  let watched = 0;
  const wait = defineTool({
    name: "wait",
    description: "Waits until it is cancelled",
    input: z.object({}),
    run: (_args, { signal }) => {
      waiting.resolve();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          cancelled.resolve();
          resolve(text("stopped"));
        });
      });
    },
  });
  const definition: ServerDefinition = {
    name: "demo",
    title: "デモ",
    version: "1.0.0",
    instructions: "For tests.",
    tools: [...plainTools, ...askingTools, wait],
    aliases: { say: "echo" },
    resources: {
      list: ({ cursor }) => {
        const start = cursor === undefined ? 0 : Number(cursor);
        if (!Number.isInteger(start) || start < 0 || start >= ITEMS.length) {
          throw new ResourceError("invalid", `Unknown cursor "${cursor}"`);
        }
        const page = ITEMS.slice(start, start + PAGE);
        const more = start + PAGE < ITEMS.length;
        return {
          resources: page.map((name) => ({ uri: `demo://item/${name}`, name })),
          ...(more && { nextCursor: String(start + PAGE) }),
        };
      },
      templates: [{ uriTemplate: "demo://item/{name}", name: "item" }],
      read: async (uri) => {
        if (uri === "demo://secret") throw new ResourceError("refused", "That is not given out");
        if (uri === "demo://broken") throw new ResourceError("failed", "The disk is on fire");
        const name = decodeURIComponent(uri.slice("demo://item/".length));
        if (!ITEMS.includes(name)) throw new ResourceError("not-found", `There is no ${uri}`);
        return [{ uri, mimeType: "text/plain", text: `item ${name}` }];
      },
      complete: ({ value }) => ITEMS.filter((name) => name.startsWith(value)),
      cacheHints: {
        list: { ttlMs: 5000, cacheScope: "public" },
        read: { ttlMs: 1000, cacheScope: "private" },
      },
      startWatching: () => {
        watched += 1;
      },
    },
    prompts: [
      {
        name: "greet",
        description: "A greeting",
        arguments: [{ name: "name", required: true }],
        get: ({ name }) => ({
          messages: [{ role: "user", content: { type: "text", text: `Greet ${name}` } }],
        }),
        complete: (_argument, value) =>
          Array.from({ length: 150 }, (_item, index) => `name${index}`).filter((name) =>
            name.startsWith(value),
          ),
      },
      {
        name: "ask-first",
        get: (_args, { input }) => {
          const answer = input.accepted("topic", z.object({ topic: z.string() }));
          if (!answer) return needInput({ requests: { topic: topicForm } });
          return { messages: [{ role: "user", content: { type: "text", text: `About ${answer.topic}` } }] };
        },
      },
    ],
    changes,
    close: () => closed.resolve(),
  };
  return {
    definition,
    changes,
    watched: () => watched,
    closed: closed.promise,
    waiting: waiting.promise,
    cancelled: cancelled.promise,
  };
}

const topicForm = ask.form({
  message: "About what?",
  requestedSchema: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
});

const plainTools = [
  defineTool({
    name: "echo",
    title: "Echo",
    description: "Says it again",
    input: z.object({ text: z.string().describe("What to say") }),
    annotations: { readOnlyHint: true },
    run: ({ text: value }) => text(value),
  }),
  defineTool({
    name: "count",
    description: "Counts to three, with progress and log messages",
    input: z.object({}),
    output: z.object({ counted: z.number() }),
    run: (_args, { progress, log }) => {
      for (const step of [1, 2, 3]) progress({ progress: step, total: 3, message: `step ${step}` });
      log("debug", "counting");
      log("warning", "counted");
      return structured({ counted: 3 });
    },
  }),
  defineTool({
    name: "route",
    description: "Has parameters that proxies can read",
    input: z.object({
      region: z.string().meta({ "x-mcp-header": "Region" }),
      parcel: z.object({ size: z.int().meta({ "x-mcp-header": "Size" }) }),
    }),
    run: ({ region }) => text(region),
  }),
  defineTool({
    name: "fail",
    description: "Always fails",
    input: z.object({}),
    run: () => {
      throw new Error("out of luck");
    },
  }),
];

const askingTools = [
  defineTool({
    name: "order",
    description: "Asks for a dish, then whether that is right",
    input: z.object({ table: z.number() }),
    run: ({ table }, { input }) => {
      const dish =
        input.accepted("dish", z.object({ dish: z.string() }))?.dish ?? (input.state as string | undefined);
      if (dish === undefined) {
        const form = ask.form({
          message: "Which dish?",
          requestedSchema: { type: "object", properties: { dish: { type: "string" } }, required: ["dish"] },
        });
        return needInput({ requests: { dish: form } });
      }
      const sure = input.answer("sure");
      if (sure.kind === "missing") {
        const form = ask.form({ message: `${dish}?`, requestedSchema: { type: "object", properties: {} } });
        return needInput({ requests: { sure: form }, state: dish });
      }
      const taken = sure.kind === "elicit" && sure.action === "accept";
      return text(taken ? `${dish} for table ${table}` : "no order");
    },
  }),
  defineTool({
    name: "boast",
    description: "Is only for clients with a model",
    input: z.object({}),
    requires: { sampling: {} },
    run: () => text("for the few"),
  }),
  defineTool({
    name: "think",
    description: "Asks the client's model",
    input: z.object({}),
    run: (_args, { input, client }) => {
      const thought = input.answer("thought");
      if (thought.kind !== "sampling") {
        const messages = [{ role: "user" as const, content: { type: "text" as const, text: "2+2?" } }];
        return needInput({ requests: { thought: ask.model({ messages, maxTokens: 10 }) } });
      }
      return text(`${JSON.stringify(thought.result.content)} ${Object.keys(client).join()}`);
    },
  }),
];

function deferred(): PromiseWithResolvers<void> {
  return Promise.withResolvers<void>();
}
