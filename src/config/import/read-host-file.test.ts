import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { HostId, Place } from "./hosts.ts";
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
const fixture = (name: string, host: HostId, scope: "user" | "project" = "user") =>
  read(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8"), {
    path: name,
    host,
    scope,
    ...(scope === "project" && { project: PROJECT }),
  });
const usable = (
  entry: object,
  more: Partial<Extract<ServerReading, { type: "usable" }>> = {},
): ServerReading => ({ type: "usable", entry: entry as never, notes: [], secrets: {}, asks: [], ...more });
const refused = (reason: string): ServerReading => ({ type: "refused", reason });

describe("the files of the seven hosts", () => {
  test("Claude Desktop: literal secrets are taken out, paths with spaces stay whole", () => {
    expect(fixture("claude_desktop_config.json", "claude-desktop")).toEqual({
      filesystem: usable({
        type: "stdio",
        cmd: "npx",
        args: [
          "-y",
          "@modelcontextprotocol/server-filesystem",
          "/Users/ariwara/Documents",
          "/Users/ariwara/和歌",
        ],
      }),
      github: usable(
        {
          type: "stdio",
          cmd: "docker",
          args: [
            "run",
            "-i",
            "--rm",
            "-e",
            "GITHUB_PERSONAL_ACCESS_TOKEN",
            "ghcr.io/github/github-mcp-server",
          ],
          env_keys: ["GITHUB_PERSONAL_ACCESS_TOKEN"],
        },
        {
          secrets: { GITHUB_PERSONAL_ACCESS_TOKEN: "ghp_0123456789abcdef0123456789abcdef0123" },
          notes: [
            "the value of GITHUB_PERSONAL_ACCESS_TOKEN is kept as the secret GITHUB_PERSONAL_ACCESS_TOKEN, not in config.yaml",
          ],
        },
      ),
      weather: usable(
        {
          type: "stdio",
          cmd: "/Applications/Weather Station.app/Contents/MacOS/server",
          envs: { UNITS: "metric", DEBUG: "1" },
          env_keys: ["STATION"],
        },
        { notes: ["${STATION} is filled in by Kari; the program it comes from leaves it as it is"] },
      ),
    });
  });

  test("Claude Code: the person's servers and those of this project, and no other project's", () => {
    expect(fixture("claude.json", "claude-code")).toEqual({
      poems: usable({ type: "stdio", cmd: "./serve.sh", args: ["--stdio"], cwd: PROJECT }),
      sentry: usable({ type: "streamable_http", uri: "https://mcp.sentry.dev/mcp" }),
      asana: usable({ type: "sse", uri: "https://mcp.asana.com/sse" }),
      internal: usable({
        type: "streamable_http",
        uri: "${API_BASE_URL:-https://api.example.com}/mcp",
        headers: { Authorization: "Bearer ${API_KEY}", "X-Team": "waka" },
      }),
      airtable: usable({
        type: "stdio",
        cmd: "npx",
        args: ["-y", "airtable-mcp-server"],
        env_keys: ["AIRTABLE_API_KEY"],
      }),
      socket: refused('its type is "ws"; Kari knows stdio, http and sse'),
    });
  });

  test("Claude Code in a project: the same command in the same folder", () => {
    expect(fixture("mcp.jsonc", "claude-code", "project")).toEqual({
      db: usable({
        type: "stdio",
        cmd: `${PROJECT}/tools/db-server`,
        args: ["--schema", "./schema.sql"],
        envs: { DB_URL: "${DB_URL:-postgres://localhost/dev}" },
        cwd: PROJECT,
      }),
      search: usable({ type: "sse", uri: "http://localhost:7700/sse" }),
    });
  });

  test("VS Code: inputs are asked for, the editor's own variables are refused", () => {
    expect(fixture("vscode-mcp.jsonc", "vscode", "project")).toEqual({
      perplexity: usable(
        {
          type: "stdio",
          cmd: "npx",
          args: ["-y", "server-perplexity-ask", "--region", "${REGION:-ap-northeast-1}"],
          envs: { PERPLEXITY_API_KEY: "${PERPLEXITY_KEY}", HOME_DIR: "/home/komachi/x" },
          cwd: PROJECT,
        },
        {
          notes: ["not taken over: envFile"],
          asks: [{ name: "PERPLEXITY_KEY", description: "Perplexity API Key" }],
        },
      ),
      playwright: usable({
        type: "stdio",
        cmd: "npx",
        args: ["-y", "@playwright/mcp@latest", "--output-dir", `${PROJECT}/out`],
        cwd: PROJECT,
      }),
      remote: usable({
        type: "streamable_http",
        uri: "https://api.example.com/mcp",
        headers: { Authorization: "Bearer ${REMOTE_TOKEN}" },
      }),
      picker: refused("it uses ${command:pickProcess}, which Kari does not know; add it by hand"),
      off: usable({ type: "stdio", cmd: "node", args: ["off.js"], cwd: PROJECT, enabled: false }),
    });
  });

  test("VS Code: the old place in settings.json", () => {
    const old = read('{"editor.tabSize": 2, "mcp": {"servers": {"a": {"command": "x"}}}}', {
      host: "vscode",
    });
    expect(old).toEqual({ a: usable({ type: "stdio", cmd: "x" }) });
  });

  test("Cursor: ${env:…} and folders in a project, and the person's own file", () => {
    expect(fixture("cursor-mcp.json", "cursor", "project")).toEqual({
      local: usable(
        {
          type: "stdio",
          cmd: "python",
          args: [`${PROJECT}/mcp-server.py`, "poems", "a/b"],
          envs: { API_KEY: "${MY_API_KEY}", LITERAL_TOKEN: "${LOCAL_LITERAL_TOKEN}" },
          cwd: PROJECT,
        },
        {
          notes: [
            "not taken over: envFile",
            "the value of LITERAL_TOKEN is kept as the secret LOCAL_LITERAL_TOKEN, not in config.yaml",
          ],
          secrets: { LOCAL_LITERAL_TOKEN: "abc123" },
        },
      ),
      oauth: usable(
        {
          type: "streamable_http",
          uri: "https://api.example.com/mcp",
          headers: { "X-Api-Key": "${OAUTH_X_API_KEY}" },
          scopes: ["read"],
        },
        {
          notes: [
            "its client id is ${CLIENT_ID}: write it into client_id by hand",
            "the value of X-Api-Key is kept as the secret OAUTH_X_API_KEY, not in config.yaml",
          ],
          secrets: { OAUTH_X_API_KEY: "literal-key" },
        },
      ),
      oneline: usable(
        { type: "stdio", cmd: "npx", args: ["-y", "a server", "--flag"], cwd: PROJECT },
        { notes: [`"npx -y 'a server' --flag" is read as a command with its arguments`] },
      ),
    });
    expect(fixture("cursor-mcp.json", "cursor")["local"]).toEqual(
      refused("it uses ${workspaceFolderBasename}, which Kari does not know; add it by hand"),
    );
  });

  test("Gemini CLI: $NAME, milliseconds, url is SSE, excluded servers are off", () => {
    expect(fixture("gemini-settings.json", "gemini", "project")).toEqual({
      pythonTools: usable(
        {
          type: "stdio",
          cmd: "python",
          args: ["-m", "my_mcp_server", "--port", "8080"],
          envs: { DATABASE_URL: "${DB_CONNECTION_STRING}", API_KEY: "${EXTERNAL_API_KEY}" },
          cwd: `${PROJECT}/mcp-servers/python`,
          timeout: 15,
          available_tools: ["safe_tool", "file_reader"],
        },
        { notes: ["not taken over: trust, excludeTools"] },
      ),
      events: usable({ type: "sse", uri: "http://localhost:3000/events", timeout: 1 }),
      docs: usable({
        type: "streamable_http",
        uri: "http://localhost:3000/mcp",
        headers: { Authorization: "Bearer ${DOCS_TOKEN}" },
      }),
      experimental: usable({ type: "stdio", cmd: "x", cwd: PROJECT, enabled: false }),
    });
  });

  test("opencode: the command as a list, {env:…}, and its second shape", () => {
    expect(fixture("opencode.jsonc", "opencode")).toEqual({
      everything: usable({
        type: "stdio",
        cmd: "npx",
        args: ["-y", "@modelcontextprotocol/server-everything"],
        envs: { MY_ENV_VAR: "value", KEY: "${SERVICE_KEY}" },
        timeout: 5,
      }),
      jira: usable({
        type: "streamable_http",
        uri: "https://jira.example.com/sse",
        headers: { Authorization: "Bearer ${JIRA_TOKEN}" },
        enabled: false,
      }),
      filed: refused("it uses {file:~/.secrets/x}, which Kari does not know; add it by hand"),
      override: refused("it has neither a command nor an address"),
    });
    expect(fixture("opencode-v2.json", "opencode")).toEqual({
      one: usable({ type: "stdio", cmd: "node", args: ["one.js"], cwd: "/srv", enabled: false, timeout: 90 }),
    });
  });

  test("goose: seconds, env_keys, builtins; its platform extensions are refused", () => {
    expect(fixture("goose-config.yaml", "goose")).toEqual({
      developer: usable({ type: "builtin", timeout: 300 }),
      tutorial: usable({ type: "builtin", enabled: false }),
      todo: refused('its type is "platform"; Kari knows stdio, http and sse'),
      github: usable({
        type: "stdio",
        cmd: "npx",
        args: ["-y", "@modelcontextprotocol/server-github"],
        env_keys: ["GITHUB_PERSONAL_ACCESS_TOKEN"],
        description: "GitHub's own",
        timeout: 60,
      }),
      docs: usable({
        type: "streamable_http",
        uri: "https://docs.example.com/mcp",
        headers: { "X-Key": "${DOCS_KEY}" },
        enabled: false,
        timeout: 300,
      }),
    });
  });
});
