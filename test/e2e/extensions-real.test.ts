/** Servers that others wrote, and ours of the modern era, as real processes: each is listed and called, in its era. */
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ExtensionConfig } from "../../src/extensions/index.ts";
import { root } from "../support/kari.ts";
import { call, never, openManager, textOf } from "../support/open-manager.ts";

let folder: string;
const children: ReturnType<typeof spawn>[] = [];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "kari-real-")));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const server = (name: string) => `${root}node_modules/@modelcontextprotocol/${name}/dist/index.js`;
const stdio = (args: readonly string[], env: Record<string, string> = {}): ExtensionConfig => ({
  type: "stdio",
  key: "real",
  command: process.execPath,
  args,
  env,
});

/** Starts a server that listens, and resolves when it says so. */
async function listening(
  args: readonly string[],
  env: Record<string, string>,
  sign: RegExp,
): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  children.push(child);
  return await new Promise((resolve, reject) => {
    let said = "";
    const look = (chunk: Buffer) => {
      said += chunk.toString();
      if (sign.test(said)) resolve(said);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) => reject(new Error(`it exited with ${code}: ${said}`)));
  });
}

async function freePort(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return String(typeof address === "object" ? address?.port : 0);
}

async function everythingOverHttp(mode: "sse" | "streamableHttp"): Promise<string> {
  const PORT = await freePort();
  await listening([server("server-everything"), mode], { PORT }, /port|listening|running/i);
  return `http://127.0.0.1:${PORT}`;
}

describe("server-everything", () => {
  const EXPECTED = ["echo", "get-sum", "get-tiny-image", "get-annotated-message", "get-resource-links"];

  test("on stdio: 13 tools and more for a client that can be asked; text, pictures, links, resources, prompts", async () => {
    const extension = openManager().add(stdio([server("server-everything"), "stdio"]));
    const { tools } = await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "legacy" });
    expect(tools.length).toBeGreaterThanOrEqual(13);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(EXPECTED));
    expect(textOf(await call(extension, "echo", { message: "雁が音" }))).toBe("Echo: 雁が音");
    expect(textOf(await call(extension, "get-sum", { a: 2, b: 40 }))).toContain("42");
    expect((await call(extension, "get-tiny-image")).content.map(({ type }) => type)).toContain("image");
    expect(
      (await call(extension, "get-resource-links", { count: 3 })).content.map(({ type }) => type),
    ).toContain("resource-link");
    const resources = await extension.listResources(never());
    expect(resources.length).toBeGreaterThan(0);
    expect(await extension.readResource(resources[0]?.uri ?? "", never())).not.toEqual([]);
    expect((await extension.listResourceTemplates(never())).length).toBeGreaterThan(0);
    const prompts = await extension.listPrompts(never());
    expect(prompts.length).toBeGreaterThan(0);
    const simple = prompts.find((prompt) => prompt.arguments.length === 0);
    expect((await extension.getPrompt(simple?.name ?? "", {}, never())).messages).not.toEqual([]);
  });

  test("on stdio: it asks the person and the model in the middle of a call, and gets its roots", async () => {
    const extension = openManager().add(stdio([server("server-everything"), "stdio"]));
    const { tools } = await extension.start();
    const requests = {
      elicit: async () => ({ type: "decline", reason: "a test has no person" }) as const,
      sample: async () => ({ type: "answered", text: "四", model: "test", stopReason: "endTurn" }) as const,
    };
    const ask = async (pattern: RegExp, args = {}) => {
      // Some tools appear only after the server has seen what we can do.
      await expect.poll(() => extension.listing?.tools.some(({ name }) => pattern.test(name))).toBe(true);
      const name = extension.listing?.tools.find((tool) => pattern.test(tool.name))?.name ?? "";
      return textOf(await extension.callTool(name, args, { ...never(), requests }));
    };
    expect(tools.length).toBeGreaterThan(0);
    expect(await ask(/^trigger-sampling-request$/, { prompt: "2+2?", maxTokens: 10 })).toContain("四");
    expect(await ask(/^trigger-elicitation-request$/)).toMatch(/decline/i);
    expect(await ask(/^get-roots-list$/)).toContain("file://");
  });

  test.each([
    ["sse", "/sse", "sse"],
    ["streamableHttp", "/mcp", "streamable_http"],
  ] as const)("over %s", async (mode, path, type) => {
    const url = `${await everythingOverHttp(mode)}${path}`;
    const extension = openManager().add({ type, key: "real", url, headers: {} });
    const { tools } = await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "legacy", transport: type });
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(EXPECTED));
    expect(textOf(await call(extension, "echo", { message: "雁" }))).toBe("Echo: 雁");
    expect((await extension.listResources(never())).length).toBeGreaterThan(0);
  });
});

describe("other servers", () => {
  test("server-filesystem: 14 tools, reads a Japanese name, refuses what lies outside", async () => {
    writeFileSync(join(folder, "和歌.txt"), "秋の田の");
    const extension = openManager().add(stdio([server("server-filesystem"), folder]));
    const { tools } = await extension.start();
    expect([tools.length, extension.state]).toMatchObject([14, { era: "legacy" }]);
    expect(textOf(await call(extension, "list_directory", { path: folder }))).toContain("和歌.txt");
    expect(textOf(await call(extension, "read_text_file", { path: join(folder, "和歌.txt") }))).toContain(
      "秋の田の",
    );
    expect(await call(extension, "read_text_file", { path: "/etc/passwd" })).toMatchObject({ isError: true });
  });

  test("server-memory: 9 tools, what is written is read back", async () => {
    const extension = openManager().add(
      stdio([server("server-memory")], { MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
    );
    const { tools } = await extension.start();
    expect([tools.length, extension.state]).toMatchObject([9, { era: "legacy" }]);
    const entities = [{ name: "雁", entityType: "鳥", observations: ["秋に来る"] }];
    await call(extension, "create_entities", { entities });
    expect(textOf(await call(extension, "read_graph"))).toContain("秋に来る");
  });

  test("sequential-thinking: one tool, one thought", async () => {
    const extension = openManager().add(stdio([server("server-sequential-thinking")]));
    const { tools } = await extension.start();
    expect([tools.length, extension.state]).toMatchObject([1, { era: "legacy" }]);
    const thought = { thought: "first", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect(textOf(await call(extension, tools[0]?.name ?? "", thought))).toContain('"thoughtNumber": 1');
  });
});

describe("ours, of the modern era", () => {
  const DEMO = `${root}test/support/demo-main.ts`;

  test("on stdio", async () => {
    const extension = openManager().add(stdio([DEMO]));
    await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "modern" });
    expect(textOf(await call(extension, "echo", { text: "雁" }))).toBe("雁");
    expect((await extension.listResources(never())).map(({ name }) => name)).toEqual([
      "one",
      "two",
      "three",
      "四",
      "five",
    ]);
    // The kit keeps what libraries print off the wire.
    expect(extension.strayLines?.().count).toBe(0);
  });

  test("over HTTP, with a tool that asks twice", async () => {
    const said = await listening([DEMO, "--http"], {}, /listening on \S+\n/);
    const url = /listening on (\S+)/.exec(said)?.[1] ?? "";
    const extension = openManager().add({ type: "streamable_http", key: "real", url, headers: {} });
    await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "modern", transport: "streamable_http" });
    const messages: string[] = [];
    const result = await extension.callTool(
      "order",
      { table: 7 },
      {
        ...never(),
        requests: {
          elicit: async ({ message }) => {
            messages.push(message);
            return { type: "accept", content: messages.length === 1 ? { dish: "蕎麦" } : {} };
          },
          sample: async () => ({ type: "decline", reason: "no" }),
        },
      },
    );
    expect([messages, textOf(result)]).toEqual([["Which dish?", "蕎麦?"], "蕎麦 for table 7"]);
  });

  test("the oldest kind, HTTP+SSE, from the same server", async () => {
    const said = await listening([DEMO, "--http"], {}, /listening on \S+\n/);
    const url = (/listening on (\S+)/.exec(said)?.[1] ?? "").replace(/\/mcp$/, "/sse");
    const extension = openManager().add({ type: "sse", key: "real", url, headers: {} });
    await extension.start();
    expect(extension.state).toMatchObject({ type: "ready", era: "legacy", transport: "sse" });
    expect(textOf(await call(extension, "echo", { text: "雁" }))).toBe("雁");
  });
});
