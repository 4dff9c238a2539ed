/**
 * `${VAR}` and `${VAR:-default}` in what a person wrote: commands, arguments, environment, addresses, headers.
 * Done when an extension starts, so that a variable that is not set stops that extension and no other. Values are
 * put in as they are and never expanded again; `$VAR` without braces is left alone.
 */
import type { ExtensionConfig } from "./config.ts";
import { ExtensionError } from "./extension-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws ExtensionError `config` that names every variable that is missing. */
export function expandConfig<Config extends ExtensionConfig>(
  config: Config,
  environment: Environment,
): Config {
  const missing = new Set<string>();
  const expand = (text: string) => expandVariables(text, environment, missing);
  const expanded = expandFields(config, expand) as Config;
  if (missing.size > 0) {
    const names = [...missing];
    throw new ExtensionError(
      "config",
      `Extension ${config.key} did not start: its configuration uses ${names.map((name) => `\${${name}}`).join(", ")}, ` +
        `and ${names.length === 1 ? "that is" : "those are"} not set in the environment. ` +
        `Set ${names.length === 1 ? "it" : "them"}, or give a default: \${${names[0]}:-value}.`,
    );
  }
  return expanded;
}

/** Adds the names that have neither a value nor a default to `missing`. As in a shell, `:-` also covers an empty value. */
export function expandVariables(text: string, environment: Environment, missing: Set<string>): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_whole, name: string, fallback: string | undefined) => {
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (fallback !== undefined) return value === undefined || value === "" ? fallback : value;
      if (value === undefined) missing.add(name);
      return value ?? "";
    },
  );
}

function expandFields(config: ExtensionConfig, expand: (text: string) => string): ExtensionConfig {
  switch (config.type) {
    case "builtin":
      return config;
    case "stdio":
      return {
        ...config,
        command: expand(config.command),
        args: config.args.map(expand),
        env: expandValues(config.env, expand),
        ...(config.cwd !== undefined && { cwd: expand(config.cwd) }),
      };
    case "sse":
    case "streamable_http":
      return {
        ...config,
        url: expand(config.url),
        headers: expandValues(config.headers, expand),
        ...(config.oauth?.clientSecret !== undefined && {
          oauth: { ...config.oauth, clientSecret: expand(config.oauth.clientSecret) },
        }),
      };
    default:
      return config satisfies never;
  }
}

function expandValues(
  record: Readonly<Record<string, string>>,
  expand: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, expand(value)]));
}
