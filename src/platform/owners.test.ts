import { expect, test } from "vitest";
import type { Extension, ExtensionManager } from "../extensions/index.ts";
import { createPlatformExtension } from "./extension.ts";

interface Fake {
  readonly key: string;
  readonly lists?: readonly string[];
  readonly template?: string;
  readonly has?: readonly string[];
  /** Never answers a request for its lists. */
  readonly hangs?: boolean;
}

/** Extensions that remember what they were asked to read. */
function world(...fakes: readonly Fake[]) {
  const asked: string[] = [];
  const extensions = fakes.map(({ key, lists = [], template, has = lists, hangs = false }) => ({
    key,
    kind: "stdio",
    config: {},
    listing: { tools: [], hasResources: true },
    listResources: ({ signal }: { signal: AbortSignal }) =>
      hangs ? gone(signal) : Promise.resolve(lists.map((uri) => ({ uri, name: uri }))),
    listResourceTemplates: async () => (template ? [{ uriTemplate: template, name: "t" }] : []),
    readResource: async (uri: string) => {
      asked.push(key);
      if (!has.includes(uri)) throw new Error(`${key} does not have it`);
      return [{ uri, text: `of ${key}` }];
    },
    subscribe: async () => {},
  }));
  const manager = {
    all: () => extensions,
    get: (key: string) => extensions.find((extension) => extension.key === key),
  } as unknown as ExtensionManager;
  const platform: Extension = createPlatformExtension(manager);
  const read = async (args: Record<string, string>) => {
    const { content } = await platform.callTool("read_resource", args, {
      signal: new AbortController().signal,
    });
    return JSON.stringify(content);
  };
  return { asked, read };
}

function gone(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

const uri = "x://a";

test("who lists it is read, and nobody else hears of it", async () => {
  const { asked, read } = world({ key: "curious", has: [uri] }, { key: "owner", lists: [uri] });
  expect(await read({ uri })).toContain("of owner");
  expect(asked).toEqual(["owner"]);
});

test("then whose template fits, then everybody", async () => {
  const fitting = world({ key: "curious", has: [uri] }, { key: "owner", template: "x://{name}", has: [uri] });
  expect(await fitting.read({ uri })).toContain("of owner");
  expect(fitting.asked).toEqual(["owner"]);
  const silent = world({ key: "template", template: "x://{name}" }, { key: "a" }, { key: "b", has: [uri] });
  expect(await silent.read({ uri })).toContain("of b");
  expect(silent.asked).toEqual(["template", "a", "b"]);
});

test("P25: two that list it: the first is read, and the other is named", async () => {
  const { read } = world({ key: "one", lists: [uri] }, { key: "two", lists: [uri] });
  expect(await read({ uri })).toMatch(/of one.*The same URI exists in: two/);
  expect(await read({ uri, extension_name: "two" })).toContain("of two");
});

test("one whose lists do not come holds up nobody for long, and is still asked at last", async () => {
  const owned = world({ key: "deaf", hangs: true }, { key: "owner", lists: [uri] });
  expect(await owned.read({ uri })).toContain("of owner");
  expect(owned.asked).toEqual(["owner"]);
  const last = world({ key: "deaf", hangs: true, has: [uri] }, { key: "other" });
  expect(await last.read({ uri })).toContain("of deaf");
});

test("what nobody has is answered with everybody's reason and the nearest", async () => {
  const { read } = world({ key: "a", lists: ["x://ab"] }, { key: "b" });
  await expect(read({ uri })).rejects.toThrow(
    /- a: a does not have it\n- b: b does not have it\nNear it: x:\/\/ab/,
  );
});
