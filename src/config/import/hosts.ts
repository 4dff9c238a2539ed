/**
 * The programs whose extensions can be taken over, as data: where each keeps its file on each system, and how its
 * dialect differs. Pure: whether a file is there is looked up by whoever reads it.
 */
import { posix, win32 } from "node:path";
import type { Environment } from "../paths.ts";

export const HOST_IDS = [
  "claude-desktop",
  "claude-code",
  "vscode",
  "cursor",
  "gemini",
  "opencode",
  "goose",
] as const;
export type HostId = (typeof HOST_IDS)[number];

export interface Dialect {
  /** Whether `$NAME` without braces is a variable. */
  readonly bareDollar: boolean;
  /** Whether the host fills in variables at all. */
  readonly variables: boolean;
  /** What `url` without a type means. */
  readonly url: "sse" | "streamable_http" | "by-path";
  readonly timeout: "milliseconds" | "seconds";
}

const PLAIN: Dialect = { bareDollar: false, variables: true, url: "by-path", timeout: "milliseconds" };

export const HOSTS: Readonly<Record<HostId, { readonly label: string; readonly dialect: Dialect }>> = {
  "claude-desktop": { label: "Claude Desktop", dialect: { ...PLAIN, variables: false } },
  "claude-code": { label: "Claude Code", dialect: PLAIN },
  vscode: { label: "VS Code", dialect: PLAIN },
  cursor: { label: "Cursor", dialect: PLAIN },
  gemini: { label: "Gemini CLI", dialect: { ...PLAIN, bareDollar: true, url: "sse" } },
  opencode: { label: "opencode", dialect: { ...PLAIN, url: "streamable_http" } },
  goose: { label: "goose", dialect: { ...PLAIN, timeout: "seconds" } },
};

export interface HostFile {
  readonly host: HostId;
  readonly path: string;
  /** A file in a project may have been written by somebody else: it is never imported unasked. */
  readonly scope: "user" | "project";
  /** The folder that `${workspaceFolder}` and relative paths mean; only for scope `project`. */
  readonly project?: string;
}

export interface Place {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Where project files are looked for. */
  readonly folder: string;
}

/** Every place where one of the hosts may keep its file, whether it is there or not. */
export function hostFiles(place: Place): readonly HostFile[] {
  const { join } = place.platform === "win32" ? win32 : posix;
  return HOST_IDS.flatMap((host): HostFile[] => [
    ...userFiles(host, place).map((path) => ({ host, path, scope: "user" as const })),
    ...PROJECT_FILES[host].map((parts) => ({
      host,
      path: join(place.folder, ...parts),
      scope: "project" as const,
      project: place.folder,
    })),
  ]);
}

/** What a file that was named is most likely of; undefined when nothing about its name tells. */
export function hostOfPath(path: string, place: Place): HostFile | undefined {
  const { basename, dirname, resolve } = place.platform === "win32" ? win32 : posix;
  const full = resolve(place.folder, path);
  const known = hostFiles(place).find((candidate) => candidate.path === full);
  if (known) return known;
  const names = [basename(dirname(full)), basename(full)];
  for (const host of HOST_IDS) {
    const parts = PROJECT_FILES[host].find((file) =>
      file.every((part, at) => part === names.at(at - file.length)),
    );
    if (parts)
      return {
        host,
        path: full,
        scope: "project",
        project: parts.length > 1 ? dirname(dirname(full)) : dirname(full),
      };
  }
  if (basename(full) === "claude_desktop_config.json")
    return { host: "claude-desktop", path: full, scope: "user" };
  if (basename(full) === ".claude.json") return { host: "claude-code", path: full, scope: "user" };
  return undefined;
}

const PROJECT_FILES: Readonly<Record<HostId, readonly (readonly string[])[]>> = {
  "claude-desktop": [],
  "claude-code": [[".mcp.json"]],
  vscode: [[".vscode", "mcp.json"]],
  cursor: [[".cursor", "mcp.json"]],
  gemini: [[".gemini", "settings.json"]],
  opencode: [
    ["opencode.json"],
    ["opencode.jsonc"],
    [".opencode", "opencode.json"],
    [".opencode", "opencode.jsonc"],
  ],
  goose: [],
};

function userFiles(host: HostId, { environment, platform, home }: Place): readonly string[] {
  const { join } = platform === "win32" ? win32 : posix;
  const xdg = environment["XDG_CONFIG_HOME"] || join(home, ".config");
  const roaming = environment["APPDATA"] || join(home, "AppData", "Roaming");
  const appFolder =
    platform === "darwin"
      ? join(home, "Library", "Application Support")
      : platform === "win32"
        ? roaming
        : xdg;
  switch (host) {
    case "claude-desktop":
      return [join(appFolder, "Claude", "claude_desktop_config.json")];
    case "claude-code":
      return [join(environment["CLAUDE_CONFIG_DIR"] || home, ".claude.json")];
    case "vscode":
      return ["Code", "Code - Insiders", "VSCodium"].flatMap((app) => [
        join(appFolder, app, "User", "mcp.json"),
        join(appFolder, app, "User", "settings.json"),
      ]);
    case "cursor":
      return [join(home, ".cursor", "mcp.json")];
    case "gemini":
      return [join(home, ".gemini", "settings.json")];
    case "opencode": {
      const folder = environment["OPENCODE_CONFIG_DIR"] || join(xdg, "opencode");
      const own = environment["OPENCODE_CONFIG"];
      return [join(folder, "opencode.json"), join(folder, "opencode.jsonc"), ...(own ? [own] : [])];
    }
    case "goose":
      return [
        platform === "win32"
          ? join(roaming, "Block", "goose", "config", "config.yaml")
          : join(xdg, "goose", "config.yaml"),
      ];
    default:
      return host satisfies never;
  }
}
