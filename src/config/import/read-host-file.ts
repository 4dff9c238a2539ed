/**
 * From the text of another host's file to its servers in Kari's words. Nothing is started, nothing is written, and
 * nothing is asked: that is for whoever shows the result to the person.
 */
import { LineCounter, parseDocument } from "yaml";
import { ConfigError } from "../config-error.ts";
import { HOSTS, type HostFile, type HostId, type Place } from "./hosts.ts";
import { parseJsonc } from "./jsonc.ts";
import { readServer, type ServerReading } from "./server-entry.ts";
import { readServerMap } from "./server-map.ts";

/** A file that was named may be of a host that nothing tells. */
export type ImportFile = Omit<HostFile, "host"> & { readonly host?: HostId };

export interface ImportedServer {
  readonly name: string;
  readonly file: ImportFile;
  readonly reading: ServerReading;
}

const GENERIC = { ...HOSTS["claude-code"].dialect };

/** Throws ConfigError when the file is malformed or of another kind. */
export function readHostFile(text: string, file: ImportFile, place: Place): readonly ImportedServer[] {
  const document = parseText(text, file.path);
  const { servers, inputs, found } = readServerMap(document, file.host, place.folder);
  if (!found && !isOptional(file))
    throw new ConfigError("has no servers: no mcpServers, servers, mcp or extensions in it.", {
      file: file.path,
    });
  return servers.map((server): ImportedServer => {
    const project = server.project ?? file.project;
    const context = {
      dialect: file.host ? HOSTS[file.host].dialect : GENERIC,
      home: place.home,
      platform: place.platform,
      inputs,
      ...(project !== undefined && { project }),
    };
    return { name: server.name, file, reading: refuseOddName(server.name) ?? readServer(server, context) };
  });
}

/** Files that hold much else: no servers in them is nothing to complain about. */
function isOptional({ host }: ImportFile): boolean {
  return host !== undefined;
}

function parseText(text: string, path: string): unknown {
  if (/\.ya?ml$/i.test(path)) return parseYaml(text, path);
  // A snippet from a README may lack the outer braces.
  if (/^\s*"/.test(text)) return parseJsonc(`{${text}}`, path);
  return parseJsonc(text, path);
}

function parseYaml(text: string, file: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) throw new ConfigError("is not valid YAML", { file, line: lines.linePos(broken.pos[0]).line });
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new ConfigError("has aliases that cannot be resolved", { file });
  }
}

function refuseOddName(name: string): ServerReading | undefined {
  if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(name))
    return { type: "refused", reason: "its name holds control characters" };
  if (name.trim() === "" || name.length > 100)
    return { type: "refused", reason: "its name is empty or longer than 100 characters" };
  return undefined;
}
