/**
 * Takes literal secrets out of an entry: a variable stands in their place, and the value goes to the secret store.
 * The variable is the environment name itself where that names the server, else one made of both, so that two servers
 * with a TOKEN each do not share it.
 */
import { createHash } from "node:crypto";
import type { ExtensionEntry } from "../extension-entry.ts";
import { variableName } from "./host-variables.ts";
import { isSecret } from "./secret-values.ts";

export interface Cleaned {
  readonly entry: ExtensionEntry;
  readonly secrets: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

export function takeOutSecrets(server: string, entry: ExtensionEntry): Cleaned {
  switch (entry.type) {
    case "builtin":
      return { entry, secrets: {}, notes: [] };
    case "stdio": {
      const { envs = {}, env_keys = [], ...rest } = entry;
      const taken = take(server, envs);
      const own = Object.keys(taken.secrets).filter((name) => Object.hasOwn(envs, name));
      const kept = Object.fromEntries(Object.entries(taken.values).filter(([name]) => !own.includes(name)));
      const keys = [...new Set([...env_keys, ...own])];
      return {
        ...taken,
        entry: {
          ...rest,
          ...(Object.keys(kept).length > 0 && { envs: kept }),
          ...(keys.length > 0 && { env_keys: keys }),
        },
      };
    }
    case "sse":
    case "streamable_http": {
      const { headers = {}, ...rest } = entry;
      const taken = take(server, headers);
      const kept = taken.values;
      return { ...taken, entry: { ...rest, ...(Object.keys(kept).length > 0 && { headers: kept }) } };
    }
    default:
      return entry satisfies never;
  }
}

function take(
  server: string,
  values: Readonly<Record<string, string>>,
): { values: Record<string, string>; secrets: Record<string, string>; notes: string[] } {
  const found = Object.entries(values).filter(([name, value]) => isSecret(name, value));
  const names = new Map(found.map(([name]) => [name, secretName(server, name)]));
  return {
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const secret = names.get(name);
        return [name, secret === undefined ? value : `\${${secret}}`];
      }),
    ),
    secrets: Object.fromEntries(found.map(([name, value]) => [names.get(name) ?? name, value])),
    notes: found.map(
      ([name]) => `the value of ${name} is kept as the secret ${names.get(name)}, not in config.yaml`,
    ),
  };
}

export function secretName(server: string, name: string): string {
  const prefix = variableName(server);
  const own = variableName(name);
  if (prefix === "_")
    return variableName("ext", createHash("sha256").update(server).digest("hex").slice(0, 8), name);
  return own.startsWith(prefix) ? own : variableName(server, name);
}
