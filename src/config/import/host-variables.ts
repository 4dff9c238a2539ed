/**
 * Turns the variables of other hosts into Kari's two forms, `${NAME}` and `${NAME:-default}`. What only an editor
 * knows (`${command:…}`) cannot be meant here and is given back as a reason to refuse.
 */
import type { Dialect } from "./hosts.ts";
import type { Input } from "./server-map.ts";

export interface VariableContext {
  readonly dialect: Dialect;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Undefined in a file of the person's own: there `${workspaceFolder}` is wherever Kari is started. */
  readonly project?: string;
  readonly inputs: readonly Input[];
}

export interface Translated {
  readonly text: string;
  /** Variables that cannot be translated. */
  readonly unknown: readonly string[];
  readonly notes: readonly string[];
  /** Values that the person is asked for, by the name under which Kari will look for them. */
  readonly asks: readonly Ask[];
}

export interface Ask {
  readonly name: string;
  readonly description: string;
}

type Replacement =
  | string
  | { readonly text: string; readonly note?: string; readonly ask?: Ask }
  | { readonly unknown: true };

const BRACED = /\$\{([^{}]*)\}|\{(env|file):([^{}]*)\}/g;
const BARE = /\$([A-Za-z_][A-Za-z0-9_]*)/g;

export function translateVariables(text: string, context: VariableContext): Translated {
  const unknown: string[] = [];
  const notes: string[] = [];
  const asks: Ask[] = [];
  const put = (whole: string, replacement: Replacement): string => {
    if (typeof replacement === "string") return replacement;
    if ("unknown" in replacement) {
      unknown.push(whole);
      return whole;
    }
    if (replacement.note !== undefined) notes.push(replacement.note);
    if (replacement.ask !== undefined) asks.push(replacement.ask);
    return replacement.text;
  };
  const bare = context.dialect.bareDollar ? text.replace(BARE, (_, name: string) => `\${${name}}`) : text;
  const translated = bare.replace(
    BRACED,
    (whole: string, braced?: string, kind?: string, argument?: string) => {
      if (braced !== undefined) return put(whole, dollar(braced, context));
      return put(whole, kind === "env" && argument ? `\${${argument}}` : { unknown: true });
    },
  );
  return { text: translated, unknown, notes, asks };
}

/** The upper-case name of an environment variable made from any words. */
export function variableName(...words: readonly string[]): string {
  const name = words
    .join("_")
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[A-Z_]/.test(name) ? name : `_${name}`;
}

function dollar(inner: string, context: VariableContext): Replacement {
  const { platform, project, inputs } = context;
  if (/^[A-Za-z_][A-Za-z0-9_]*(?::-.*)?$/s.test(inner)) return environmentOrFolder(inner, context);
  const [kind = "", argument = ""] = inner.split(/:(.*)/s);
  if (kind === "env" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(argument)) return `\${${argument}}`;
  if (kind === "input") return ask(argument, inputs);
  if (inner === "/") return separator(platform);
  // With several folders open, `${workspaceFolder:name}` is one of them; here there is one.
  if (kind === "workspaceFolder" && project !== undefined) return project;
  return { unknown: true };
}

function environmentOrFolder(
  inner: string,
  { dialect, home, platform, project }: VariableContext,
): Replacement {
  switch (inner) {
    case "userHome":
      return home;
    case "pathSeparator":
      return separator(platform);
    case "workspaceFolder":
    case "workspaceRoot":
    case "CLAUDE_PROJECT_DIR":
      if (project !== undefined) return project;
      return {
        text: ".",
        note: `\${${inner}} becomes ".": the folder in which Kari is started`,
      };
    case "workspaceFolderBasename":
      return project === undefined ? { unknown: true } : (project.split(/[\\/]/).at(-1) ?? "");
    default: {
      const text = `\${${inner}}`;
      if (dialect.variables) return text;
      return { text, note: `${text} is filled in by Kari; the program it comes from leaves it as it is` };
    }
  }
}

function ask(id: string, inputs: readonly Input[]): Replacement {
  const input = inputs.find((candidate) => candidate.id === id);
  const name = variableName(id);
  if (input?.default !== undefined && !input.password) return `\${${name}:-${input.default}}`;
  return { text: `\${${name}}`, ask: { name, description: input?.description ?? id } };
}

function separator(platform: NodeJS.Platform): string {
  return platform === "win32" ? "\\" : "/";
}
