/**
 * Finds the servers in another host's file: the same map under five names, and what the file says about some of them
 * elsewhere (switched off, or asked from the person). Reads; judges nothing.
 */
import type { HostId } from "./hosts.ts";

export interface RawServer {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** Said elsewhere in the file. */
  readonly disabled: boolean;
  /** The folder it is meant for, when the file is the person's own and speaks of a project. */
  readonly project?: string;
}

/** VS Code's way to ask the person: `${input:id}`. */
export interface Input {
  readonly id: string;
  readonly description?: string;
  readonly password: boolean;
  readonly default?: string;
}

export interface RawFile {
  readonly servers: readonly RawServer[];
  readonly inputs: readonly Input[];
  /** False when there is no such map at all. */
  readonly found: boolean;
}

type Dictionary = Readonly<Record<string, unknown>>;

/** `folder`: where the person is; Claude Code keeps servers per project in the person's own file. */
export function readServerMap(document: unknown, host: HostId | undefined, folder: string): RawFile {
  if (!isDictionary(document)) return { servers: [], inputs: [], found: false };
  const off = host === "gemini" ? switchedOff(document) : () => false;
  const maps = [
    ...localMaps(document, host, folder),
    ...mapsOf(document, host).map((map) => ({ map, project: undefined })),
  ];
  const servers = maps.flatMap(({ map, project }) =>
    Object.entries(map).map(
      ([name, entry]): RawServer => ({
        name,
        entry: isDictionary(entry) ? entry : { "": entry },
        disabled: off(name),
        ...(project !== undefined && { project }),
      }),
    ),
  );
  return { servers, inputs: inputsOf(document), found: maps.length > 0 };
}

/** By host, because the same word means other things elsewhere: Gemini's `mcp` and `extensions` hold lists of names. */
function mapsOf(document: Dictionary, host: HostId | undefined): readonly Dictionary[] {
  const mcp = document["mcp"];
  const inner = isDictionary(mcp) ? mcp["servers"] : undefined;
  const nested = isDictionary(inner) && !looksLikeServer(inner) ? inner : undefined;
  switch (host) {
    case "claude-desktop":
    case "claude-code":
    case "cursor":
    case "gemini":
      return [document["mcpServers"]].filter(isDictionary);
    case "vscode":
      return [document["servers"], nested, document["mcpServers"]].filter(isDictionary);
    case "opencode":
      return [nested ?? mcp].filter(isDictionary);
    case "goose":
      return [document["extensions"]].filter(isDictionary);
    case undefined: {
      const named = [document["mcpServers"], document["servers"], nested].filter(isDictionary);
      const guessed = [mcp, document["extensions"]].filter(isServerMap);
      const maps = [...named, ...guessed];
      // What a README shows is often the map alone.
      return maps.length === 0 && isServerMap(document) ? [document] : maps;
    }
    default:
      return host satisfies never;
  }
}

function localMaps(
  document: Dictionary,
  host: HostId | undefined,
  folder: string,
): readonly { readonly map: Dictionary; readonly project: string }[] {
  const projects = document["projects"];
  if (host !== "claude-code" || !isDictionary(projects)) return [];
  const own = Object.hasOwn(projects, folder) ? projects[folder] : undefined;
  const map = isDictionary(own) ? own["mcpServers"] : undefined;
  return isDictionary(map) ? [{ map, project: folder }] : [];
}

/** Gemini's `mcp.allowed` and `mcp.excluded`. */
function switchedOff(document: Dictionary): (name: string) => boolean {
  const mcp = document["mcp"];
  const names = (key: string) => {
    const list = isDictionary(mcp) ? mcp[key] : undefined;
    return Array.isArray(list) ? list : undefined;
  };
  const allowed = names("allowed");
  const excluded = names("excluded");
  return (name) => (allowed !== undefined && !allowed.includes(name)) || excluded?.includes(name) === true;
}

function inputsOf(document: Dictionary): readonly Input[] {
  const mcp = document["mcp"];
  const list = document["inputs"] ?? (isDictionary(mcp) ? mcp["inputs"] : undefined);
  if (!Array.isArray(list)) return [];
  return list.filter(isDictionary).flatMap(({ id, description, password, default: fallback }) =>
    typeof id === "string"
      ? [
          {
            id,
            ...(typeof description === "string" && { description }),
            password: password === true,
            ...(typeof fallback === "string" && { default: fallback }),
          },
        ]
      : [],
  );
}

function isServerMap(value: unknown): value is Dictionary {
  if (!isDictionary(value)) return false;
  const entries = Object.values(value);
  return entries.length > 0 && entries.every((entry) => isDictionary(entry) && looksLikeServer(entry));
}

function looksLikeServer(entry: Dictionary): boolean {
  return ["command", "cmd", "url", "httpUrl", "serverUrl", "uri"].some(
    (key) => typeof entry[key] === "string" || Array.isArray(entry[key]),
  );
}

export function isDictionary(value: unknown): value is Dictionary {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
