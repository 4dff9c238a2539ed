/** The command line's short forms of extensions, as inputs of a session. */
import * as config from "../config/extension-flag.ts";
import type { ExtensionInput } from "./session-port.ts";

export function parseExtensionFlag(flag: string): ExtensionInput {
  const { type, name, command, args, env } = config.parseExtensionFlag(flag);
  return { type, name, command, args, env };
}

export function parseRemoteFlag(flag: string, type: "sse" | "streamable_http"): ExtensionInput {
  const { name, url } = config.parseRemoteFlag(flag, type);
  return { type, name, url };
}
