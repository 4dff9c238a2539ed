/**
 * Opens a connection to an extension of any kind. Loaded only when the first connection is wanted: it brings the
 * MCP SDK with it. How a process is greeted lives in connect-process.ts, how an address is found out in
 * connect-remote.ts.
 */
import type { ExtensionConfig } from "./config.ts";
import type { Connected, ConnectOptions } from "./connect-options.ts";
import { connectProcess } from "./connect-process.ts";
import { expandConfig } from "./expand.ts";

/** Throws ExtensionError that says what failed and what to do. */
export async function connect(config: ExtensionConfig, options: ConnectOptions): Promise<Connected> {
  const expanded = expandConfig(config, options.environment);
  if (expanded.type === "builtin" || expanded.type === "stdio")
    return await connectProcess(expanded, options);
  const { connectRemote } = await import("./connect-remote.ts");
  return await connectRemote(expanded, options);
}
