import { describe, expect, test } from "vitest";
import { openManager } from "../../test/support/open-manager.ts";
import type { JsonObject, Message, Tool, ToolDefinition } from "../conversation/index.ts";
import {
  createToolBox,
  type Extension,
  type ExtensionKind,
  type ExtensionManager,
} from "../extensions/index.ts";
import { createPlatformExtension } from "./extension.ts";
import { ShownTools, type ShownToolsOptions, tokensOf } from "./shown-tools.ts";

const signal = new AbortController().signal;

const tool = (name: string, description = `Does ${name}.`): Tool => ({
  name,
  description,
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
});

const many = (count: number, prefix = "tool") =>
  Array.from({ length: count }, (_, i) => tool(`${prefix}${i}`));

function extension(key: string, tools: readonly Tool[], kind: ExtensionKind = "stdio"): Extension {
  const listing = { tools, hasResources: false };
  const none = async () => [];
  return {
    key,
    kind,
    state: { type: "idle" },
    listing,
    start: async () => listing,
    callTool: async (name) => ({ content: [{ type: "text", text: `${key} ran ${name}` }], isError: false }),
    listResources: none,
    listResourceTemplates: none,
    readResource: none,
    stop: async () => {},
  };
}

function open(extensions: readonly Extension[], options: Partial<ShownToolsOptions> = {}) {
  const { manager } = openManager();
  manager.attach(createPlatformExtension(manager));
  for (const one of extensions) manager.attach(one);
  return { manager, shown: shownTools(manager, options) };
}

const shownTools = (manager: ExtensionManager, options: Partial<ShownToolsOptions> = {}) =>
  new ShownTools(createToolBox(manager), manager, { maxTools: 20, maxTokens: 10_000, ...options });

const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name);

const call = (shown: ShownTools, name: string, args: JsonObject = {}) =>
  shown.call({ type: "tool-request", id: "1", name, arguments: args }, { signal });

const search = (shown: ShownTools, query: string, more: JsonObject = {}) =>
  call(shown, "platform__search_tools", { query, ...more });

const textIn = (response: Awaited<ReturnType<ShownTools["call"]>>) =>
  response.content.map((content) => (content.type === "text" ? content.text : "")).join("\n");

const PLATFORM = ["platform__read_resource", "platform__list_resources"];
const weather = tool("get_weather", "Tells the weather of a city for the next days.");

describe("tools that are few", () => {
  test("are all shown, without a search", () => {
    const { shown } = open([extension("a", many(3))]);
    expect(names(shown.tools())).toEqual([...PLATFORM, "a__tool0", "a__tool1", "a__tool2"]);
    expect(shown.heldBack()).toEqual(new Map());
  });

  test("a model that chooses by itself gets any number", () => {
    const { shown } = open([extension("a", many(500))], { maxTools: Infinity, maxTokens: Infinity });
    expect(shown.tools()).toHaveLength(502);
    expect(names(shown.tools())).not.toContain("platform__search_tools");
  });
});

describe("tools that are many", () => {
  test("by count: the platform, the search and the builtins are shown, and the rest is counted", () => {
    const { shown } = open([extension("a", many(30)), extension("mine", many(2), "builtin")]);
    expect(names(shown.tools())).toEqual([
      ...PLATFORM,
      "platform__search_tools",
      "mine__tool0",
      "mine__tool1",
    ]);
    expect(shown.heldBack()).toEqual(new Map([["a", 30]]));
  });

  test("by tokens: three tools with long descriptions are many", () => {
    const long = ["x", "y", "z"].map((name) => tool(name, "word ".repeat(800)));
    const { shown } = open([extension("a", long)], { maxTokens: 2000 });
    expect(names(shown.tools())).toEqual([...PLATFORM, "platform__search_tools"]);
    expect(tokensOf(shown.all())).toBeGreaterThan(3000);
  });

  test("builtins beyond the budget are held back too", () => {
    const { shown } = open([extension("mine", many(40), "builtin")], { maxTools: 10 });
    expect(shown.tools()).toHaveLength(10);
    expect(shown.heldBack()).toEqual(new Map([["mine", 33]]));
  });

  test("what was used in earlier runs and what the person named is shown", () => {
    const { manager } = openManager();
    manager.attach(createPlatformExtension(manager));
    manager.pins.open("a", { tool7: tool("tool7") });
    manager.attach(extension("a", many(30)));
    manager.attach(extension("my-calendar", many(2)));
    manager.attach(extension("c", many(2)));
    const shown = shownTools(manager, { always: ["My Calendar", "c__tool1"] });
    expect(names(shown.tools()).slice(3)).toEqual([
      "a__tool7",
      "my-calendar__tool0",
      "my-calendar__tool1",
      "c__tool1",
    ]);
  });

  test("the person is told once", () => {
    const told: unknown[] = [];
    const { shown } = open([extension("a", many(30))], { onSearch: (counts) => told.push(counts) });
    shown.tools();
    shown.tools();
    expect(told).toEqual([{ shown: 3, all: 33 }]);
  });
});

describe("a search", () => {
  test("puts what it finds at the end of the list, where it stays", async () => {
    const { shown } = open([extension("a", [...many(30), weather])]);
    const before = shown.tools();
    const response = await search(shown, "天気を知りたい");
    expect(textIn(response)).toContain("- a__get_weather: Tells the weather of a city");
    expect(names(shown.tools())).toEqual([...names(before), "a__get_weather"]);
    await search(shown, "tool3 tool4", { limit: 2 });
    expect(names(shown.tools())).toEqual([...names(before), "a__get_weather", "a__tool3", "a__tool4"]);
    expect(shown.tools().slice(0, before.length)).toEqual(before);
    expect(shown.heldBack()).toEqual(new Map([["a", 28]]));
  });

  test("within one extension, and its names alone when nothing is asked", async () => {
    const { shown } = open([extension("a", many(30)), extension("b", [weather, tool("tool5")])]);
    const before = shown.tools();
    const found = await search(shown, "tool5", { extension_name: "b", limit: 1 });
    expect(found.meta).toEqual({ "kari/found-tools": ["b__tool5"] });
    const listed = await call(shown, "platform__search_tools", { extension_name: "b" });
    expect(textIn(listed)).toMatch(/^b has 2 tools\. .*\nb__get_weather\nb__tool5$/);
    expect(names(shown.tools())).toEqual([...names(before), "b__tool5"]);
  });

  test("without a match says so, and where tools are", async () => {
    const { shown } = open([extension("a", many(30)), extension("b", [weather])]);
    const response = await search(shown, "qqqqq");
    expect(textIn(response)).toContain('No tool of any extension matches "qqqqq"');
    expect(textIn(response)).toContain("a (30), b (1)");
    expect(shown.tools()).toHaveLength(3);
  });

  test("for nothing at all, or in an extension that is not there, is an error with the way on", async () => {
    const { shown } = open([extension("a", many(30))]);
    const nothing = await call(shown, "platform__search_tools");
    expect(nothing.isError).toBe(true);
    const nowhere = await search(shown, "x", { extension_name: "zzz" });
    expect(textIn(nowhere)).toContain('There is no extension "zzz". Extensions: a.');
  });

  test("an extension cannot put tools into the list by pretending to be one", async () => {
    const liar = {
      ...extension("a", many(30)),
      callTool: async () => ({ content: [], isError: false, meta: { "kari/found-tools": ["a__tool9"] } }),
    };
    const { shown } = open([liar]);
    await call(shown, "a__tool1");
    expect(names(shown.tools())).not.toContain("a__tool9");
  });
});

describe("a tool that is not shown", () => {
  test("can be called by its exact name, and is shown from then on", async () => {
    const { shown } = open([extension("a", many(30))]);
    const before = shown.tools();
    expect(shown.find("a__tool21")?.toolName).toBe("tool21");
    expect(textIn(await call(shown, "a__tool21"))).toBe("a ran tool21");
    expect(names(shown.tools())).toEqual([...names(before), "a__tool21"]);
  });

  test("that does not exist is not found and not shown", () => {
    const { shown } = open([extension("a", many(30))]);
    expect(shown.find("a__nothing")).toBeUndefined();
    expect(shown.tools()).toHaveLength(3);
  });
});

describe("extensions that come, go and change", () => {
  test("what comes late is added at the end while it fits, and held back when it does not", () => {
    const { manager, shown } = open([extension("a", many(3))]);
    const first = names(shown.tools());
    manager.attach(extension("b", many(3)));
    const second = names(shown.tools());
    expect(second).toEqual([...first, "b__tool0", "b__tool1", "b__tool2"]);
    manager.attach(extension("c", many(30)));
    expect(names(shown.tools())).toEqual([...second, "platform__search_tools"]);
    expect(shown.heldBack()).toEqual(new Map([["c", 30]]));
  });

  test("a tool that vanishes leaves the list and the search; one that changes keeps its place", async () => {
    const { manager, shown } = open([extension("a", [...many(30), weather])]);
    await search(shown, "weather", { limit: 1 });
    await search(shown, "tool3", { limit: 1 });
    const changed = tool("get_weather", "The weather, told otherwise.");
    manager.table.assign("a", [...many(30), changed]);
    expect(names(shown.tools()).slice(3)).toEqual(["a__get_weather", "a__tool3"]);
    expect(shown.tools()[3]?.description).toBe("The weather, told otherwise.");
    manager.table.assign("a", many(30));
    expect(names(shown.tools()).slice(3)).toEqual(["a__tool3"]);
    expect(textIn(await search(shown, "weather"))).toContain("No tool");
    expect(shown.find("a__get_weather")).toBeUndefined();
  });
});

test("a tool that comes back is a new one, at the end", () => {
  const { manager, shown } = open([extension("a", many(1)), extension("b", many(1))]);
  shown.tools();
  manager.table.assign("a", []);
  expect(names(shown.tools())).toEqual([...PLATFORM, "b__tool0"]);
  manager.table.assign("a", many(1));
  expect(names(shown.tools())).toEqual([...PLATFORM, "b__tool0", "a__tool0"]);
});

test("a conversation that goes on shows again what was found and called in it", async () => {
  const { manager, shown } = open([extension("a", [...many(30), weather])]);
  const response = await search(shown, "weather", { limit: 1 });
  const history: Message[] = [
    { role: "assistant", content: [{ type: "tool-request", id: "0", name: "a__tool4", arguments: {} }] },
    { role: "tool", content: [JSON.parse(JSON.stringify(response))] },
  ];
  const resumed = shownTools(manager, { history });
  expect(names(resumed.tools()).slice(3)).toEqual(["a__tool4", "a__get_weather"]);
});

test("the list never outgrows what a provider takes: the oldest that was found and not called goes", async () => {
  const { shown } = open([extension("a", many(200))], { maxTools: 20 });
  shown.tools();
  shown.find("a__tool0");
  for (let i = 1; i < 60; i++) await search(shown, `tool${i}`, { limit: 1 });
  expect(shown.tools()).toHaveLength(44);
  expect(names(shown.tools())).toContain("a__tool0");
  expect(names(shown.tools())).not.toContain("a__tool1");
  expect(names(shown.tools()).at(-1)).toBe("a__tool59");
});
