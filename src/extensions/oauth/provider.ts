/**
 * Our side of OAuth for one remote server, as the SDK wants it: who we are, which tokens we hold, where the browser
 * comes back to. The SDK does discovery, PKCE, registration and the exchange; this decides what is kept, what is
 * trusted and when the person is asked. Opening the browser is index.ts's.
 */
import { randomBytes } from "node:crypto";
import type {
  FetchLike,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { OAuthConfig } from "../config.ts";
import { AuthorizationError } from "./authorization-error.ts";
import { type AuthorizationAddress, checkAuthorizationUrl } from "./authorization-url.ts";
import { LoopbackCallback } from "./loopback-callback.ts";
import { type Renewal, renewTokens } from "./renewal.ts";
import { type Credentials, isExpired, type StoredCredentials, withExpiry } from "./stored-credentials.ts";

export interface ProviderOptions {
  readonly server: URL;
  readonly credentials: StoredCredentials;
  readonly config: OAuthConfig;
  readonly clientName: string;
  /** False: the person cannot be asked, so nothing is registered for an answer that will not come. */
  readonly interactive: boolean;
  readonly now?: () => number;
}

export interface PendingAuthorization extends AuthorizationAddress {
  readonly state: string;
  readonly callback: LoopbackCallback;
}

/** How long an authorization that failed somewhere in the SDK keeps the next one waiting. */
const FLOW_LIMIT_MS = 5000;
/** Stands in before a port is bound; nothing is sent out with it. */
const NO_CALLBACK = "http://127.0.0.1/callback";

export class OAuthProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly #options: ProviderOptions;
  readonly #now: () => number;
  #known: Credentials = {};
  #callback: LoopbackCallback | undefined;
  #redirectUrl = NO_CALLBACK;
  #discovery: OAuthDiscoveryState | undefined;
  #state: string | undefined;
  #verifier: string | undefined;
  #pending: PendingAuthorization | undefined;
  #flow: { readonly over: Promise<void>; end(): void } | undefined;
  #renewing: Promise<string | undefined> | undefined;
  #fetch: FetchLike | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    if (options.config.clientMetadataUrl !== undefined)
      this.clientMetadataUrl = options.config.clientMetadataUrl;
  }

  /** The requests to authorization servers go through this one. */
  useFetch(fetch: FetchLike): void {
    this.#fetch = fetch;
  }

  get accessToken(): string | undefined {
    return this.#known.tokens?.tokens.access_token;
  }

  get redirectUrl(): string {
    return this.#redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { clientName, config } = this.#options;
    return {
      client_name: clientName,
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
      ...(config.scopes && config.scopes.length > 0 && { scope: config.scopes.join(" ") }),
    };
  }

  /**
   * The server wants an authorization: one at a time, with a port to come back to and nothing believed from before.
   * Gives the token that somebody else's authorization brought meanwhile.
   */
  async prepare(refused: string | undefined): Promise<string | undefined> {
    while (this.#flow) await this.#flow.over;
    if (this.#pending) throw new AuthorizationError("an authorization is waiting in the browser already");
    if (this.accessToken !== undefined && this.accessToken !== refused) return this.accessToken;
    this.#beginFlow();
    this.#known = await this.#options.credentials.load();
    this.#discovery = undefined;
    if (!this.#options.interactive) return undefined;
    const registered = this.#known.client?.redirectUrl;
    this.#callback ??= await LoopbackCallback.listen(
      registered === undefined ? 0 : Number(new URL(registered).port),
    );
    this.#redirectUrl = this.#callback.url;
    return undefined;
  }

  /** What waits for the person; until it is settled or given up, nothing else is begun. */
  get pending(): PendingAuthorization | undefined {
    return this.#pending;
  }

  /** Gives up what is under way and stops listening. */
  close(): void {
    this.#flow?.end();
    this.#pending = undefined;
    this.#callback?.close();
    this.#callback = undefined;
  }

  state(): string {
    this.#state = randomBytes(32).toString("base64url");
    return this.#state;
  }

  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { config, interactive } = this.#options;
    const known = this.#known.client;
    if (config.clientId !== undefined) return this.#preRegistered(context);
    const usable = known?.redirectUrl === undefined || known.redirectUrl === this.redirectUrl || !interactive;
    if (known && usable) return known.information;
    if (interactive || this.#known.tokens) return undefined;
    this.#flow?.end();
    throw new AuthorizationError(NOBODY_TO_ASK);
  }

  async saveClientInformation(information: StoredOAuthClientInformation): Promise<void> {
    const byUrl = information.client_id === this.clientMetadataUrl;
    const client = { information, ...(!byUrl && { redirectUrl: this.redirectUrl }) };
    this.#known = await this.#options.credentials.update((current) => ({ ...current, client }));
  }

  /** Without a context it is asked for the next request: a token that has ended is renewed first. */
  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    if (!this.#known.tokens) this.#known = await this.#options.credentials.load();
    const stored = this.#known.tokens;
    if (context === undefined && stored && isExpired(stored, this.#now()))
      await this.renew(stored.tokens.access_token, undefined).catch(() => {});
    return this.#known.tokens?.tokens;
  }

  /**
   * The token to use in place of one that was refused, or nothing when a person must be asked. Whoever comes while
   * another is at it waits for the same answer; whoever comes later finds it. Throws when nobody could be asked.
   */
  async renew(refused: string, resourceMetadataUrl: URL | undefined): Promise<string | undefined> {
    if (this.accessToken !== undefined && this.accessToken !== refused) return this.accessToken;
    this.#renewing ??= this.#renew(resourceMetadataUrl).finally(() => {
      this.#renewing = undefined;
    });
    return await this.#renewing;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    this.close();
    const stored = withExpiry(tokens, this.#now());
    const { clientId } = this.#options.config;
    // Who we are was configured: which authorization server has seen it is all that is kept, never the secret.
    const seenBy =
      clientId === undefined
        ? undefined
        : {
            information: {
              client_id: clientId,
              ...(tokens.issuer !== undefined && { issuer: tokens.issuer }),
            },
          };
    this.#known = await this.#options.credentials.update((current) => ({
      ...current,
      ...(seenBy && { client: seenBy }),
      tokens: stored,
    }));
  }

  redirectToAuthorization(url: URL): void {
    this.#flow?.end();
    const server =
      this.#discovery?.authorizationServerMetadata?.issuer ?? this.#discovery?.authorizationServerUrl;
    const address = checkAuthorizationUrl(url, server);
    if (!this.#callback || this.#state === undefined) throw new AuthorizationError(NOBODY_TO_ASK);
    this.#pending = { ...address, state: this.#state, callback: this.#callback };
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new AuthorizationError("no authorization is under way");
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (scope === "all" || scope === "verifier") this.#verifier = undefined;
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
    if (scope === "verifier" || scope === "discovery") return;
    const refused = this.accessToken;
    this.#known = await this.#options.credentials.update(({ client, tokens }) => {
      // Another process may have renewed them while ours were refused: those are good.
      const renewed = tokens?.tokens.access_token !== refused;
      return {
        ...(scope === "tokens" && client && { client }),
        ...((scope === "client" || (scope === "tokens" && renewed)) && tokens && { tokens }),
      };
    });
  }

  /** Known to this authorization server beforehand; what it knows is not told to any other. */
  async #preRegistered(
    context: OAuthClientInformationContext | undefined,
  ): Promise<StoredOAuthClientInformation> {
    const { clientId = "", clientSecret } = this.#options.config;
    const bound = this.#known.client?.information;
    const issuer = bound?.client_id === clientId ? bound.issuer : undefined;
    if (issuer !== undefined && context !== undefined && issuer !== context.issuer)
      throw new AuthorizationError(
        `its authorization server was ${issuer} and now claims to be ${context.issuer}`,
      );
    const stamp = issuer ?? context?.issuer;
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      ...(stamp !== undefined && { issuer: stamp }),
    };
  }

  #beginFlow(): void {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#flow?.end(), FLOW_LIMIT_MS);
    timer.unref();
    this.#flow = {
      over,
      end: () => {
        clearTimeout(timer);
        this.#flow = undefined;
        resolve();
      },
    };
  }

  async #renew(resourceMetadataUrl: URL | undefined): Promise<string | undefined> {
    const ours = this.accessToken;
    this.#known = await this.#options.credentials.load();
    // Another process was faster.
    if (this.accessToken !== ours) return this.accessToken;
    const tokens = this.#known.tokens?.tokens;
    if (!tokens || !this.#fetch) return undefined;
    const renewal = await renewTokens({
      server: this.#options.server,
      resourceMetadataUrl,
      tokens,
      clientFor: (issuer) => this.#clientFor(issuer),
      fetch: this.#fetch,
    });
    return await this.#settle(renewal);
  }

  async #settle(renewal: Renewal): Promise<string | undefined> {
    switch (renewal.type) {
      case "renewed":
        await this.saveTokens(renewal.tokens);
        return this.accessToken;
      case "unknown-client":
        await this.invalidateCredentials("all");
        return undefined;
      case "revoked":
        await this.invalidateCredentials("tokens");
        return this.accessToken;
      case "impossible":
        return undefined;
      case "outage":
        throw new AuthorizationError(`its token could not be renewed: ${renewal.reason}. Try again later`);
      default:
        return renewal satisfies never;
    }
  }

  async #clientFor(issuer: string): Promise<StoredOAuthClientInformation | undefined> {
    if (this.#options.config.clientId !== undefined) return await this.#preRegistered({ issuer });
    const known = this.#known.client?.information;
    return known?.issuer === issuer ? known : undefined;
  }
}

export const NOBODY_TO_ASK =
  "it needs an authorization in the browser, and nobody can be asked in this run. Start it once in a terminal: kari session";
