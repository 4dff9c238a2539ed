/** 500 tools in 20 extensions on the built executable: the first request stays small, and the wanted tool is reached. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { estimateTokens } from "../../src/lib/token-estimate.ts";
import { freshHome, type Home, kari } from "../support/kari.ts";
import { type ManyTools, startManyTools } from "../support/many-tools.ts";
import { type MockLlm, type MockRequest, startMockLlm } from "../support/mock-llm.ts";
import { readBody } from "../wire/read-body.ts";
import { CASES, type WireCase } from "../wire/wire-case.ts";

let home: Home;
let llm: MockLlm;
let many: ManyTools;

beforeEach(async () => {
  home = freshHome();
  llm = await startMockLlm();
  many = await startManyTools();
});

afterEach(async () => {
  await llm.close();
  await many.close();
  home.remove();
});

/** Every extension is waited for, so that the first question knows all 500 tools on any machine. */
function configure(more = ""): void {
  const folder = join(home.path, ".config", "kari");
  mkdirSync(folder, { recursive: true });
  const entries = many.extensions.map(
    ({ name, url }) => `  ${name}: { type: streamable_http, uri: "${url}", required: true }`,
  );
  writeFileSync(join(folder, "config.yaml"), `${more}\nextensions:\n${entries.join("\n")}\n`);
}

const ADDRESS: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  google: "GOOGLE_GEMINI_BASE_URL",
};

const runOn = ({ provider, model, path }: WireCase, ...args: readonly string[]) =>
  kari(["run", ...args], {
    home,
    env: {
      KARI_PROVIDER: provider,
      KARI_MODEL: model,
      [ADDRESS[provider] ?? "OPENAI_BASE_URL"]: `${llm.url}${path}`,
      OPENAI_API_KEY: "sk-canary",
      ANTHROPIC_API_KEY: "sk-canary",
      GEMINI_API_KEY: "sk-canary",
    },
  });

const CHAT = {
  format: "openai-chat",
  provider: "openai-compatible",
  model: "mock-model",
  path: "/v1",
} as const;
const run = (...args: readonly string[]) => runOn(CHAT, ...args);

const toolsIn = (request: MockRequest | undefined) =>
  (request?.body["tools"] ?? []) as unknown as readonly { readonly function: { readonly name: string } }[];
const namesIn = (request: MockRequest | undefined) => toolsIn(request).map((tool) => tool.function.name);

test.each(CASES)(
  "$format: the first request has under 12,000 tokens of tools, and a search leads to the wanted one",
  async (wire) => {
    configure();
    llm.script([
      {
        calls: [
          { name: "platform__search_tools", arguments: { query: "print a label for sending a parcel" } },
        ],
      },
      { calls: [{ name: "parcels__create_shipping_label", arguments: { id: "P-7" } }] },
      { text: "the label is there" },
    ]);
    const result = await runOn(wire, "--approve", "all", "-t", "I want to send a parcel");
    expect(result).toMatchObject({ code: 0, stdout: "the label is there\n" });
    expect(result.stderr).toMatch(/There are 5\d\d tools\. The model is given \d+ of them/);

    const [first, second, third] = llm.requests;
    const [before, after, last] = [first, second, third].map((request) =>
      request ? readBody(request).tools : [],
    );
    const names = before?.map(({ name }) => name);
    expect(estimateTokens(JSON.stringify(first?.body["tools"]))).toBeLessThan(12_000);
    expect(names).toContain("platform__search_tools");
    expect(names).toContain("developer__shell");
    expect(names?.filter((name) => name.startsWith("parcels__"))).toEqual([]);
    expect(first?.raw).toContain("parcels has 25 more tools that are not in your list");

    // Found tools come at the end; what stood before them is the same.
    expect(after?.slice(0, before?.length)).toEqual(before);
    expect(after?.slice(before?.length).map(({ name }) => name)).toContain("parcels__create_shipping_label");
    expect(last).toEqual(after);
    expect(many.calls).toEqual(['parcels/create_shipping_label {"id":"P-7"}']);
  },
  120_000,
);

test("a tool that is not in the list runs by its exact name, asks like any other, and is in the list next time", async () => {
  configure();
  llm.script([
    {
      calls: [
        { id: "1", name: "garden__get_plant", arguments: { id: "rose" } },
        { id: "2", name: "garden__delete_plant", arguments: { id: "rose" } },
        { id: "3", name: "garden__list_seed", arguments: {} },
      ],
    },
    { text: "x" },
  ]);
  const result = await run("-t", "look after the roses");
  expect(result.code).toBe(3);
  expect(many.calls).toEqual(['garden/get_plant {"id":"rose"}']);
  const [first, second] = llm.requests;
  expect(namesIn(second).slice(namesIn(first).length)).toEqual([
    "garden__get_plant",
    "garden__delete_plant",
    "garden__list_seed",
  ]);
  expect(second?.raw).toContain("Wrong arguments for garden__list_seed");

  // Used once: the next session has it from the start.
  llm.script([{ text: "x" }]);
  await run("-t", "again");
  expect(namesIn(llm.requests[2])).toContain("garden__get_plant");
  expect(namesIn(llm.requests[2])).not.toContain("garden__delete_plant");
}, 120_000);

test("what was found stays in the list when the conversation is compacted", async () => {
  configure();
  const files = Array.from({ length: 6 }, (_, i) => `long-${i}.txt`);
  for (const file of files) home.file(file, `${file}\n${"雁が飛ぶ\n".repeat(3000)}`);
  llm.script([
    { calls: [{ name: "platform__search_tools", arguments: { query: "watering plants", limit: 2 } }] },
    ...files.map((path) => ({ calls: [{ name: "developer__read_file", arguments: { path } }] })),
    { status: 400, body: { error: { message: "This model's maximum context length is 1 tokens." } } },
    { text: "done" },
  ]);
  const result = await run("-t", "x");
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  expect(llm.requests.at(-1)?.raw).toContain("This old result was shortened");
  expect(toolsIn(llm.requests.at(-1))).toEqual(toolsIn(llm.requests[1]));
  expect(namesIn(llm.requests.at(-1)).at(-1)).toMatch(/^garden__/);
}, 120_000);

test("tool_search in the file: not enabled gives the model everything, and always names what is never held back", async () => {
  configure("tool_search: { enabled: false }");
  llm.script([{ text: "x" }]);
  await run("-t", "x");
  expect(namesIn(llm.requests[0])).not.toContain("platform__search_tools");
  expect(namesIn(llm.requests[0]).filter((name) => name.startsWith("parcels__"))).toHaveLength(25);

  configure("tool_search: { max_tools: 15, always: [music] }");
  llm.script([{ text: "x" }]);
  await run("-t", "x");
  expect(namesIn(llm.requests[1]).filter((name) => name.startsWith("music__"))).toHaveLength(25);
  expect(namesIn(llm.requests[1])).not.toContain("developer__shell");
}, 120_000);

test("kari tools list has all of them, kari tools search finds, and the offline planner needs no search", async () => {
  configure();
  const listed = await kari(["tools", "list", "--format", "json"], { home });
  expect(JSON.parse(listed.stdout).tools.length).toBeGreaterThan(500);
  const found = await kari(["tools", "search", "渡航", "visa", "--limit", "3"], { home });
  expect(found.code).toBe(0);
  expect(found.stdout).toContain("travel__create_visa_application");
  expect(found.stdout.match(/^\S+__\S+$/gm)?.length).toBe(3);
  const planned = await kari(["run", "-t", 'get the shipping label with id "P-7"'], {
    home,
    env: { KARI_PROVIDER: "offline" },
  });
  expect(planned.stdout).toContain("get_shipping_label of parcels is done");
  expect(many.calls).toEqual(['parcels/get_shipping_label {"id":"P-7"}']);
}, 120_000);
