/** The server as MCP clients meet it: the official client, in both protocol eras, on stdio and over HTTP. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type HttpFixture, serveForTest } from "./http-fixture.ts";
import { sampleRoot } from "./package-root.ts";
import { type TempCollection, tempCollection } from "./temp-collection.ts";

const start = fileURLToPath(new URL("./start.ts", import.meta.url));
const sample = sampleRoot() ?? "";
const wakashuName = "遠慮したラップトップ和歌集";
let http: HttpFixture;
let open: Client[] = [];
beforeAll(async () => {
  http = await serveForTest({ root: sample });
});
afterAll(() => http.handle.close());
afterEach(async () => {
  await Promise.all(open.map((client) => client.close()));
  open = [];
});

async function connect(
  era: "legacy" | "modern",
  where: "stdio" | "http",
  url = http.handle.url,
  root = sample,
): Promise<Client> {
  const mode = era === "legacy" ? "legacy" : "auto";
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport =
    where === "stdio"
      ? new StdioClientTransport({ command: process.execPath, args: [start, "--root", root] })
      : new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  open.push(client);
  expect(client.getProtocolEra()).toBe(era);
  return client;
}

describe.each([
  ["legacy", "stdio"],
  ["modern", "stdio"],
  ["legacy", "http"],
  ["modern", "http"],
] as const)("%s on %s", (era, where) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(era, where);
    open = [];
  });
  afterAll(() => client.close());

  test("tools are listed under names every LLM API takes, read-only, with schemas for both sides", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "wakashu_getRanking",
      "wakashu_getPost",
      "wakashu_listCollections",
      "wakashu_listEditions",
      "wakashu_search",
    ]);
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(tool.annotations).toMatchObject({ readOnlyHint: true });
      expect(tool.outputSchema).toMatchObject({ type: "object" });
    }
    expect(tools[0]).toMatchObject({
      title: "和歌集ランキング情報取得",
      inputSchema: { required: ["wakashuName", "edition", "rankStart", "rankEnd"] },
    });
  });

  test("getRanking answers in order with structured content that its schema accepts, under either name", async () => {
    await client.listTools();
    for (const name of ["wakashu_getRanking", "wakashu/getRanking"]) {
      const result = await client.callTool({
        name,
        arguments: { wakashuName, edition: 1, rankStart: 1, rankEnd: 4 },
      });
      expect(result.content.map(({ type }) => type)).toEqual([
        "text",
        "resource",
        "text",
        "text",
        "resource",
        "text",
        "text",
        "resource",
        "text",
        "text",
        "resource",
        "resource_link",
        "text",
      ]);
      expect(result.structuredContent).toMatchObject({ posts: { length: 4 } });
      expect(result.isError).toBe(false);
      const blob = readFileSync(join(sample, "第1回/1-Laptop/Picture1.png")).toString("base64");
      expect(result.content[1]).toMatchObject({
        resource: {
          mimeType: "image/png",
          _meta: { name: "Picture1.png" },
          blob,
          uri: expect.stringMatching(/^file:\/\/\/[!-~]+Picture1\.png$/),
        },
      });
    }
  });

  test("resources, templates, completion and the prompt", async () => {
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(28);
    const picture = resources.find(({ uri }) => uri.endsWith("Picture3.webp"));
    expect(await client.readResource({ uri: picture?.uri ?? "" })).toMatchObject({
      contents: [{ mimeType: "image/webp" }],
    });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(6);
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "wakashu://post/{wakashuName}/{edition}/{rank}" },
      argument: { name: "rank", value: "" },
      context: { arguments: { wakashuName, edition: "2" } },
    });
    expect(completion.values).toEqual(["1", "2", "3", "4"]);
    const prompt = await client.getPrompt({
      name: "wakashu_conversation",
      arguments: { wakashuName, edition: "1", rankEnd: "2", include: "yes" },
    });
    expect(prompt.messages.map(({ content }) => content.type)).toEqual([
      "text",
      "text",
      "resource",
      "text",
      "text",
      "resource",
      "text",
    ]);
    expect(prompt.messages[0]?.content).toMatchObject({
      text: expect.stringContaining(
        `'wakashu'で「${wakashuName}」のランキング情報を取得してください。取得するのは第1回の和歌集のランキング1位から2位の投稿です。`,
      ),
    });
  });

  test("errors: no such tool, no such resource, no such edition", async () => {
    await expect(client.callTool({ name: "no" })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: "wakashu://edition/x/99" })).rejects.toThrow(/No such resource/);
    const result = await client.callTool({
      name: "wakashu_getRanking",
      arguments: { wakashuName, edition: 99, rankStart: 1, rankEnd: 1 },
    });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("第99回はありません") }],
    });
  });
});

describe("told of changes", () => {
  let temp: TempCollection;
  afterEach(() => temp.remove());

  test.each(["stdio", "http"] as const)(
    "B7: a legacy client on %s that subscribed is told, and the list's change too",
    async (where) => {
      temp = tempCollection();
      temp.write("collection.json", '{"name":"花"}');
      temp.post(1, 1, "a");
      const fixture = await serveForTest({ root: temp.root });
      try {
        const client = await connect("legacy", where, fixture.handle.url, temp.root);
        const told = Promise.withResolvers<string>();
        const relisted = Promise.withResolvers<void>();
        client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
          told.resolve(params.uri),
        );
        client.setNotificationHandler("notifications/resources/list_changed", () => relisted.resolve());
        const uri = `wakashu://text/${encodeURIComponent("花")}/1/1`;
        await client.subscribeResource({ uri });
        await client.listResources();
        // The watcher starts in the background; whoever writes again is heard in the end.
        const writing = setInterval(() => {
          temp.write("第1回/1-a/TextData1.json", JSON.stringify({ text: String(Math.random()) }));
          temp.post(1, 2 + Math.floor(Math.random() * 1000), "new");
        }, 100);
        expect(await told.promise).toBe(uri);
        await relisted.promise;
        clearInterval(writing);
      } finally {
        await fixture.handle.close();
      }
    },
  );
});

test("--tool-name chooses the listed name, and the others still work", async () => {
  const fixture = await serveForTest({ root: sample, toolName: "getRanking" });
  try {
    const client = await connect("modern", "http", fixture.handle.url);
    const { tools } = await client.listTools();
    expect(tools[0]?.name).toBe("getRanking");
    for (const name of ["getRanking", "wakashu_getRanking", "wakashu/getRanking"]) {
      expect(
        (await client.callTool({ name, arguments: { wakashuName, edition: 1, rankStart: 1, rankEnd: 1 } }))
          .isError,
      ).toBe(false);
    }
    await client.close();
    open = [];
  } finally {
    await fixture.handle.close();
  }
});
