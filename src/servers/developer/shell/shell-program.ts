/** Which shell runs commands here, and the environment that keeps them from waiting for a person. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export interface ShellProgram {
  readonly name: string;
  argv(command: string): readonly [string, ...string[]];
}

export function findShell(environment: NodeJS.ProcessEnv = process.env): ShellProgram {
  if (process.platform === "win32") return findWindowsShell(environment);
  const bash = findProgram("bash", environment) ?? ["/bin/bash", "/usr/bin/bash"].find(isExecutable);
  const file = bash ?? "/bin/sh";
  return { name: bash ? "bash" : "sh", argv: (command) => [file, "-c", command] };
}

/** Programs that ask, page, colour or open an editor would hang or garble: nobody is there to answer. */
export function commandEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const { FORCE_COLOR: _force, CLICOLOR_FORCE: _clicolor, ...rest } = environment;
  const inherited = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const noEditor =
    "sh -c 'echo No editor can be opened here. Give the text with an option, such as -m. >&2; exit 1'";
  return {
    PYTHONUNBUFFERED: "1",
    ...Object.fromEntries(inherited),
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    SYSTEMD_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: noEditor,
    GIT_SEQUENCE_EDITOR: noEditor,
    SSH_ASKPASS_REQUIRE: "never",
    DEBIAN_FRONTEND: "noninteractive",
  };
}

function findWindowsShell(environment: NodeJS.ProcessEnv): ShellProgram {
  const powershell = findProgram("pwsh.exe", environment) ?? findProgram("powershell.exe", environment);
  if (powershell !== undefined) {
    const options = ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command"] as const;
    return { name: "powershell", argv: (command) => [powershell, ...options, command] };
  }
  const cmd = environment["ComSpec"] ?? "cmd.exe";
  return { name: "cmd", argv: (command) => [cmd, "/d", "/s", "/c", command] };
}

export function findProgram(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const folders = (environment["PATH"] ?? environment["Path"] ?? "")
    .split(delimiter)
    .filter((path) => path !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
