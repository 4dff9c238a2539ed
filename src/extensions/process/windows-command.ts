/**
 * How a program is started on Windows, where `npx` is `npx.cmd` and Node refuses to start scripts of that kind by
 * itself: they go through cmd.exe, which reads its line in its own way, so every argument is quoted for the program
 * and then again for cmd.exe. Pure: the file system is a function that is passed in, so that it is tested anywhere.
 */
import { win32 } from "node:path";

export interface WindowsCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The arguments are one line that is already as cmd.exe wants it. */
  readonly windowsVerbatimArguments: boolean;
}

export interface WindowsPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  isFile(path: string): boolean;
}

const DEFAULT_PATHEXT = ".COM;.EXE;.BAT;.CMD";

export function windowsCommand(
  command: string,
  args: readonly string[],
  place: WindowsPlace,
): WindowsCommand {
  const found = findProgram(command, place);
  if (found === undefined || !/\.(cmd|bat)$/i.test(found))
    return { command: found ?? command, args, windowsVerbatimArguments: false };
  // A shim of npm hands its arguments to cmd.exe once more.
  const rounds = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(found) ? 2 : 1;
  const line = [
    escapeForCmd(quoteIfNeeded(win32.normalize(found)), 1),
    ...args.map((arg) => escapeForCmd(quoteArgument(arg), rounds)),
  ];
  const shell = variable(place.env, "COMSPEC") ?? "cmd.exe";
  return { command: shell, args: ["/d", "/s", "/c", `"${line.join(" ")}"`], windowsVerbatimArguments: true };
}

/** As cmd.exe looks for a program: the folder itself, then PATH, with each extension of PATHEXT. */
export function findProgram(command: string, { env, cwd, isFile }: WindowsPlace): string | undefined {
  const extensions = (variable(env, "PATHEXT") ?? DEFAULT_PATHEXT)
    .split(";")
    .filter((extension) => extension !== "");
  const named = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  const candidates = named
    ? [command]
    : extensions.map((extension) => `${command}${extension.toLowerCase()}`);
  const folders = /[\\/]/.test(command)
    ? [cwd]
    : [cwd, ...(variable(env, "PATH") ?? "").split(";").map((folder) => folder.replace(/^"|"$/g, ""))];
  for (const folder of folders.filter((folder) => folder !== "")) {
    for (const candidate of candidates) {
      const path = win32.resolve(cwd, folder, candidate);
      if (isFile(path)) return path;
    }
  }
  return undefined;
}

/** For the program: in quotes, with backslashes doubled where they stand before a quote or at the end. */
export function quoteArgument(argument: string): string {
  const escaped = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1");
  return `"${escaped}"`;
}

function quoteIfNeeded(path: string): string {
  return /[\s"]/.test(path) ? quoteArgument(path) : path;
}

/** For cmd.exe: nothing in it is an operator, a variable or a quote. */
function escapeForCmd(text: string, rounds: number): string {
  let escaped = text;
  for (let round = 0; round < rounds; round++) escaped = escaped.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
  return escaped;
}

/** Names of variables have no case on Windows. */
function variable(env: WindowsPlace["env"], name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}
