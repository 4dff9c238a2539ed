/** The flags that `run`, `session`, `tools` and `resources` share: which model, which extensions, what may run. */
import type { BuildSessionOptions } from "../app/build-session.ts";
import { parseExtensionFlag, parseRemoteFlag } from "../app/extension-flags.ts";
import type { ExtensionInput } from "../app/session-port.ts";
import { choice, type OptionTable, type OptionValues, positiveInteger, text, texts } from "./command.ts";
import { openSignIn } from "./terminal-browser.ts";

export const extensionFlags: OptionTable = {
  "no-profile": { type: "boolean", help: "leave out the configuration file and the default extensions" },
  "with-builtin": { type: "string", multiple: true, value: "a,b", help: "add builtin extensions" },
  "with-extension": {
    type: "string",
    multiple: true,
    value: "CMD",
    help: 'add a stdio extension: "[name:][ENV=v …] command args"',
  },
  "with-http": { type: "string", multiple: true, value: "name=URL", help: "add a streamable HTTP extension" },
  "with-sse": { type: "string", multiple: true, value: "name=URL", help: "add a legacy HTTP+SSE extension" },
};

export const modelFlags: OptionTable = {
  provider: { type: "string", value: "P", help: "which provider (KARI_PROVIDER)" },
  model: { type: "string", value: "M", help: "which model (KARI_MODEL)" },
  "fake-model": { type: "string", value: "FILE", help: "play a script instead of asking a model" },
  approve: {
    type: "string",
    value: "MODE",
    help: "what may run: all, read-only, none, ask (ask in a terminal, else read-only)",
  },
  "max-turns": { type: "string", value: "N", help: "stop after N questions to the model (100)" },
  "context-budget": {
    type: "string",
    value: "TOKENS",
    help: "what resources may take in the context (a tenth of the model's window; 0: none)",
  },
};

export function extensionsFrom(
  values: OptionValues,
): Pick<BuildSessionOptions, "profile" | "extensions" | "openBrowser"> {
  const builtins = texts(values, "with-builtin").flatMap((list) => list.split(","));
  const extensions: ExtensionInput[] = [
    ...builtins
      .filter((name) => name.trim() !== "")
      .map((name) => ({ type: "builtin" as const, name: name.trim() })),
    ...texts(values, "with-extension").map(parseExtensionFlag),
    ...texts(values, "with-http").map((flag) => parseRemoteFlag(flag, "streamable_http")),
    ...texts(values, "with-sse").map((flag) => parseRemoteFlag(flag, "sse")),
  ];
  const somebodyThere = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return {
    extensions,
    profile: values["no-profile"] !== true,
    ...(somebodyThere && { openBrowser: openSignIn }),
  };
}

export function sessionOptionsFrom(values: OptionValues): BuildSessionOptions {
  return {
    ...extensionsFrom(values),
    provider: text(values, "provider"),
    model: text(values, "model"),
    fakeModel: text(values, "fake-model"),
    maxTurns: positiveInteger(values, "max-turns"),
    contextBudget: text(values, "context-budget") === "0" ? 0 : positiveInteger(values, "context-budget"),
    approve: choice(values, "approve", ["all", "read-only", "none", "ask"]),
  };
}
