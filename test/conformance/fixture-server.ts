/**
 * The server under test of the official conformance suite: every fixture the suite asks for, built on the same
 * kit as the builtin servers and served over HTTP by it. Says its address on stdout once it listens.
 */
import { z } from "zod";
import { serveOnHttp } from "../../src/servers/kit/http.ts";
import {
  ask,
  createChangeBus,
  type KitPrompt,
  needInput,
  ResourceError,
  type ResourceProvider,
  type ServerDefinition,
} from "../../src/servers/kit/index.ts";
import { askingTools } from "./fixture-asking-tools.ts";
import { PICTURE, RED_PIXEL_PNG } from "./fixture-content.ts";
import { answeringTools } from "./fixture-tools.ts";

const changes = createChangeBus();
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

const resources: ResourceProvider = {
  list: () => ({
    resources: [
      { uri: "test://static-text", name: "static text", description: "A text", mimeType: "text/plain" },
      { uri: "test://static-binary", name: "static binary", description: "A picture", mimeType: "image/png" },
      {
        uri: "test://watched-resource",
        name: "watched",
        description: "A text to subscribe to",
        mimeType: "text/plain",
      },
    ],
  }),
  templates: [
    {
      uriTemplate: "test://template/{id}/data",
      name: "data by id",
      description: "Data for an id",
      mimeType: "application/json",
    },
  ],
  read: async (uri) => {
    if (uri === "test://static-text") {
      return [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }];
    }
    if (uri === "test://static-binary") return [{ uri, mimeType: "image/png", blob: RED_PIXEL_PNG }];
    if (uri === "test://watched-resource") {
      return [{ uri, mimeType: "text/plain", text: "Watched resource content" }];
    }
    const id = TEMPLATE.exec(uri)?.[1];
    if (id === undefined) throw new ResourceError("not-found", `There is no resource ${uri}`);
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return [{ uri, mimeType: "application/json", text: JSON.stringify(data) }];
  },
  complete: ({ value }) => ["123", "124", "200"].filter((id) => id.startsWith(value)),
  cacheHints: { list: { ttlMs: 1000, cacheScope: "public" }, read: { ttlMs: 1000, cacheScope: "private" } },
};

const prompts: readonly KitPrompt[] = [
  {
    name: "test_simple_prompt",
    description: "A prompt without arguments",
    get: () => ({ messages: [said("This is a simple prompt for testing.")] }),
  },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt with two arguments",
    arguments: [
      { name: "arg1", description: "First test argument", required: true },
      { name: "arg2", description: "Second test argument", required: true },
    ],
    get: ({ arg1, arg2 }) => ({ messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
    complete: (_argument, value) => ["paris", "park", "party"].filter((word) => word.startsWith(value)),
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt that embeds a resource",
    arguments: [{ name: "resourceUri", description: "The resource to embed", required: true }],
    get: ({ resourceUri = "" }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "resource",
            resource: {
              uri: resourceUri,
              mimeType: "text/plain",
              text: "Embedded resource content for testing.",
            },
          },
        },
        said("Please process the embedded resource above."),
      ],
    }),
  },
  {
    name: "test_prompt_with_image",
    description: "A prompt with a picture",
    get: () => ({ messages: [{ role: "user", content: PICTURE }, said("Please analyze the image above.")] }),
  },
  {
    name: "test_input_required_result_prompt",
    description: "A prompt that asks for its context",
    get: (_args, { input }) => {
      const answer = input.accepted("user_context", z.object({ context: z.string() }));
      if (answer) return { messages: [said(`Context: ${answer.context}`)] };
      const user_context = ask.form({
        message: "What context should the prompt use?",
        requestedSchema: {
          type: "object",
          properties: { context: { type: "string" } },
          required: ["context"],
        },
      });
      return needInput({ requests: { user_context } });
    },
  },
];

const definition: ServerDefinition = {
  name: "kari-conformance",
  version: "1.0.0",
  tools: [...answeringTools(changes), ...askingTools],
  resources,
  prompts,
  changes,
};

const { url } = await serveOnHttp(definition, { port: Number(process.argv[2] ?? 0) });
process.stdout.write(`${url}\n`);

function said(text: string) {
  return { role: "user" as const, content: { type: "text" as const, text } };
}
