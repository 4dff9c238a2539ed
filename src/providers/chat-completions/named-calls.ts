/** Gives the tracker a call when its name is known: some servers send an index, then arguments, and the name last. */
import type { StreamingToolCallTracker } from "@ai-sdk/provider-utils";

export interface CallDelta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null };
  readonly extra_content?: {
    readonly google?: { readonly thought_signature?: string | null } | null;
  } | null;
}

interface Pending {
  id: string | null;
  arguments: string;
  extra: CallDelta["extra_content"];
}

export class NamedCalls {
  readonly #tracker: StreamingToolCallTracker<CallDelta>;
  readonly #pending = new Map<number, Pending>();
  readonly #named = new Set<number>();

  constructor(tracker: StreamingToolCallTracker<CallDelta>) {
    this.#tracker = tracker;
  }

  add(delta: CallDelta): void {
    const { index, function: called } = delta;
    if (typeof index !== "number" || this.#named.has(index)) return this.#tracker.processDelta(delta);
    const before = this.#pending.get(index) ?? { id: null, arguments: "", extra: undefined };
    const pending: Pending = {
      id: before.id ?? delta.id ?? null,
      arguments: before.arguments + (called?.arguments ?? ""),
      extra: before.extra ?? delta.extra_content,
    };
    if (typeof called?.name !== "string") {
      this.#pending.set(index, pending);
      return;
    }
    this.#pending.delete(index);
    this.#named.add(index);
    this.#give(index, pending, called.name);
  }

  /** Those that never got a name are given as they are: the tracker says what is wrong with them. */
  finish(): void {
    for (const [index, pending] of this.#pending) this.#give(index, pending);
    this.#pending.clear();
    this.#tracker.flush();
  }

  #give(index: number, { id, arguments: args, extra }: Pending, name?: string): void {
    this.#tracker.processDelta({
      index,
      id,
      function: { arguments: args, ...(name !== undefined && { name }) },
      ...(extra && { extra_content: extra }),
    });
  }
}
