/**
 * The environment in which extensions are configured: ours, and from the secret store the names that one of them asks
 * for and that ours does not have. Nobody else sees them: a child gets what its configuration declares.
 */
import type { Environment, ExtensionSettings, SecretStore } from "../config/index.ts";

export function withSecrets(
  environment: Environment,
  extensions: readonly ExtensionSettings[],
  secrets: SecretStore,
): Environment {
  const wanted = new Set(
    extensions
      .filter(({ enabled }) => enabled)
      .flatMap(variablesOf)
      .map(({ name }) => name),
  );
  const found = [...wanted].flatMap((name): [string, string][] => {
    const value = environment[name] ? undefined : readable(name, secrets);
    return value === undefined ? [] : [[name, value]];
  });
  return found.length === 0 ? environment : { ...environment, ...Object.fromEntries(found) };
}

/** A keyring that is locked fails the extension that needs it, not the session; `kari doctor` says why. */
function readable(name: string, secrets: SecretStore): string | undefined {
  try {
    return secrets.get(name);
  } catch {
    return undefined;
  }
}

export interface UsedVariable {
  readonly name: string;
  readonly hasDefault: boolean;
}

/** What an extension takes from the environment, in the order in which it stands. */
export function variablesOf(settings: ExtensionSettings): readonly UsedVariable[] {
  switch (settings.type) {
    case "builtin":
      return [];
    case "stdio": {
      const { command, args, env, envKeys, cwd } = settings;
      return [
        ...envKeys.map((name) => ({ name, hasDefault: false })),
        ...[command, ...args, ...Object.values(env), cwd ?? ""].flatMap(variablesIn),
      ];
    }
    case "sse":
    case "streamable_http":
      return [
        ...(settings.oauth?.clientSecretKey === undefined
          ? []
          : [{ name: settings.oauth.clientSecretKey, hasDefault: false }]),
        ...[settings.url, ...Object.values(settings.headers)].flatMap(variablesIn),
      ];
    default:
      return settings satisfies never;
  }
}

function variablesIn(text: string): UsedVariable[] {
  return [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}/g)].map(([, name = "", fallback]) => ({
    name,
    hasDefault: fallback !== undefined,
  }));
}
