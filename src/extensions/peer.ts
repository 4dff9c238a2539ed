/** What a connection can tell about its other end, which is a process of ours or a server somewhere. */

import type { StrayLines } from "./port.ts";
import { type ProcessState, processState } from "./process/liveness.ts";
import type { StdioTransport } from "./process/stdio-transport.ts";

export interface Peer {
  readonly remote: boolean;
  readonly pid?: number;
  /** How the process ended, in words; undefined while it runs or when there is none. */
  ended(): string | undefined;
  state(): ProcessState;
  stderrLines(count: number): readonly string[];
  stray(): StrayLines;
}

export function processPeer(transport: StdioTransport): Peer {
  return {
    remote: false,
    get pid() {
      return transport.pid as number;
    },
    ended: () => transport.ended,
    state: () => (transport.pid === undefined ? "unknown" : processState(transport.pid)),
    stderrLines: (count) => transport.stderr.lines(count),
    stray: () => transport.stray,
  };
}

export const REMOTE_PEER: Peer = {
  remote: true,
  ended: () => undefined,
  state: () => "unknown",
  stderrLines: () => [],
  stray: () => ({ count: 0, samples: [] }),
};
