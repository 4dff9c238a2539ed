import { describe, expect, test } from "vitest";
import { hostFiles, hostOfPath, type Place } from "./hosts.ts";

const at = (platform: NodeJS.Platform, home: string, folder: string, environment = {}): Place => ({
  platform,
  home,
  folder,
  environment,
});
const users = (place: Place, host: string) =>
  hostFiles(place)
    .filter((file) => file.host === host && file.scope === "user")
    .map(({ path }) => path);

describe("where the hosts keep their files", () => {
  test("on a Mac", () => {
    const mac = at("darwin", "/Users/a", "/p");
    expect(users(mac, "claude-desktop")).toEqual([
      "/Users/a/Library/Application Support/Claude/claude_desktop_config.json",
    ]);
    expect(users(mac, "vscode")[0]).toBe("/Users/a/Library/Application Support/Code/User/mcp.json");
    expect(users(mac, "goose")).toEqual(["/Users/a/.config/goose/config.yaml"]);
  });

  test("on Windows", () => {
    const windows = at("win32", "C:\\Users\\a", "D:\\p", { APPDATA: "C:\\Users\\a\\AppData\\Roaming" });
    expect(users(windows, "claude-desktop")).toEqual([
      "C:\\Users\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
    ]);
    expect(users(windows, "goose")).toEqual([
      "C:\\Users\\a\\AppData\\Roaming\\Block\\goose\\config\\config.yaml",
    ]);
    expect(users(windows, "cursor")).toEqual(["C:\\Users\\a\\.cursor\\mcp.json"]);
  });

  test("on Linux, and where the environment says otherwise", () => {
    const linux = at("linux", "/home/a", "/p", { XDG_CONFIG_HOME: "/x", CLAUDE_CONFIG_DIR: "/c" });
    expect(users(linux, "claude-code")).toEqual(["/c/.claude.json"]);
    expect(users(linux, "opencode")).toEqual(["/x/opencode/opencode.json", "/x/opencode/opencode.jsonc"]);
    expect(users(linux, "gemini")).toEqual(["/home/a/.gemini/settings.json"]);
  });

  test("files of a project are marked as such, with the folder they speak of", () => {
    const project = hostFiles(at("linux", "/home/a", "/p")).filter(({ scope }) => scope === "project");
    expect(project.map(({ path }) => path)).toEqual([
      "/p/.mcp.json",
      "/p/.vscode/mcp.json",
      "/p/.cursor/mcp.json",
      "/p/.gemini/settings.json",
      "/p/opencode.json",
      "/p/opencode.jsonc",
      "/p/.opencode/opencode.json",
      "/p/.opencode/opencode.jsonc",
    ]);
    expect(project.every((file) => file.project === "/p")).toBe(true);
  });
});

describe("a file that is named", () => {
  const place = at("linux", "/home/a", "/p");
  test.each([
    [".mcp.json", { host: "claude-code", scope: "project", project: "/p" }],
    ["/elsewhere/.vscode/mcp.json", { host: "vscode", scope: "project", project: "/elsewhere" }],
    ["sub/.cursor/mcp.json", { host: "cursor", scope: "project", project: "/p/sub" }],
    ["/home/a/.cursor/mcp.json", { host: "cursor", scope: "user" }],
    ["/backup/claude_desktop_config.json", { host: "claude-desktop", scope: "user" }],
    ["/backup/.claude.json", { host: "claude-code", scope: "user" }],
  ])("%s", (path, expected) => {
    expect(hostOfPath(path, place)).toMatchObject(expected);
  });

  test("may be of nobody we know", () => {
    expect(hostOfPath("servers.json", place)).toBeUndefined();
  });
});
