/**
 * Serves a definition on this process's standard input and output, in both protocol eras, and ends when the
 * client closes its end. Nothing but protocol messages reaches stdout; everything else goes to stderr.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { startWatching } from "./resource.ts";
import { createServer, type ServerDefinition } from "./server.ts";
import { StdioWire, type WireStreams } from "./stdio-wire.ts";

const CLOSE_GRACE_MS = 2000;
/** For calls of the system that still run when everything is closed. */
const CALLS_GRACE_MS = 200;

/** Resolves when the client is gone and the definition has closed. */
export async function serveOnStdio(definition: ServerDefinition): Promise<void> {
  const service = serveOnStreams(definition, { input: process.stdin, output: claimStdout() });
  const stopped = Promise.withResolvers<void>();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(signal, () => stopped.resolve());
  await Promise.race([service.ended, stopped.promise]);
  // Whatever hangs now must not keep the process: the client is gone.
  endAfter(CLOSE_GRACE_MS);
  await service.close();
  endAfter(CALLS_GRACE_MS);
}

/**
 * Not by `process.exit`, which waits for calls of the system that are running: a watcher that goes through a large
 * project takes a second, and what opens a pipe that nobody writes to never returns.
 */
function endAfter(ms: number): void {
  setTimeout(() => {
    process.removeAllListeners("SIGTERM");
    process.kill(process.pid, "SIGTERM");
  }, ms).unref();
}

export interface StreamService {
  /** The client has gone. */
  readonly ended: Promise<void>;
  /** Cancels what runs, then closes the definition. */
  close(): Promise<void>;
}

/** The same on any pair of streams, for a client in the same process. */
export function serveOnStreams(definition: ServerDefinition, streams: WireStreams): StreamService {
  const gone = Promise.withResolvers<void>();
  const transport = new StdioWire(streams, {
    received: (method) => {
      if (method === "resources/subscribe" || method === "subscriptions/listen") {
        startWatching(definition.resources);
      }
    },
    ended: gone.resolve,
  });
  const handle = serveStdio(({ era }) => createServer(definition, era), {
    transport,
    onerror: (error) => process.stderr.write(`${definition.name}: ${error.message}\n`),
  });
  return {
    ended: gone.promise,
    close: async () => {
      await handle.close();
      await definition.close?.();
    },
  };
}

/** The real stdout for the wire alone; whoever else prints there prints to stderr from now on. */
function claimStdout(): WireStreams["output"] {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return { write, on: stdout.on.bind(stdout) } as WireStreams["output"];
}
