import { describe, expect, test } from "vitest";
import type { Place } from "./hosts.ts";
import { type ImportFile, readHostFile } from "./read-host-file.ts";
import type { ServerReading } from "./server-entry.ts";

const PROJECT = "/home/komachi/poems";
const place: Place = { environment: {}, platform: "linux", home: "/home/komachi", folder: PROJECT };

const read = (text: string, file: Partial<ImportFile> = {}) =>
  Object.fromEntries(
    readHostFile(text, { path: "servers.json", scope: "user", ...file }, place).map(({ name, reading }) => [
      name,
      reading,
    ]),
  );
const usable = (
  entry: object,
  more: Partial<Extract<ServerReading, { type: "usable" }>> = {},
): ServerReading => ({ type: "usable", entry: entry as never, notes: [], secrets: {}, asks: [], ...more });
const refused = (reason: string): ServerReading => ({ type: "refused", reason });

describe("a file of any other kind", () => {
  test("the map alone, or without its braces, as READMEs show it", () => {
    const a = usable({ type: "stdio", cmd: "x" });
    expect(read('{"a": {"command": "x"}}')).toEqual({ a });
    expect(read('"mcpServers": {"a": {"command": "x"}}')).toEqual({ a });
    expect(read('{"mcp": {"a": {"command": ["x"]}}}')).toEqual({ a });
    expect(read("extensions: {a: {type: stdio, cmd: x}}", { path: "x.yaml" })).toEqual({ a });
  });

  test("what a server needs to authorize the person, in each host's words", () => {
    const oauth = (more: object) =>
      read(JSON.stringify({ mcpServers: { s: { url: "https://x.example", ...more } } }));
    expect(oauth({ auth: { CLIENT_ID: "me", CLIENT_SECRET: "canary", scopes: ["a"] } })).toEqual({
      s: usable(
        {
          type: "streamable_http",
          uri: "https://x.example",
          client_id: "me",
          client_secret_key: "S_CLIENT_SECRET",
          scopes: ["a"],
        },
        {
          notes: ["its client secret is kept as the secret S_CLIENT_SECRET, not in config.yaml"],
          secrets: { S_CLIENT_SECRET: "canary" },
        },
      ),
    });
    const opencode = { clientId: "me", clientSecret: "{env:MINE}", scope: "a b", callbackPort: 1 };
    expect(oauth({ oauth: opencode })).toMatchObject({
      s: {
        entry: { client_id: "me", client_secret_key: "MINE", scopes: ["a", "b"] },
        notes: ["not taken over of its authorization: callbackPort"],
        secrets: {},
      },
    });
  });

  test("serverUrl, and an address that ends in /sse", () => {
    const servers = { a: { serverUrl: "https://x/sse/?k=1" }, b: { url: "https://x/ssed" } };
    expect(read(JSON.stringify({ mcpServers: servers }))).toMatchObject({
      a: { entry: { type: "sse" } },
      b: { entry: { type: "streamable_http" } },
    });
  });

  test("without any servers it is said to have none", () => {
    expect(() => read('{"hello": 1}')).toThrow(/servers\.json: has no servers/);
    expect(() => read("[]")).toThrow(/has no servers/);
    expect(read('{"theme": "dark"}', { host: "gemini" })).toEqual({});
  });
});

describe("malformed servers cost themselves and no other", () => {
  test.each([
    ["no command", {}, "it has neither a command nor an address"],
    ["an empty command", { command: " " }, "its command is empty"],
    ["a number as a command", { command: 7 }, "its command is 7"],
    ["an object in the command", { command: ["a", {}] }, "its command is {}, not a text"],
    ["arguments that are no list", { command: "x", args: "a b" }, 'its args is "a b", not a list'],
    ["an argument that is an object", { command: "x", args: [{}] }, "its args is {}, not a text"],
    ["an environment that is a list", { command: "x", env: ["A=b"] }, 'its env is ["A=b"]'],
    ["a variable that is an object", { command: "x", env: { A: {} } }, "its env.A is {}, not a text"],
    ["a type that is a number", { type: 7 }, "its type is 7"],
    [
      "an address that is none",
      { url: "file:///etc/passwd" },
      'its url is "file:///etc/passwd", not an http address',
    ],
    ["a type without its address", { type: "http" }, "it has no address"],
    ["a text in the place of a server", "npx", "it has neither a command nor an address"],
    ["an open quote", { command: "npx 'a" }, "a ' is never closed in: npx 'a"],
  ])("%s", (_, entry, reason) => {
    const both = read(JSON.stringify({ mcpServers: { bad: entry, good: { command: "x" } } }));
    expect(both).toEqual({ bad: refused(reason), good: usable({ type: "stdio", cmd: "x" }) });
  });

  test("an empty value in the environment means: not set", () => {
    const both = read('{"mcpServers": {"a": {"command": "x", "env": {"A": null, "TOKEN": ""}}}}');
    expect(both).toMatchObject({ a: { entry: { envs: { TOKEN: "" } }, secrets: {} } });
  });

  test("P19: names with control characters or without an end are refused", () => {
    const names = ["a\u001b[31m", "\u202Eevil", "", "x".repeat(101)];
    const servers = Object.fromEntries(names.map((name) => [name, { command: "x" }]));
    for (const reading of Object.values(read(JSON.stringify({ mcpServers: servers }))))
      expect(reading.type).toBe("refused");
  });

  test("R11: __proto__ and constructor are only names", () => {
    const both = readHostFile(
      '{"mcpServers": {"__proto__": {"command": "x"}, "constructor": {"env": {"__proto__": "y"}, "command": "z"}}}',
      { path: "x", scope: "user" },
      place,
    );
    expect(both.map(({ name, reading }) => [name, reading.type])).toEqual([
      ["__proto__", "usable"],
      ["constructor", "usable"],
    ]);
    expect(({} as { command?: string }).command).toBeUndefined();
  });

  test("secrets in arguments and addresses are not moved, and that is said", () => {
    const servers = {
      a: { command: "npx", args: ["mcp-remote", "https://x", "--header", "Authorization: Bearer abc"] },
      b: { url: "https://x/mcp?api_key=abc" },
    };
    expect(read(JSON.stringify({ mcpServers: servers }))).toMatchObject({
      a: { notes: ["argument 4 looks like a secret and is written into config.yaml in clear"] },
      b: { notes: ["its address holds a secret, which is written into config.yaml in clear"] },
    });
  });

  test("broken files name their line", () => {
    expect(() => read('{\n"a": {\n', { path: "x.json" })).toThrow(/x\.json:3: is not valid JSON/);
    expect(() => read("extensions:\n  a: [\n", { path: "config.yaml", host: "goose" })).toThrow(
      /config\.yaml:[23]: is not valid YAML/,
    );
    expect(() => read("a: *x\n", { path: "config.yaml", host: "goose" })).toThrow(/config\.yaml/);
  });
});
