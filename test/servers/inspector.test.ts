import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshHome, MARK, root } from "../support/kari.ts";

const inspector = fileURLToPath(
  import.meta
    .resolve("@modelcontextprotocol/inspector/package.json")
    .replace("package.json", "clients/launcher/build/index.js"),
);
const launcher = join(root, "bin", "kari.js");
const demo = fileURLToPath(new URL("../support/demo-main.ts", import.meta.url));

/** The inspector's own command line as the client; it exits non-zero when anything is wrong. */
async function inspect(target: readonly string[], ...args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inspector, "--cli", ...target, "--format", "json", ...args],
    {
      cwd: home.work,
      env: { PATH: process.env["PATH"], HOME: home.path, XDG_RUNTIME_DIR: `${home.path}/${MARK}` },
    },
  );
  return (JSON.parse(stdout) as { result: unknown }).result;
}

const home = freshHome();
const stdio = [process.execPath, demo];
let server: ReturnType<typeof spawn>;
let url = "";

beforeAll(async () => {
  server = spawn(process.execPath, [demo, "--http"], { stdio: ["ignore", "ignore", "pipe"] });
  if (server.stderr === null) throw new Error("no stderr");
  const [line] = (await once(createInterface(server.stderr), "line")) as [string];
  url = line.replace("listening on ", "");
});

afterAll(async () => {
  server.kill();
  await once(server, "exit");
  home.remove();
});

describe.each(["legacy", "modern"])("the inspector in the %s era", (era) => {
  test.each(["stdio", "http"])("lists, calls, reads and gets over %s", async (transport) => {
    const target = transport === "stdio" ? stdio : [url, "--transport", "http"];
    const ask = (...args: string[]) => inspect(target, "--protocol-era", era, ...args);
    expect(await ask("--method", "tools/list")).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: "echo", title: "Echo" })]),
    });
    expect(await ask("--method", "tools/call", "--tool-name", "echo", "--tool-arg", "text=雁")).toMatchObject(
      {
        content: [{ type: "text", text: "雁" }],
      },
    );
    expect(await ask("--method", "resources/list")).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ uri: "demo://item/one" })]),
    });
    expect(await ask("--method", "resources/read", "--uri", "demo://item/one")).toMatchObject({
      contents: [{ uri: "demo://item/one", text: "item one" }],
    });
    const prompt = ["--prompt-name", "greet", "--prompt-args", "name=Kari"];
    expect(await ask("--method", "prompts/get", ...prompt)).toMatchObject({
      messages: [{ role: "user", content: { text: "Greet Kari" } }],
    });
  });
});

test("the inspector finds out the era by itself over HTTP", async () => {
  const target = [url, "--transport", "http", "--protocol-era", "auto"];
  expect(await inspect(target, "--method", "tools/call", "--tool-name", "count")).toMatchObject({
    structuredContent: { counted: 3 },
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "demo" } },
  });
});

test("the inspector lists and calls over HTTP+SSE", async () => {
  const target = [url.replace("/mcp", "/sse"), "--transport", "sse"];
  expect(await inspect(target, "--method", "tools/list")).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: "echo" })]),
  });
  expect(
    await inspect(target, "--method", "tools/call", "--tool-name", "echo", "--tool-arg", "text=a"),
  ).toMatchObject({
    content: [{ type: "text", text: "a" }],
  });
});

test.each(["legacy", "modern"])(
  "the inspector lists and calls `kari mcp developer` in the %s era",
  async (era) => {
    const ask = (...args: string[]) =>
      inspect([process.execPath, launcher, "mcp", "developer"], "--protocol-era", era, ...args);
    expect(await ask("--method", "tools/list")).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: "shell" })]),
    });
    const call = ["--tool-name", "shell", "--tool-arg", "command=echo 雁"];
    expect(await ask("--method", "tools/call", ...call)).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining("雁") })]),
    });
  },
);
