import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createChangeBus, type ServerChange } from "../kit/index.ts";
import { Library } from "./library.ts";
import { type TempCollection, tempCollection } from "./temp-collection.ts";
import { toUri } from "./uris.ts";
import { CollectionWatch } from "./watch.ts";

let temp: TempCollection;
let watch: CollectionWatch;
let changes: ServerChange[];
let news: () => void;
beforeEach(async () => {
  temp = tempCollection();
  temp.write("collection.json", '{"name":"花"}');
  temp.post(1, 1, "雁");
  changes = [];
  const bus = createChangeBus();
  bus.subscribe((change) => {
    changes.push(change);
    news();
  });
  news = () => {};
  watch = new CollectionWatch(new Library(temp.root), bus);
  await watch.start();
});
afterEach(async () => {
  await watch.close();
  temp.remove();
});

/** Waits for news until they satisfy, however long that takes; the test's own time limit is the only clock. */
async function until(satisfied: () => boolean): Promise<void> {
  while (!satisfied()) {
    await new Promise<void>((resolve) => {
      news = resolve;
    });
  }
}
const updated = () => changes.flatMap((change) => (change.type === "resource-updated" ? [change.uri] : []));
const listChanged = () => changes.some(({ type }) => type === "resources-changed");

describe("watching the collection", () => {
  test("a changed text tells its file, text, post, edition and collection, in both spellings", async () => {
    const file = temp.write("第1回/1-雁/TextData1.json", '{"text":"新しい歌"}');
    await until(() => updated().includes("wakashu://collection/花"));
    expect(updated()).toEqual(
      expect.arrayContaining([
        `file://${file}`,
        toUri(`file://${file}`),
        "wakashu://text/花/1/1",
        toUri("wakashu://text/花/1/1"),
        "wakashu://post/花/1/1",
        toUri("wakashu://post/花/1/1-雁"),
        toUri("wakashu://edition/花/1"),
      ]),
    );
  });

  test("a new post and a removed one change the list", async () => {
    temp.post(1, 2, "new");
    await until(listChanged);
    expect(updated()).toContain("wakashu://edition/花/1");
    changes.length = 0;
    rmSync(join(temp.root, "第1回/2-new"), { recursive: true });
    await until(listChanged);
    expect(updated()).toContain("wakashu://edition/花/1");
  });

  test("what lies outside any edition tells nobody about a post", async () => {
    temp.write("notes.txt", "x");
    await until(listChanged);
    expect(updated()).toEqual([]);
  });
});
