/**
 * What one legacy session was sent lately, so that a client whose stream broke can take it up again
 * (`Last-Event-ID`). Bounded by number and by rough size: the oldest are forgotten first, and a client that
 * asks for a forgotten place gets what is left of that stream.
 */
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface StoredEvent {
  readonly number: number;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

const MAX_EVENTS = 256;
const MAX_SIZE = 8 * 1024 * 1024;

export class RecentEvents implements EventStore {
  #events: StoredEvent[] = [];
  #size = 0;
  #last = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#last += 1;
    const event = { number: this.#last, stream, message, size: roughSize(message) };
    this.#events.push(event);
    this.#size += event.size;
    while (this.#events.length > 1 && (this.#events.length > MAX_EVENTS || this.#size > MAX_SIZE)) {
      this.#size -= this.#events.shift()?.size ?? 0;
    }
    return `${stream}_${event.number}`;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return place(eventId)?.stream;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const from = place(lastEventId);
    if (from === undefined) throw new Error(`"${lastEventId}" is not an event of this session`);
    for (const event of this.#events) {
      // A priming event marks the start of a stream and has nothing to tell.
      if (event.stream !== from.stream || event.number <= from.number || !("jsonrpc" in event.message))
        continue;
      await send(`${event.stream}_${event.number}`, event.message);
    }
    return from.stream;
  }
}

function place(eventId: string): { stream: string; number: number } | undefined {
  const match = /^(.+)_(\d+)$/.exec(eventId);
  if (match?.[1] === undefined) return undefined;
  return { stream: match[1], number: Number(match[2]) };
}

/** Strings dominate what is sent; counting them needs no second serialization. */
function roughSize(message: JSONRPCMessage): number {
  const rest: unknown[] = [message];
  let size = 0;
  while (rest.length > 0) {
    const next = rest.pop();
    size += typeof next === "string" ? next.length : 8;
    if (typeof next !== "object" || next === null) continue;
    for (const child of Object.values(next)) rest.push(child);
  }
  return size;
}
