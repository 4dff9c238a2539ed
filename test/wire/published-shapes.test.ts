/**
 * A second opinion on the wire. What we send for one rich conversation is written down as a TypeScript value of
 * the request type that each provider publishes in its own SDK, and the compiler judges it: unknown fields,
 * missing fields and wrong literals are all errors there. And the providers' own clients read our mock, so that
 * the suite does not test our converter against a fiction.
 */
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import type { Message } from "../../src/conversation/index.ts";
import { type MockAnswer, type MockFormat, startMockLlm } from "../support/mock-llm.ts";
import { ask, CASES, contentsOf, PICTURE, tool, toolTurn, user } from "./wire-case.ts";

const PUBLISHED: Readonly<Record<MockFormat, string>> = {
  "openai-chat": `import type { ChatCompletionCreateParamsStreaming as Body } from "openai/resources/chat/completions";`,
  "openai-responses": `import type { ResponseCreateParamsStreaming as Body } from "openai/resources/responses/responses";`,
  anthropic: `import type { MessageCreateParamsStreaming as Body } from "@anthropic-ai/sdk/resources/messages";`,
  // The client's own parameters are not the body; the body is made of these types.
  google: `import type { Content, GenerationConfig, Tool } from "@google/genai";
    interface Body { contents: Content[]; systemInstruction?: Content; tools?: Tool[]; generationConfig?: GenerationConfig }`,
};

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    query: { type: "string", description: "what to find", minLength: 1 },
    都市名: { type: "string" },
    filter: { $ref: "#/$defs/filter" },
    tags: { type: "array", items: { enum: ["a", "b"] } },
  },
  required: ["query"],
  additionalProperties: false,
  $defs: {
    filter: { type: "object", properties: { and: { type: "array", items: { $ref: "#/$defs/filter" } } } },
  },
};

async function recordRichConversation(wire: (typeof CASES)[number]): Promise<Record<string, unknown>> {
  const tools = [tool("shop__find", SCHEMA), tool("now", { type: "object" }), tool("wakashu/getRanking")];
  const calls = [
    { name: "shop__find", arguments: { query: "雁" }, id: "call_1" },
    { name: "now", id: "call_2" },
  ];
  const answer = { thinking: "数える", signature: "c2ln", text: "Looking.", calls };
  const first = await ask(wire, [answer], { tools });
  const picture = { type: "image", mimeType: "image/png", data: PICTURE } as const;
  const [, , { content: responses } = { content: [] }] = toolTurn({
    content: [{ type: "text", text: "ok" }, picture],
  });
  const failed = { type: "tool-response", id: "call_2", name: "now", content: [picture], isError: true };
  const messages = [
    { role: "user", content: [{ type: "text", text: "どこ？" }, picture] },
    { role: "assistant", content: contentsOf(first.events) },
    { role: "tool", content: [...responses, failed] },
    { role: "assistant", content: [{ type: "text", text: "There." }] },
    user("and now?"),
  ] as Message[];
  const { llm } = await ask(wire, [{ text: "ok" }], { messages, tools, maxOutputTokens: 1000 });
  return { ...llm.requests[0]?.body };
}

describe("what we send is what the providers publish", () => {
  test("the compiler takes each recorded body as a value of the provider's own request type", async () => {
    const sources = new Map<string, string>();
    for (const wire of CASES) {
      const body = await recordRichConversation(wire);
      const known = wire.format === "openai-chat" ? withoutReasoning(body) : body;
      sources.set(
        wire.format,
        `${PUBLISHED[wire.format]}\nexport const body: Body = ${JSON.stringify(known, null, 1)};`,
      );
    }
    expect(diagnose(sources)).toEqual([]);
  });

  test("the compiler would see a wrong field, a wrong value and a missing field", () => {
    const wrong = (format: MockFormat, body: string) =>
      `${PUBLISHED[format]}\nexport const body: Body = ${body};`;
    const sources = new Map([
      [
        "field",
        wrong(
          "anthropic",
          `{model:"m",max_tokens:1,stream:true,messages:[{role:"user",content:[{type:"tool_result",tool_use_id:"a",isError:true}]}]}`,
        ),
      ],
      [
        "value",
        wrong(
          "openai-chat",
          `{model:"m",stream:true,messages:[{role:"user",content:[{type:"image",image_url:"x"}]}]}`,
        ),
      ],
      [
        "missing",
        wrong(
          "openai-responses",
          `{model:"m",stream:true,input:[{type:"function_call",name:"x",call_id:"c"}]}`,
        ),
      ],
      ["google", wrong("google", `{contents:[{role:"user",parts:[{inline_data:{}}]}]}`)],
    ]);
    const found = diagnose(sources).map((line) => line.split(":")[0]);
    expect([...new Set(found)].sort()).toEqual(["field", "google", "missing", "value"]);
  });
});

/** The one field beyond OpenAI's own: other hosts' name for thinking. */
function withoutReasoning(body: Record<string, unknown>): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (key === "reasoning_content" ? undefined : value)),
  );
}

function diagnose(sources: ReadonlyMap<string, string>): string[] {
  const folder = import.meta.dirname;
  const files = new Map([...sources].map(([name, text]) => [`${folder}/published-${name}.ts`, text]));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
    types: ["node"],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const text = files.get(path);
    if (text === undefined) return getSourceFile(path, languageVersion, ...rest);
    return ts.createSourceFile(path, text, languageVersion);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((path) =>
    program.getSemanticDiagnostics(program.getSourceFile(path)).map((diagnostic) => {
      const name = path.slice(`${folder}/published-`.length, -3);
      return `${name}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, " ")}`;
    }),
  );
}

describe("the providers' own clients read the mock", () => {
  const answer: MockAnswer = {
    text: "Looking for 雁 🦢.",
    calls: [
      { name: "find", arguments: { query: "雁" }, id: "call_1" },
      { name: "now", arguments: {}, id: "call_2" },
    ],
    usage: { input: 70, output: 9, cacheRead: 50 },
    deltaSize: 3,
  };
  const text = "Looking for 雁 🦢.";
  const calls = [
    ["call_1", "find", { query: "雁" }],
    ["call_2", "now", {}],
  ];

  async function withMock<T>(run: (url: string) => Promise<T>): Promise<T> {
    const llm = await startMockLlm({ steps: [answer] });
    try {
      return await run(llm.url);
    } finally {
      await llm.close();
    }
  }

  test("OpenAI, chat completions", async () => {
    const completion = await withMock((url) =>
      new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0 }).chat.completions
        .stream({
          model: "m",
          messages: [{ role: "user", content: "q" }],
          stream_options: { include_usage: true },
        })
        .finalChatCompletion(),
    );
    const message = completion.choices[0]?.message;
    expect(message?.content).toBe(text);
    expect(
      message?.tool_calls?.map((call) =>
        call.type === "function" ? [call.id, call.function.name, JSON.parse(call.function.arguments)] : [],
      ),
    ).toEqual(calls);
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
    expect(completion.usage).toMatchObject({
      prompt_tokens: 70,
      prompt_tokens_details: { cached_tokens: 50 },
    });
  });

  test("OpenAI, responses", async () => {
    const response = await withMock((url) =>
      new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0 }).responses
        .stream({ model: "m", input: "q" })
        .finalResponse(),
    );
    expect(response.output_text).toBe(text);
    expect(
      response.output.flatMap((item) =>
        item.type === "function_call" ? [[item.call_id, item.name, JSON.parse(item.arguments)]] : [],
      ),
    ).toEqual(calls);
    expect(response.usage).toMatchObject({ input_tokens: 70, input_tokens_details: { cached_tokens: 50 } });
  });

  test("Anthropic, messages", async () => {
    const message = await withMock((url) =>
      new Anthropic({ apiKey: "k", baseURL: url, maxRetries: 0 }).messages
        .stream({ model: "m", max_tokens: 100, messages: [{ role: "user", content: "q" }] })
        .finalMessage(),
    );
    expect(message.content.flatMap((block) => (block.type === "text" ? [block.text] : []))).toEqual([text]);
    expect(
      message.content.flatMap((block) =>
        block.type === "tool_use" ? [[block.id, block.name, block.input]] : [],
      ),
    ).toEqual(calls);
    expect(message.stop_reason).toBe("tool_use");
    expect(message.usage).toMatchObject({ input_tokens: 20, cache_read_input_tokens: 50, output_tokens: 9 });
  });

  test("Google, generateContentStream", async () => {
    const parts = await withMock(async (url) => {
      const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: url } });
      const chunks = [];
      for await (const chunk of await client.models.generateContentStream({
        model: "gemini-3.5-flash",
        contents: "q",
      }))
        chunks.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      return chunks;
    });
    expect(parts.map((part) => part.text ?? "").join("")).toBe(text);
    expect(
      parts.flatMap(({ functionCall }) =>
        functionCall === undefined ? [] : [[functionCall.id, functionCall.name, functionCall.args]],
      ),
    ).toEqual(calls);
  });
});
