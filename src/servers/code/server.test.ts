import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, test } from "vitest";
import { serveOnHttp } from "../kit/http.ts";
import { createServer } from "../kit/index.ts";
import { createCodeServer } from "./index.ts";
import { makeProject, type TestProject } from "./test-project.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connect(project: TestProject | null): Promise<Client> {
  const definition = createCodeServer({ projectPath: project?.root ?? null, cacheDir: null });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await createServer(definition, "legacy").connect(theirs);
  await client.connect(ours);
  closers.push(async () => {
    await client.close();
    await definition.close?.();
  });
  return client;
}

async function readJson<T>(client: Client, uri: string): Promise<T> {
  const { contents } = await client.readResource({ uri });
  return JSON.parse((contents[0] as { text: string }).text) as T;
}

describe("over the protocol", () => {
  test("set_project_path → overview → find_and_grep → file", async () => {
    using project = makeProject({
      "src/main.ts": "export function start() {\n  return 1;\n}\n",
      "b.py": "x = 1\n",
    });
    const client = await connect(null);
    await expect(client.readResource({ uri: "code://stats/overview" })).rejects.toThrow(
      "Project path not set. Call set_project_path() first.",
    );
    await client.callTool({ name: "set_project_path", arguments: { path: project.root } });
    expect(await readJson(client, "code://stats/overview")).toMatchObject({ total_files: 2, total_lines: 4 });
    const found = await client.callTool({ name: "find_and_grep", arguments: { query: "function start" } });
    const { files } = found.structuredContent as { files: { uri: string; matches: { uri: string }[] }[] };
    const [hit] = files;
    const { contents } = await client.readResource({ uri: hit?.uri ?? "" });
    expect(contents).toMatchObject([
      { text: "export function start() {\n  return 1;\n}\n", mimeType: "text/x-typescript" },
    ]);
    const line = await client.readResource({ uri: hit?.matches[0]?.uri ?? "" });
    expect(line.contents).toMatchObject([{ text: "export function start() {\n" }]);
  });

  test("statistics are listed, the overview as active; files are a template", async () => {
    using project = makeProject({});
    const client = await connect(project);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, annotations }) => [uri, annotations?.priority])).toEqual([
      ["code://stats/overview", 1],
      ["code://stats/languages", 0.6],
      ["code://stats/complexity", 0.5],
      ["code://stats/files", 0.3],
      ["code://stats/skipped", 0.2],
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("code://file/{file_path}");
  });

  test("every tool says whether it only reads, and has a schema and a title", async () => {
    using project = makeProject({});
    const client = await connect(project);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["set_project_path", false],
      ["find_and_grep", true],
      ["get_code_outline", true],
      ["extract_code_section", true],
      ["analyze_dependencies", true],
      ["code_history", true],
      ["code_quality", true],
      ["define_metric", false],
      ["create_code_report", false],
    ]);
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z_]{1,64}$/);
      expect(tool.title).toBeDefined();
    }
  });
});

interface Overview {
  readonly total_lines: number;
  readonly last_updated: string;
}

describe("while files change", () => {
  /** Half of them of the older protocol era, half of the newer. */
  async function connectMany(
    url: string,
    count: number,
  ): Promise<{ client: Client; news: () => Promise<void> }[]> {
    return await Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const modern = i % 2 === 1;
        const client = new Client(
          { name: `client-${i}`, version: "1" },
          modern ? { versionNegotiation: { mode: "auto" } } : {},
        );
        let waiting: (() => void)[] = [];
        client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
          if (params.uri !== "code://stats/overview") return;
          for (const wake of waiting.splice(0)) wake();
        });
        await client.connect(new StreamableHTTPClientTransport(new URL(url)));
        closers.push(() => client.close());
        const uri = "code://stats/overview";
        if (modern) await client.listen({ resourceSubscriptions: [uri] });
        else await client.subscribeResource({ uri });
        return { client, news: () => new Promise<void>((resolve) => (waiting = [...waiting, resolve])) };
      }),
    );
  }

  test("eight clients over HTTP get consistent answers, and no stale one after the news", async () => {
    using project = makeProject(
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}.ts`, "let a;\n"])),
    );
    const served = await serveOnHttp(createCodeServer({ projectPath: project.root, cacheDir: null }), {
      port: 0,
    });
    closers.push(() => served.close());
    const clients = await connectMany(served.url, 8);
    const totals = new Map<string, Set<number>>();
    const look = async (client: Client): Promise<number> => {
      const [overview, languages, files] = await Promise.all([
        readJson<Overview>(client, "code://stats/overview"),
        readJson<{ languages: { line_count: number }[]; last_updated: string }>(
          client,
          "code://stats/languages",
        ),
        readJson<{ files: { line_count: number }[]; last_updated: string }>(client, "code://stats/files"),
      ]);
      const sums: [string, number][] = [
        [overview.last_updated, overview.total_lines],
        [languages.last_updated, languages.languages.reduce((sum, { line_count }) => sum + line_count, 0)],
        [files.last_updated, files.files.reduce((sum, { line_count }) => sum + line_count, 0)],
      ];
      for (const [version, sum] of sums) totals.set(version, (totals.get(version) ?? new Set()).add(sum));
      return overview.total_lines;
    };
    for (const { client } of clients) expect(await look(client)).toBe(50);
    for (let round = 1; round <= 5; round += 1) {
      const told = clients.map(({ news }) => news());
      project.write("f0.ts", "let a;\n".repeat(1 + round));
      await Promise.all(
        clients.map(async ({ client, news }, i) => {
          await told[i];
          // The news of an earlier change may come late; the news of this one comes too, and then it is there.
          while ((await look(client)) !== 50 + round) await news();
        }),
      );
    }
    // Whatever a version says, it says to everybody.
    for (const sums of totals.values()) expect(sums.size).toBe(1);
  });

  test("a file that somebody subscribed to is told, by its address", async () => {
    using project = makeProject({ "日本 語.ts": "1\n", "other.ts": "1\n" });
    const definition = createCodeServer({ projectPath: project.root, cacheDir: null });
    closers.push(async () => definition.close?.());
    await definition.resources?.read("code://stats/overview", { signal: new AbortController().signal });
    const heard = new Promise<string>((resolve) => {
      definition.changes?.subscribe((change) => {
        if (change.type === "resource-updated" && change.uri.startsWith("code://file/")) resolve(change.uri);
      });
    });
    definition.resources?.startWatching?.();
    // The watcher needs a moment to begin; write until it has heard.
    const timer = setInterval(() => project.write("日本 語.ts", `${Math.random()}\n`), 50);
    expect(await heard).toBe("code://file/%E6%97%A5%E6%9C%AC%20%E8%AA%9E.ts");
    clearInterval(timer);
  });
});
