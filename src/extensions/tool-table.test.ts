import { describe, expect, test } from "vitest";
import { extensionKey } from "./key.ts";
import { exposedName, ToolTable } from "./tool-table.ts";

const tool = (name: string, description = name) => ({ name, description, inputSchema: { type: "object" } });
const names = (table: ToolTable) => table.all().map(({ name }) => name);

describe("exposed names", () => {
  test("are extension__tool where every provider accepts that", () => {
    expect(exposedName("developer", "shell")).toBe("developer__shell");
  });

  test("R22: slashes, emoji and 200 characters become names that are accepted, and no two are alike", () => {
    const odd = [
      "wakashu/getRanking",
      "wakashu_getRanking",
      "a.b",
      "a_b",
      "a b",
      "🦢",
      "雁",
      "x".repeat(200),
      `${"x".repeat(199)}y`,
    ];
    const exposed = odd.map((name) => exposedName("acme", name));
    for (const name of exposed) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(exposed).size).toBe(odd.length);
  });

  test("are the same on every run", () => {
    expect(exposedName("wakashu", "wakashu/getRanking")).toBe("wakashu__wakashu_getRanking_94816acb");
  });
});

describe("extension keys", () => {
  test("hold only what cannot be misread, also for Japanese names", () => {
    expect(["My_Server", "a__b", " -x- ", "ｗａｋａ"].map(extensionKey)).toEqual([
      "my-server",
      "a-b",
      "x",
      "waka",
    ]);
    expect(extensionKey("和歌集")).toMatch(/^ext-[0-9a-f]{8}$/);
    expect(extensionKey("が".normalize("NFD"))).toBe(extensionKey("が".normalize("NFC")));
  });
});

describe("the table", () => {
  test("dev never captures a tool of developer", () => {
    const table = new ToolTable();
    table.assign("dev", [tool("eloper__shell"), tool("shell")]);
    table.assign("developer", [tool("shell")]);
    expect(table.find("developer__shell")).toMatchObject({ extension: "developer", toolName: "shell" });
    expect(table.find("dev__shell")).toMatchObject({ extension: "dev" });
    expect(table.find("dev__eloper__shell")).toMatchObject({ extension: "dev", toolName: "eloper__shell" });
  });

  test("keeps its order when a tool changes, and puts new ones at the end", () => {
    const table = new ToolTable();
    table.assign("a", [tool("one"), tool("two")]);
    table.assign("b", [tool("three")]);
    table.assign("a", [tool("new"), tool("two", "changed"), tool("one")]);
    expect(names(table)).toEqual(["a__one", "a__two", "b__three", "a__new"]);
    expect(table.find("a__two")?.description).toBe("changed");
    table.remove("a");
    expect(names(table)).toEqual(["b__three"]);
  });

  test("a name listed twice by one server is one tool: the first", () => {
    const table = new ToolTable();
    table.assign("a", [tool("one", "first"), tool("one", "second")]);
    expect(table.all()).toHaveLength(1);
    expect(table.find("a__one")?.description).toBe("first");
  });
});
