/** How remote extensions are authorized here: tokens in the person's secret store, pages in the person's browser. */
import { type Environment, openSecrets, type Paths } from "../config/index.ts";
import type { OpenExtensionsOptions } from "./open-extensions.ts";
import type { BrowserOpener } from "./session-port.ts";

export function oauthFor(
  paths: Paths,
  environment: Environment,
  openBrowser: BrowserOpener | undefined,
): NonNullable<OpenExtensionsOptions["oauth"]> {
  // Opened anew each time: another process may have renewed a token since.
  const secrets = () => openSecrets(paths, environment);
  return {
    store: {
      get: async (name) => secrets().get(name),
      set: async (name, value) => void (await secrets().set(name, value)),
      delete: async (name) => void (await secrets().remove(name)),
    },
    ...(openBrowser && { openBrowser }),
  };
}
