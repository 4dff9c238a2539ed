/** Start-up is a feature: what a command loads is asserted, not hoped for. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
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

/** Runs the executable with a loader hook that writes down every module it loads. */
function loadedBy(args: readonly string[]): string[] {
  const log = join(home.path, "loaded.txt");
  const hook = join(home.path, "hook.mjs");
  const code = `import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(log)}, url + "\\n"); return next(url, context); } });`;
  home.file("../hook.mjs", code);
  const result = spawnSync(
    process.execPath,
    ["--import", pathToFileURL(hook).href, join(root, "bin/kari.js"), ...args],
    {
      cwd: home.work,
      env: { PATH: process.env["PATH"], HOME: home.path },
      input: "",
      encoding: "utf8",
    },
  );
  expect(result.status).toBe(0);
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

/** Which bundled packages and rooms a set of built modules holds, read from the build's own map of inputs. */
function inputsOf(urls: readonly string[]): string {
  const meta = JSON.parse(readFileSync(join(root, "dist", "inputs.json"), "utf8")) as Record<
    string,
    string[]
  >;
  return urls.flatMap((url) => meta[url.split("/dist/")[1] ?? ""] ?? []).join("\n");
}

describe("what is loaded", () => {
  test("--version: the launcher and nothing else", () => {
    const loaded = loadedBy(["--version"]).filter((url) => !url.startsWith("node:"));
    expect(loaded.map((url) => url.replace(pathToFileURL(root).href, ""))).toEqual(["bin/kari.js"]);
  });

  test("mcp developer: one server and its SDK; no agent, no provider, no client, no other server", () => {
    const loaded = loadedBy(["mcp", "developer"]);
    const inputs = inputsOf(loaded);
    expect(inputs).toContain("src/servers/developer/");
    expect(inputs).not.toMatch(/src\/(agent|providers|extensions|platform|policy|config|sessions)\//);
    expect(inputs).not.toMatch(/node_modules\/(@ai-sdk|@modelcontextprotocol\/client|yaml)\//);
    expect(inputs).not.toMatch(/src\/servers\/(?!kit|developer)/);
  });

  test("run with a script: no provider package and no MCP client before a tool is called", () => {
    const file = home.file("script.json", JSON.stringify({ turns: [{ text: "hi" }] }));
    const inputs = inputsOf(
      loadedBy(["run", "--no-profile", "--with-builtin", "developer", "--fake-model", file, "-t", "x"]),
    );
    expect(inputs).toContain("src/agent/run.ts");
    expect(inputs).not.toMatch(/node_modules\/(@ai-sdk|@modelcontextprotocol|yaml)\//);
  });

  test("extensions list: neither an agent nor a provider, no MCP client, and YAML only where there is a file", () => {
    const inputs = inputsOf(loadedBy(["extensions", "list"]));
    expect(inputs).toContain("src/app/manage-extensions.ts");
    expect(inputs).not.toMatch(/src\/(agent|providers)\//);
    expect(inputs).not.toMatch(/node_modules\/(@ai-sdk|@modelcontextprotocol|yaml|zod)\//);
  });

  test("the build is split: no module of it holds both an agent and a server", () => {
    const meta = JSON.parse(readFileSync(join(root, "dist", "inputs.json"), "utf8")) as Record<
      string,
      string[]
    >;
    expect(Object.keys(meta).length).toBeGreaterThan(10);
    expect(readdirSync(join(root, "dist"))).toEqual(expect.arrayContaining(Object.keys(meta)));
    for (const inputs of Object.values(meta)) {
      const text = inputs.join("\n");
      expect(/src\/agent\//.test(text) && /src\/servers\//.test(text)).toBe(false);
    }
  });
});

test("what is known of builtins from the build does not depend on where it was built", () => {
  const catalog = readFileSync(join(root, "dist", "builtin-catalog.json"), "utf8");
  expect(catalog).toContain("developer");
  expect(catalog).not.toMatch(/kari-catalog-/);
  expect(catalog).not.toContain(root);
});

test("the lexicons of the build are those of the languages that the sources describe", () => {
  const built = readFileSync(join(root, "dist", "code-lexicons.bin"));
  expect(built.equals(makeLexicons(SYNTAXES).bytes)).toBe(true);
});
