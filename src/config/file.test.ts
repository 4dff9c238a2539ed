import { describe, expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { checkConfig, parseConfig } from "./file.ts";

const broken = (text: string): ConfigError => {
  try {
    parseConfig(text, "config.yaml");
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("the configuration file", () => {
  test("context_budget is a whole number of tokens, from none on", () => {
    expect(parseConfig("context_budget: 0\n", "f")).toMatchObject({ contextBudget: 0 });
    expect(parseConfig("context_budget: 2000\n", "f")).toMatchObject({ contextBudget: 2000 });
    expect(() => parseConfig("context_budget: -1\n", "f")).toThrow(/context_budget/);
  });

  test("an empty file is no settings", () => {
    expect(parseConfig("", "config.yaml")).toEqual({ extensions: [] });
    expect(parseConfig("# only a comment\n", "config.yaml")).toEqual({ extensions: [] });
  });

  test("every kind of extension is read with goose's keys", () => {
    const settings = parseConfig(
      `
provider: anthropic
model: m
extensions:
  developer: { type: builtin, enabled: false, timeout: 60, bundled: true }
  files: { type: stdio, cmd: npx, args: [-y, server, 8080], envs: { A: 1 }, env_keys: [TOKEN], cwd: /tmp, available_tools: [read] }
  old: { type: sse, uri: "http://localhost:1/sse" }
  new: { type: streamable_http, uri: "http://localhost:1/mcp", headers: { Authorization: Bearer x } }
`,
      "config.yaml",
    );
    expect(settings).toEqual({
      provider: "anthropic",
      model: "m",
      extensions: [
        { type: "builtin", name: "developer", builtin: "developer", enabled: false, timeoutSeconds: 60 },
        {
          type: "stdio",
          name: "files",
          enabled: true,
          command: "npx",
          args: ["-y", "server", "8080"],
          env: { A: "1" },
          envKeys: ["TOKEN"],
          cwd: "/tmp",
          availableTools: ["read"],
        },
        { type: "sse", name: "old", enabled: true, url: "http://localhost:1/sse", headers: {} },
        {
          type: "streamable_http",
          name: "new",
          enabled: true,
          url: "http://localhost:1/mcp",
          headers: { Authorization: "Bearer x" },
        },
      ],
    });
  });

  test("a file that is not YAML is an error with file and line", () => {
    const error = broken("provider: a\nextensions: [\n");
    expect(error.message).toMatch(/^config\.yaml:[23]: not valid YAML/);
  });

  test("a wrong value is an error with file, line and key", () => {
    const error = broken("provider: a\nextensions:\n  x:\n    type: stdio\n    cmd: 7\n");
    expect([error.line, error.key]).toEqual([5, "extensions.x.cmd"]);
  });

  test("an unknown key is an error that names it", () => {
    const error = broken("provider: a\nextensions:\n  x:\n    type: builtin\n    enabeld: true\n");
    expect([error.line, error.key]).toEqual([5, "extensions.x.enabeld"]);
  });

  test("everything that is wrong is found at once", () => {
    const { settings, errors } = checkConfig(
      "modle: x\nmax_turns: 0\nextensions:\n  a: {type: x}\n",
      "c.yaml",
    );
    expect(settings).toBeUndefined();
    expect(errors.map(({ key, line }) => [key, line])).toEqual([
      ["max_turns", 2],
      ["extensions.a.type", 4],
      ["modle", 1],
    ]);
  });

  test("when to search among tools can be set, and a wrong key in it is named", () => {
    const text = "tool_search:\n  max_tools: 40\n  always: [github]\n";
    expect(parseConfig(text, "c.yaml")).toEqual({
      toolSearch: { maxTools: 40, always: ["github"] },
      extensions: [],
    });
    const error = broken("tool_search:\n  enabled: true\n  max_toolz: 40\n");
    expect([error.line, error.key]).toEqual([3, "tool_search.max_toolz"]);
  });

  test("extensions with nothing in it are none", () => {
    expect(parseConfig("extensions:\n  # a: { type: builtin }\n", "c.yaml")).toEqual({ extensions: [] });
  });

  test("an address is http or https, or has a variable that is filled in later", () => {
    const uri = (value: string) => `extensions:\n  a: { type: sse, uri: "${value}" }\n`;
    expect(broken(uri("file:///etc/passwd")).key).toBe("extensions.a.uri");
    expect(broken(uri("localhost:1")).message).toMatch(/must be an address such as/);
    expect(parseConfig(uri("http://localhost:${PORT:-80}/sse"), "c.yaml").extensions).toHaveLength(1);
  });

  test("an unknown kind of extension is an error", () => {
    expect(broken("extensions:\n  x:\n    type: carrier-pigeon\n").key).toBe("extensions.x.type");
  });
});

describe("extensions", () => {
  test("limits, turns and OAuth are read in the person's units", () => {
    const text = [
      "extensions:",
      "  a: { type: stdio, cmd: x, limits: { memory: 2GB, cpu: 60, open_files: 64, processes: 8 }, max_concurrency: 2 }",
      "  b: { type: streamable_http, uri: 'https://x.example/mcp', client_id: me, client_secret_key: MY_SECRET, scopes: [read] }",
    ].join("\n");
    expect(parseConfig(text, "c.yaml").extensions).toMatchObject([
      {
        limits: { memoryMegabytes: 2048, cpuSeconds: 60, openFiles: 64, processes: 8 },
        maxConcurrency: 2,
      },
      { oauth: { clientId: "me", clientSecretKey: "MY_SECRET", scopes: ["read"] } },
    ]);
  });

  test("a limit that is none is an error with its key", () => {
    const text = "extensions:\n  a: { type: stdio, cmd: x, limits: { memory: lots } }";
    expect(() => parseConfig(text, "c.yaml")).toThrow(/extensions\.a\.limits\.memory/);
  });
});
