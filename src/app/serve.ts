/** Serves one builtin: on stdio for a host that started us, or over HTTP. Loads nothing of the agent. */

import { UsageError } from "../lib/usage-error.ts";
import { builtinNames, createBuiltin } from "./builtins.ts";

export interface ServeOptions {
  readonly workingDirectory: string;
  readonly http?: { readonly host?: string; readonly port: number; readonly token?: string };
  /** Told the address once it is served over HTTP. */
  onListening?(url: string): void;
}

/** Resolves when the client is gone (stdio) or the process is told to end (HTTP). */
export async function serveBuiltin(name: string, options: ServeOptions): Promise<void> {
  const definition = await createBuiltin(name, { workingDirectory: options.workingDirectory });
  if (!definition)
    throw new UsageError(`There is no builtin server "${name}". There are: ${builtinNames().join(", ")}.`);
  if (!options.http) {
    const { serveOnStdio } = await import("../servers/kit/stdio.ts");
    return await serveOnStdio(definition);
  }
  const { serveOnHttp } = await import("../servers/kit/http.ts");
  const served = await serveOnHttp(definition, options.http);
  options.onListening?.(served.url);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  await served.close();
}
