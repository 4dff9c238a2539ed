/**
 * `buildSession`: a session from settings in layers (defaults, the user's file, the environment, the options given
 * here). The command line uses it, and so does a program of one's own.
 */
import {
  type Environment,
  type FileSettings,
  loadSettings,
  openSecrets,
  pathsFrom,
  type ToolSearchSettings,
} from "../config/index.ts";
import { UsageError } from "../lib/usage-error.ts";
import { APPROVAL_MODES, type ApprovalMode } from "../policy/index.ts";
import type { Model } from "../providers/model.ts";
import { extensionConfigs } from "./extension-input.ts";
import { openModel } from "./model.ts";
import { oauthFor } from "./oauth.ts";
import { withSecrets } from "./secret-environment.ts";
import { LiveSession } from "./session.ts";
import type { BrowserOpener, ExtensionInput, Session } from "./session-port.ts";

export interface BuildSessionOptions {
  readonly provider?: string | undefined;
  readonly model?: string | Model | undefined;
  readonly baseUrl?: string | undefined;
  /** A script for the scripted model (docs/fake-model.md). */
  readonly fakeModel?: string | undefined;
  readonly approve?: ApprovalMode | undefined;
  readonly maxTurns?: number | undefined;
  /** Tokens that resources may take in the context; a tenth of the model's window when not given. */
  readonly contextBudget?: number | undefined;
  /** When the model gets a search instead of all tools. */
  readonly toolSearch?: ToolSearchSettings | undefined;
  readonly workingDirectory?: string | undefined;
  /** False leaves out the user's file and the default extensions. */
  readonly profile?: boolean | undefined;
  /** In addition to those of the profile. */
  readonly extensions?: readonly ExtensionInput[] | undefined;
  readonly environment?: Environment | undefined;
  /** Sends the person to the page where a remote extension is authorized. Without it, only what is stored is used. */
  readonly openBrowser?: BrowserOpener | undefined;
}

const DEFAULT_MAX_TURNS = 100;

export async function buildSession(options: BuildSessionOptions = {}): Promise<Session> {
  const environment = options.environment ?? process.env;
  const paths = pathsFrom(environment);
  const file: FileSettings = options.profile === false ? { extensions: [] } : await loadSettings(paths);
  const { model } = options;
  const secrets = openSecrets(paths, environment);
  const known = withSecrets(environment, file.extensions, secrets);
  const contextBudget = options.contextBudget ?? file.contextBudget;
  return new LiveSession({
    ...(typeof model === "object"
      ? { model }
      : await openModel({ ...options, model }, environment, file, secrets)),
    extensions: extensionConfigs(file.extensions, options.extensions ?? []),
    approve: approvalMode(options.approve ?? file.approve ?? "read-only"),
    maxTurns: options.maxTurns ?? file.maxTurns ?? DEFAULT_MAX_TURNS,
    ...(contextBudget !== undefined && { contextBudget }),
    toolSearch: { ...file.toolSearch, ...options.toolSearch },
    environment: known,
    workingDirectory: options.workingDirectory ?? process.cwd(),
    dataFolder: paths.data,
    oauth: oauthFor(paths, environment, options.openBrowser),
  });
}

function approvalMode(value: string): ApprovalMode {
  const mode = APPROVAL_MODES.find((candidate) => candidate === value);
  if (!mode)
    throw new UsageError(`"${value}" is not an approval mode. There are: ${APPROVAL_MODES.join(", ")}.`);
  return mode;
}
