/**
 * Looks the whole installation over and says what to do about each thing that is wrong. No network is used but what
 * the extensions themselves need, and nothing is changed.
 */
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type ConfigError,
  configFile,
  DEFAULT_EXTENSIONS,
  type FileSettings,
  loadSettings,
  openSecrets,
} from "../config/index.ts";
import { UsageError } from "../lib/usage-error.ts";
import type { Probe as AskForModels, ProviderChoice } from "../providers/index.ts";
import { chooseModel, openChoice } from "./model.ts";
import { type Probe, type ProbeOptions, probeExtensions } from "./probe-extensions.ts";
import type { Surroundings } from "./surroundings.ts";
import { VERSION } from "./version.ts";

export type { Probe } from "./probe-extensions.ts";

export interface Check {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  readonly advice?: string;
}

export interface Diagnosis {
  /** Nothing failed; warnings may be there. */
  readonly ok: boolean;
  readonly version: string;
  readonly checks: readonly Check[];
  readonly extensions: readonly Probe[];
}

export interface DoctorOptions extends Surroundings, Pick<ProbeOptions, "startupTimeoutMs" | "signal"> {
  /** Only this one is started. */
  readonly extension?: string;
  onCheck?(check: Check): void;
  onStart?(name: string): void;
  onEnd?(probe: Probe): void;
}

const OLDEST_NODE = [22, 18] as const;

export async function diagnose(options: DoctorOptions): Promise<Diagnosis> {
  const checks: Check[] = [];
  const note = (check: Check) => {
    checks.push(check);
    options.onCheck?.(check);
  };
  note(checkNode(process.versions.node));
  const { settings, check } = await checkConfiguration(options);
  note(check);
  note(checkFolder("configuration folder", options.paths.config));
  note(checkFolder("data folder", options.paths.data));
  for (const secret of checkSecrets(options)) note(secret);
  if (settings) note(await checkProvider(settings, options));
  const wanted = chosen(settings, options.extension);
  const extensions = await probeExtensions(wanted, options);
  const ok =
    checks.every(({ status }) => status !== "failed") && extensions.every(({ state }) => state === "ready");
  return { ok, version: VERSION, checks, extensions };
}

function chosen(settings: FileSettings | undefined, only: string | undefined): FileSettings["extensions"] {
  const all = settings?.extensions ?? [];
  if (only === undefined) return all.filter(({ enabled }) => enabled);
  const found = all.filter(({ name }) => name.normalize("NFC") === only.normalize("NFC"));
  if (found.length === 0) throw new UsageError(`There is no extension "${only}". See kari extensions list.`);
  return found;
}

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  const fits = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  const name = "Node.js";
  if (fits) return { name, status: "ok", detail: `${version} (${process.platform} ${process.arch})` };
  return {
    name,
    status: "failed",
    detail: `${version} is too old`,
    advice: `Install Node.js ${OLDEST_NODE.join(".")} or newer.`,
  };
}

async function checkConfiguration({
  paths,
}: Surroundings): Promise<{ readonly settings?: FileSettings; readonly check: Check }> {
  const file = configFile(paths);
  const name = "configuration";
  if (!existsSync(file)) {
    const detail = `${file} is not there: everything is as Kari brings it`;
    return { settings: { extensions: DEFAULT_EXTENSIONS }, check: { name, status: "ok", detail } };
  }
  try {
    const { checkConfig } = await import("../config/file.ts");
    const { errors } = checkConfig(readFileSync(file, "utf8"), file);
    if (errors.length > 0) {
      const detail = errors.map(({ message }) => message).join("\n");
      return { check: { name, status: "failed", detail, advice: adviseOnFile(errors) } };
    }
    const settings = await loadSettings(paths);
    const open = openToOthers(file);
    const detail = `${file}: ${settings.extensions.length} extensions`;
    if (!open) return { settings, check: { name, status: "ok", detail } };
    return {
      settings,
      check: { name, status: "warning", detail: `${file} ${open}`, advice: `chmod 600 ${file}` },
    };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { check: { name, status: "failed", detail, advice: `Make ${file} readable.` } };
  }
}

function adviseOnFile(errors: readonly ConfigError[]): string {
  const lines = errors.flatMap(({ line }) => (line === undefined ? [] : [line]));
  const where = lines.length === 0 ? "it" : `line ${[...new Set(lines)].join(", ")}`;
  return `Mend ${where}; all keys are in docs/configuration.md. No extension was started.`;
}

/** Only where it matters and where modes exist. */
function openToOthers(file: string): string | undefined {
  if (process.platform === "win32") return undefined;
  const mode = statSync(file).mode & 0o777;
  return (mode & 0o077) === 0 ? undefined : `can be read by others (mode ${mode.toString(8)})`;
}

function checkFolder(name: string, folder: string): Check {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK);
    if (existing === folder) rmdirSync(mkdtempSync(join(folder, ".doctor-")));
    return {
      name,
      status: "ok",
      detail: existing === folder ? folder : `${folder} (made when it is needed)`,
    };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    return {
      name,
      status: "failed",
      detail: `${folder} cannot be written to (${reason})`,
      advice: `Give yourself the right to write in ${existing}, or choose another folder with KARI_CONFIG_DIR and KARI_DATA_DIR.`,
    };
  }
}

/** Nothing to say where nothing is kept. */
function checkSecrets({ paths, environment }: Surroundings): readonly Check[] {
  const name = "secrets";
  const secrets = openSecrets(paths, environment);
  try {
    const names = Object.entries(secrets.names());
    if (names.length === 0) return [];
    for (const [secret] of names) secrets.get(secret);
    const detail = names.map(([secret, place]) => `${secret} (${place})`).join(", ");
    return [{ name, status: "ok", detail }];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ name, status: "failed", detail, advice: "Give it again with kari config secret NAME." }];
  }
}

/** What would be used for the next question, as far as that can be known without leaving this machine. */
async function checkProvider(settings: FileSettings, { paths, environment }: Surroundings): Promise<Check> {
  const name = "provider";
  const secrets = openSecrets(paths, environment);
  try {
    const { choice, reason, isChosen } = await chooseModel({}, environment, settings, secrets, askLocally);
    await openChoice(choice);
    if (choice.provider === "offline" && !isChosen) {
      const advice = "The offline planner answers; it is no language model. For one: kari configure";
      return { name, status: "warning", detail: `none: ${reason}`, advice };
    }
    const why = isChosen ? "" : ` (${reason})`;
    return { name, status: "ok", detail: `${describeChoice(choice, environment)}, not asked${why}` };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, status: "failed", detail, advice: "Run kari configure, or see docs/configuration.md." };
  }
}

const askLocally: AskForModels = async (host, baseUrl) => {
  if (host.key !== "no") return undefined;
  const { probeServer } = await import("../providers/index.ts");
  return await probeServer(host, baseUrl);
};

function describeChoice(choice: ProviderChoice, environment: Surroundings["environment"]): string {
  const { provider, model, baseUrl, apiKey } = choice;
  if (provider === "offline") return "the offline planner, no language model";
  const fromOutside =
    apiKey && Object.entries(environment).find(([, value]) => value?.trim() === apiKey)?.[0];
  const key = apiKey ? `key from ${fromOutside ?? "the secret store"}` : "no key";
  return `${provider}, ${model}${baseUrl === undefined ? "" : ` at ${withoutPassword(baseUrl)}`}, ${key}`;
}

function withoutPassword(address: string): string {
  return address.replace(/\/\/[^/@]*@/, "//");
}
