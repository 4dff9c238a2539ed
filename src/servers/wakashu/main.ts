/** Runs this server by itself: on stdio, or over HTTP with `--http`. This is what `kari mcp wakashu` calls. */
import { parseWakashuOptions, WAKASHU_USAGE } from "./options.ts";
import { createWakashuServer } from "./server.ts";

/** Resolves when the client is gone (stdio) or a signal came (HTTP). */
export async function runWakashu(args: readonly string[]): Promise<void> {
  const command = parseWakashuOptions(args);
  if (command.help) return void process.stdout.write(`${WAKASHU_USAGE}\n`);
  const server = createWakashuServer(command.server);
  if (!command.http) {
    const { serveOnStdio } = await import("../kit/stdio.ts");
    return await serveOnStdio(server);
  }
  const { serveOnHttp } = await import("../kit/http.ts");
  const { url, close } = await serveOnHttp(server, { ...command.http, routes: server.routes });
  process.stderr.write(`wakashu: MCP at ${url}; the page and the plain endpoint at ${new URL("/", url)}\n`);
  const stopped = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => stopped.resolve());
  await stopped.promise;
  await close();
}
