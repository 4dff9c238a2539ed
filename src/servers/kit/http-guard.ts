/**
 * Decides who may talk to an HTTP server of ours before anything else looks at the request: the Host and Origin
 * headers (DNS rebinding, foreign web pages) and the bearer token. Pure over the headers; it answers with the
 * refusal to send, or with nothing when the request may go on. Reading bodies and routing live in http.ts.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { hostname as machineName } from "node:os";

export interface GuardOptions {
  /** The address the server listens on. */
  readonly host: string;
  readonly token?: string;
  /** More names this server is reached by, such as that of a reverse proxy. */
  readonly allowedHosts?: readonly string[];
  /** Web pages that may call it besides those on loopback: `https://app.example`. */
  readonly allowedOrigins?: readonly string[];
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Guard {
  /** Host and Origin. */
  checkCaller(headers: IncomingHttpHeaders): Refusal | undefined;
  checkToken(headers: IncomingHttpHeaders): Refusal | undefined;
}

const MIN_TOKEN_LENGTH = 16;
const HOST_HEADER = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::\d{1,5})?$/i;

/** Throws when the options would leave the server open: off loopback without a token, or with a weak one. */
export function createGuard(options: GuardOptions): Guard {
  const { host, token } = options;
  const local = isLoopback(host);
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH) {
    throw new Error(
      `The token has ${token.length} characters; use at least ${MIN_TOKEN_LENGTH}, for instance from "openssl rand -hex 32".`,
    );
  }
  if (!local && token === undefined) {
    throw new Error(
      `Refusing to listen on ${host} without a token: anybody who reaches that address could use this server. Give a token, or listen on 127.0.0.1.`,
    );
  }
  const hosts = new Set((options.allowedHosts ?? []).map((name) => name.toLowerCase()));
  if (!local) hosts.add(machineName().toLowerCase()).add(host.toLowerCase());
  const origins = new Set((options.allowedOrigins ?? []).map(canonicalOrigin));
  const secret = token === undefined ? undefined : digest(token);

  return {
    checkCaller(headers) {
      const name = hostName(headers.host);
      if (name === undefined) return forbidden("the Host header is missing or malformed");
      // A rebound DNS name always arrives as a name, so off loopback an address is as good as a known name.
      const known = isLoopback(name) || hosts.has(name) || (!local && isIP(bare(name)) !== 0);
      if (!known) return forbidden(`this server is not known as "${name}"`);
      return checkOrigin(headers, origins);
    },
    checkToken(headers) {
      if (secret === undefined) return undefined;
      const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
      if (given === undefined) return unauthorized("a bearer token is needed", "");
      if (timingSafeEqual(digest(given), secret)) return undefined;
      return unauthorized("the bearer token is not valid", ', error="invalid_token"');
    },
  };
}

/** Whether only this machine can reach the address. A name other than `localhost` may resolve anywhere. */
export function isLoopback(host: string): boolean {
  const name = bare(host.toLowerCase());
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

function checkOrigin(headers: IncomingHttpHeaders, origins: ReadonlySet<string>): Refusal | undefined {
  const { origin } = headers;
  if (origin === undefined) {
    // Only a browser sends these. It leaves out the Origin on plain navigations, which are no protocol client.
    const site = headers["sec-fetch-site"];
    const foreign = site === "cross-site" || site === "same-site";
    return foreign || headers.cookie !== undefined
      ? forbidden("a browser request needs an Origin")
      : undefined;
  }
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return origins.has(origin) ? undefined : forbidden(`the origin "${origin}" may not use this server`);
  }
  if (isLoopback(url.hostname) || url.host === headers.host || origins.has(url.origin)) return undefined;
  return forbidden(`the origin "${url.origin}" may not use this server`);
}

function hostName(header: string | undefined): string | undefined {
  const name = header === undefined ? undefined : HOST_HEADER.exec(header)?.[1];
  if (name === undefined || !URL.canParse(`http://${name}`)) return undefined;
  return new URL(`http://${name}`).hostname;
}

function canonicalOrigin(origin: string): string {
  if (origin === "null" || !URL.canParse(origin)) {
    throw new Error(`"${origin}" is not an origin; write it as https://app.example`);
  }
  const url = new URL(origin);
  // Browser extensions have an origin of their own scheme, for which URL knows no canonical form.
  return url.origin === "null" ? origin : url.origin;
}

/** Equal lengths whatever was sent, so that the comparison tells nothing. */
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function bare(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

function forbidden(message: string): Refusal {
  return { status: 403, message: `Forbidden: ${message}`, headers: { Connection: "close" } };
}

function unauthorized(message: string, detail: string): Refusal {
  return {
    status: 401,
    message: `Unauthorized: ${message}`,
    headers: { Connection: "close", "WWW-Authenticate": `Bearer realm="mcp"${detail}` },
  };
}
