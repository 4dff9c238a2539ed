import { expect, test } from "vitest";
import { openManager } from "../../test/support/open-manager.ts";
import type { Extension } from "../extensions/index.ts";
import { ExtensionNews } from "./extension-news.ts";

const extension = (key: string): Extension => {
  const listing = { tools: [], hasResources: false };
  const none = async () => [];
  return {
    key,
    kind: "stdio",
    state: { type: "idle" },
    listing,
    start: async () => listing,
    callTool: async () => ({ content: [], isError: false }),
    listResources: none,
    listResourceTemplates: none,
    readResource: none,
    stop: async () => {},
  };
};

const textsOf = async (news: ExtensionNews) =>
  (await news.collect()).flatMap(({ content }) =>
    content.map((block) => (block.type === "text" ? block.text : "")),
  );

test("tools that are held back are told once: in the prompt, with a late extension, or when it comes to it", async () => {
  const { manager } = openManager();
  const heldBack = new Map([["a", 25]]);
  const news = new ExtensionNews(manager, () => heldBack);
  manager.attach(extension("a"));
  manager.attach(extension("b"));
  expect(news.introduce()).toMatchObject([
    { key: "a", heldBack: 25 },
    { key: "b", heldBack: undefined },
  ]);
  expect(await textsOf(news)).toEqual([]);

  heldBack.set("b", 3).set("c", 40);
  manager.attach(extension("c"));
  const later = [
    "[The extension b has 3 more tools that are not in your list: find them with platform__search_tools.]",
    "[The extension c is available from now on.]\n\n## c\n\nc has 40 more tools that are not in your list: find them with platform__search_tools.",
  ];
  expect(await textsOf(news)).toEqual(later);
  expect(await textsOf(news)).toEqual([]);

  // Compaction took the messages away; the prompt still stands.
  news.reset();
  expect(await textsOf(news)).toEqual(later);
});
