/**
 * OAuth for remote extensions: gives each its provider, opens the browser when the person must agree, and waits for
 * the answer on this machine. Without a browser to open, what is stored is used and nobody is asked.
 */
import type { RemoteConfig } from "../config.ts";
import type { RemoteAuth } from "../remote-auth.ts";
import { OAuthProvider } from "./provider.ts";
import type { SecretStore } from "./secret-store.ts";
import { StoredCredentials } from "./stored-credentials.ts";
import { createTokenFetch } from "./token-fetch.ts";

export interface BrowserRequest {
  readonly extension: string;
  readonly url: string;
  /** What the person must see before it is opened. */
  readonly host: string;
}

export interface OAuthOptions {
  readonly store: SecretStore;
  readonly clientName: string;
  /** Tells the person and opens the address; rejects with the reason when it is not opened. Absent: nobody is there. */
  openBrowser?(request: BrowserRequest): Promise<void>;
  readonly answerTimeoutMs?: number;
}

const ANSWER_TIMEOUT_MS = 5 * 60_000;

export function createRemoteAuth(config: RemoteConfig, options: OAuthOptions): RemoteAuth {
  const server = new URL(config.url);
  const { openBrowser } = options;
  const provider = new OAuthProvider({
    server,
    credentials: new StoredCredentials(options.store, server),
    config: config.oauth ?? {},
    clientName: options.clientName,
    interactive: openBrowser !== undefined,
  });
  return {
    provider,
    wrapFetch(fetch) {
      const wrapped = createTokenFetch(fetch, {
        server,
        renew: (refused, metadataUrl) => provider.renew(refused, metadataUrl),
        prepare: (refused) => provider.prepare(refused),
      });
      provider.useFetch(fetch);
      return wrapped;
    },
    async authorize({ signal }) {
      const { pending } = provider;
      if (!pending || !openBrowser) return undefined;
      const { state, url, host } = pending;
      const answer = pending.callback.wait(state, {
        signal,
        timeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
      });
      // Nobody waits for it when the browser was not opened.
      answer.catch(() => {});
      await openBrowser({ extension: config.key, url, host });
      return await answer;
    },
    async close() {
      provider.close();
    },
  };
}

export type { SecretStore } from "./secret-store.ts";
