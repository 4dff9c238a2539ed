/** The demo server as a process: on stdio, or over HTTP with `--http [PORT]`, saying its address on stderr. */
import { createDemoServer } from "./demo-server.ts";

const { definition } = createDemoServer();
if (process.argv[2] === "--http") {
  const { serveOnHttp } = await import("../../src/servers/kit/http.ts");
  const { url } = await serveOnHttp(definition, { port: Number(process.argv[3] ?? 0), sse: true });
  process.stderr.write(`listening on ${url}\n`);
} else {
  const { serveOnStdio } = await import("../../src/servers/kit/stdio.ts");
  // A library that prints where it must not.
  setImmediate(() => console.log("stray line"));
  await serveOnStdio(definition);
}
