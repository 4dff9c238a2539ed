/**
 * What is kept of one remote server's authorization: who we are to its authorization server, and our tokens with the
 * moment they end (a lifetime in seconds means nothing after a restart). Kept under the server's own address, so that
 * a token can never be taken for another server's.
 */
import { createHash } from "node:crypto";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import type { SecretStore } from "./secret-store.ts";

export interface StoredTokens {
  readonly tokens: StoredOAuthTokens;
  /** Milliseconds since 1970; absent when the server did not say. */
  readonly expiresAt?: number;
}

export interface StoredClient {
  readonly information: StoredOAuthClientInformation;
  /** Registered with it; another one would be refused. */
  readonly redirectUrl?: string;
}

export interface Credentials {
  readonly client?: StoredClient;
  readonly tokens?: StoredTokens;
}

export class StoredCredentials {
  readonly #store: SecretStore;
  readonly #name: string;
  readonly #server: string;

  constructor(store: SecretStore, server: URL) {
    this.#store = store;
    this.#server = `${server.origin}${server.pathname}`;
    this.#name = `oauth-${createHash("sha256").update(this.#server).digest("hex").slice(0, 24)}`;
  }

  /** A record that cannot be read is as good as none: the person authorizes once more. */
  async load(): Promise<Credentials> {
    const text = await this.#store.get(this.#name);
    if (text === undefined) return {};
    try {
      const record = JSON.parse(text) as Credentials & { server?: string };
      return record.server === this.#server ? record : {};
    } catch {
      return {};
    }
  }

  /** Changes what is there now: another process may have changed it since we looked. */
  async update(change: (current: Credentials) => Credentials): Promise<Credentials> {
    const { client, tokens } = change(await this.load());
    const next: Credentials = { ...(client && { client }), ...(tokens && { tokens }) };
    if (!client && !tokens) await this.#store.delete(this.#name);
    else await this.#store.set(this.#name, JSON.stringify({ server: this.#server, ...next }));
    return next;
  }
}

export function withExpiry(tokens: StoredOAuthTokens, now: number): StoredTokens {
  const seconds = tokens.expires_in;
  return { tokens, ...(seconds !== undefined && { expiresAt: now + seconds * 1000 }) };
}

/** A little early: a token that ends on its way is no use. */
const EARLY_MS = 30_000;

export function isExpired({ expiresAt }: StoredTokens, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt - EARLY_MS;
}
