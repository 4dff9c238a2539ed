/** Start-up is a feature: what a command loads is asserted, not hoped for. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SYNTAXES } from "../../src/servers/code/languages/index.ts";
import { makeLexicons } from "../../src/servers/code/scan/lexicons.ts";
import { freshHome, type Home, root } from "../support/kari.ts";

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

/** Which files a command runs, and which of the built-in modules' sources: those whose code was reached. */
function loadedBy(args: readonly string[]): { readonly files: string[]; readonly inputs: string } {
  const folder = join(home.path, "coverage");
  const result = spawnSync(process.execPath, [join(root, "bin/kari.js"), ...args], {
    cwd: home.work,
    env: { PATH: process.env["PATH"], HOME: home.path, NODE_V8_COVERAGE: folder },
    input: "",
    encoding: "utf8",
  });
  expect(result.status).toBe(0);
  const ran = readdirSync(folder).flatMap((file) => ranBy(join(folder, file)));
  return {
    files: ran.map(({ url }) => url.replace(pathToFileURL(root).href, "")),
    inputs: ran.flatMap(({ modules }) => modules).join("\n"),
  };
}

/** In a built script each module is a function of the module's name, called when it is first imported. */
function ranBy(coverage: string): { readonly url: string; readonly modules: string[] }[] {
  const { result } = JSON.parse(readFileSync(coverage, "utf8")) as {
    result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
  };
  return result
    .filter(({ url }) => url.startsWith("file:"))
    .map(({ url, functions }) => ({
      url,
      modules: functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => functionName),
    }));
}

describe("what is loaded", () => {
  test("--version: the launcher and nothing else", () => {
    expect(loadedBy(["--version"]).files).toEqual(["bin/kari.js"]);
  });

  test("mcp developer: one server and its SDK; no agent, no provider, no client, no other server", () => {
    const { files, inputs } = loadedBy(["mcp", "developer"]);
    expect(files).toEqual(["bin/kari.js", "bin/load-script.js", "dist/mcp.cjs"]);
    expect(inputs).toContain("src/servers/developer/");
    expect(inputs).not.toMatch(/src\/(agent|providers|extensions|platform|policy|config|sessions)\//);
    expect(inputs).not.toMatch(/node_modules\/(@ai-sdk|@modelcontextprotocol\/client|yaml)\//);
    expect(inputs).not.toMatch(/src\/servers\/(?!kit|developer)/);
  });

  test("run with a script: no provider package and no MCP client before a tool is called", () => {
    const file = home.file("script.json", JSON.stringify({ turns: [{ text: "hi" }] }));
    const { inputs } = loadedBy([
      ...["run", "--no-profile", "--with-builtin", "developer", "--fake-model", file, "-t", "x"],
    ]);
    expect(inputs).toContain("src/agent/run.ts");
    expect(inputs).not.toMatch(/node_modules\/(@ai-sdk|@modelcontextprotocol|yaml)\//);
  });

  test("extensions list: neither an agent nor a provider, no MCP client, and YAML only where there is a file", () => {
    const { inputs } = loadedBy(["extensions", "list"]);
    expect(inputs).toContain("src/app/manage-extensions.ts");
    expect(inputs).not.toMatch(/src\/(agent|providers)\//);
    expect(inputs).not.toMatch(/node_modules\/(@ai-sdk|@modelcontextprotocol|yaml|zod)\//);
  });

  test("no file of the build holds both an agent and a server", () => {
    const meta = JSON.parse(readFileSync(join(root, "dist", "inputs.json"), "utf8")) as Record<
      string,
      string[]
    >;
    expect(Object.keys(meta)).toEqual(expect.arrayContaining(["cli.cjs", "mcp.cjs", "index.js"]));
    expect(readdirSync(join(root, "dist"))).toEqual(expect.arrayContaining(Object.keys(meta)));
    for (const inputs of Object.values(meta)) {
      const text = inputs.join("\n");
      expect(/src\/agent\//.test(text) && /src\/servers\/(?!kit)/.test(text)).toBe(false);
    }
  });
});

test("what is known of builtins from the build does not depend on where it was built", () => {
  const catalog = readFileSync(join(root, "dist", "builtin-catalog.json"), "utf8");
  expect(catalog).toContain("developer");
  expect(catalog).not.toMatch(/kari-catalog-/);
  expect(catalog).not.toContain(root);
});

test.each(["cli.cjs", "mcp.cjs", "code-scan-worker.cjs"])(
  "%s does not depend on where it was built",
  (name) => {
    expect(readFileSync(join(root, "dist", name), "latin1")).not.toContain(root);
  },
);

test("the lexicons of the build are those of the languages that the sources describe", () => {
  const built = readFileSync(join(root, "dist", "code-lexicons.bin"));
  expect(built.equals(makeLexicons(SYNTAXES).bytes)).toBe(true);
});
