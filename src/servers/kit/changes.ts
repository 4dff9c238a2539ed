/** How a server says that something changed. Whoever serves it (stdio, HTTP) passes it on to those who asked. */
export type ServerChange =
  | { readonly type: "tools-changed" }
  | { readonly type: "prompts-changed" }
  | { readonly type: "resources-changed" }
  | { readonly type: "resource-updated"; readonly uri: string };

export interface ChangeBus {
  publish(change: ServerChange): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (change: ServerChange) => void): () => void;
}

export function createChangeBus(): ChangeBus {
  const listeners = new Set<(change: ServerChange) => void>();
  return {
    publish(change) {
      for (const listener of [...listeners]) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
