/**
 * What other hosts say about a server that wants to authorize the person: `auth` (Cursor) or `oauth` (Claude Code,
 * Gemini, opencode). A literal secret goes to the secret store; the entry holds its name.
 */
import type { RemoteEntry } from "../extension-entry.ts";
import { isDictionary } from "./server-map.ts";
import { secretName } from "./take-out-secrets.ts";

export interface OAuthReading {
  readonly entry: Pick<RemoteEntry, "client_id" | "client_secret_key" | "scopes">;
  readonly secrets: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

const READ = [
  "CLIENT_ID",
  "clientId",
  "client_id",
  "CLIENT_SECRET",
  "clientSecret",
  "client_secret",
  "scopes",
  "scope",
];

/** `translate` turns the host's variables into ours. */
export function readOAuth(raw: unknown, server: string, translate: (text: string) => string): OAuthReading {
  if (!isDictionary(raw)) return { entry: {}, secrets: {}, notes: [] };
  const text = (...keys: readonly string[]) => {
    const value = keys.map((key) => raw[key]).find((found) => typeof found === "string" && found !== "");
    return value === undefined ? undefined : translate(value as string);
  };
  const id = text("CLIENT_ID", "clientId", "client_id");
  const secret = text("CLIENT_SECRET", "clientSecret", "client_secret");
  const scopes = scopesOf(raw["scopes"] ?? raw["scope"]);
  const variable = secret === undefined ? undefined : /^\$\{(\w+)\}$/.exec(secret)?.[1];
  const kept = secretName(server, "CLIENT_SECRET");
  const isLiteral = secret !== undefined && variable === undefined;
  const left = Object.keys(raw).filter((key) => !READ.includes(key));
  return {
    entry: {
      ...(id !== undefined && !id.includes("${") && { client_id: id }),
      ...(secret !== undefined && { client_secret_key: variable ?? kept }),
      ...(scopes.length > 0 && { scopes }),
    },
    secrets: isLiteral ? { [kept]: secret } : {},
    notes: [
      ...(id?.includes("${") ? [`its client id is ${id}: write it into client_id by hand`] : []),
      ...(isLiteral ? [`its client secret is kept as the secret ${kept}, not in config.yaml`] : []),
      ...(left.length > 0 ? [`not taken over of its authorization: ${left.join(", ")}`] : []),
    ],
  };
}

function scopesOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value.split(/[\s,]+/).filter((scope) => scope !== "");
  return Array.isArray(value) ? value.filter((scope) => typeof scope === "string") : [];
}
