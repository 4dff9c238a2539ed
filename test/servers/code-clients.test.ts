/**
 * The built code server as other hosts read it: the inspector's command line in both eras, over stdio and HTTP, and
 * the client of SDK version 1, on which most hosts of today are built.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshHome, MARK, root } from "../support/kari.ts";

const inspector = fileURLToPath(
  import.meta
    .resolve("@modelcontextprotocol/inspector/package.json")
    .replace("package.json", "clients/launcher/build/index.js"),
);
const home = freshHome();
const project = join(home.path, "project");
const command = [join(root, "bin", "kari.js"), "mcp", "code", "--project", project, "--no-cache"];
const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: home.path,
  XDG_RUNTIME_DIR: `${home.path}/${MARK}`,
};
const TOOLS = [
  "set_project_path",
  "find_and_grep",
  "get_code_outline",
  "extract_code_section",
  "analyze_dependencies",
  "code_history",
  "code_quality",
  "define_metric",
  "create_code_report",
];
const STATISTICS = ["overview", "languages", "complexity", "files", "skipped"];
const SOURCE = "export function 渡る(a: number) {\n  return a ? 1 : 2;\n}\n";
const FILE = `code://file/src/${encodeURIComponent("雁 #1.ts")}`;
let server: ReturnType<typeof spawn>;
let url = "";

beforeAll(async () => {
  mkdirSync(join(project, "src"), { recursive: true });
  writeFileSync(join(project, "src", "雁 #1.ts"), SOURCE);
  writeFileSync(join(project, "b.py"), "x = 1\n");
  server = spawn(process.execPath, [...command, "--http", "0"], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (server.stderr === null) throw new Error("no stderr");
  const [line] = (await once(createInterface(server.stderr), "line")) as [string];
  url = /http:\S+/.exec(line)?.[0] ?? "";
});

afterAll(async () => {
  const gone = once(server, "exit");
  if (server.kill()) await gone;
  home.remove();
});

/** The inspector's own command line as the client; it exits non-zero when anything is wrong. */
async function inspect(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inspector, "--cli", ...args, "--format", "json"],
    { cwd: home.work, env: environment },
  );
  return (JSON.parse(stdout) as { result: unknown }).result;
}

describe.each(["legacy", "modern"])("the inspector in the %s era", (era) => {
  test.each(["stdio", "http"])("reads everything over %s", async (transport) => {
    const target = transport === "stdio" ? [process.execPath, ...command] : [url, "--transport", "http"];
    const ask = (...args: string[]) => inspect(...target, "--protocol-era", era, ...args);
    const { tools } = (await ask("--method", "tools/list")) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    expect(await ask("--method", "resources/list")).toMatchObject({
      resources: STATISTICS.map((type) => ({ uri: `code://stats/${type}` })),
    });
    expect(await ask("--method", "resources/templates/list")).toMatchObject({
      resourceTemplates: expect.arrayContaining([
        expect.objectContaining({ uriTemplate: "code://file/{file_path}" }),
      ]),
    });
    expect(await ask("--method", "resources/read", "--uri", FILE)).toMatchObject({
      contents: [{ uri: FILE, mimeType: "text/x-typescript", text: SOURCE }],
    });
    expect(await ask("--method", "resources/read", "--uri", "code://stats/overview")).toMatchObject({
      contents: [{ mimeType: "application/json", text: expect.stringContaining('"total_lines": 4') }],
    });
    const search = ["--tool-name", "find_and_grep", "--tool-arg", "query=渡る"];
    expect(await ask("--method", "tools/call", ...search)).toMatchObject({
      structuredContent: { total_matches: 1, files: [{ file: "src/雁 #1.ts", uri: FILE }] },
    });
  });
});

describe("the client of SDK version 1", () => {
  test.each(["stdio", "http"])("reads everything over %s, and is told of changes", async (transport) => {
    const client = new Client({ name: "another-host", version: "1" });
    await client.connect(
      transport === "stdio"
        ? new StdioClientTransport({ command: process.execPath, args: command, env: environment })
        : new StreamableHTTPClientTransport(new URL(url)),
    );
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS);
      const { resources } = await client.listResources();
      for (const { uri } of resources) {
        const { contents } = await client.readResource({ uri });
        expect(JSON.parse((contents[0] as { text: string }).text)).toBeTypeOf("object");
      }
      expect(resources.map(({ uri }) => uri)).toEqual(STATISTICS.map((type) => `code://stats/${type}`));
      const { completion } = await client.complete({
        ref: { type: "ref/resource", uri: "code://file/{file_path}" },
        argument: { name: "file_path", value: "src/" },
      });
      expect(completion.values).toEqual(["src/雁 #1.ts"]);
      const { contents } = await client.readResource({ uri: FILE });
      expect(contents).toMatchObject([{ text: SOURCE }]);
      await expect(client.readResource({ uri: "code://file//etc/passwd" })).rejects.toThrow(
        "Path is outside the project",
      );
      const outline = await client.callTool({ name: "get_code_outline", arguments: { file: FILE } });
      expect(JSON.stringify(outline)).toContain("渡る");
      const told = new Promise<string>((resolve) =>
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri)),
      );
      await client.subscribeResource({ uri: "code://stats/overview" });
      writeFileSync(join(project, `new-${transport}.go`), "package a\n");
      expect(await told).toBe("code://stats/overview");
      const overview = await client.readResource({ uri: "code://stats/overview" });
      expect(overview.contents).toMatchObject([{ text: expect.stringContaining('"go"') }]);
    } finally {
      await client.close();
    }
  });
});
