/**
 * Files that decide what runs, or what an agent may do, without anybody looking: an edit of them must always be
 * asked for, whatever was allowed before. Pure: the path is absolute, with its symlinks resolved, by the caller.
 */
export interface ProtectedPlaces {
  readonly home: string;
  /** Where the agent keeps its settings, permissions and sessions. */
  readonly agentFolders: readonly string[];
}

/** Compared without case and in one Unicode form, because some file systems do so. */
export function isProtectedPath(path: string, { home, agentFolders }: ProtectedPlaces): boolean {
  const wanted = fold(path);
  if (agentFolders.some((folder) => isWithin(fold(folder), wanted))) return true;
  if (REPOSITORY_PARTS.some((part) => part.test(wanted))) return true;
  const fromHome = isWithin(fold(home), wanted) ? wanted.slice(fold(home).length + 1) : undefined;
  return fromHome !== undefined && HOME_PARTS.some((part) => part.test(fromHome));
}

/** Hooks and settings of repositories, also of their worktrees and submodules; settings of agents and editors that run things. */
const REPOSITORY_PARTS: readonly RegExp[] = [
  /\/\.git$/,
  /\/\.git\/(.*\/)?hooks(\/|$)/,
  /\/\.git\/(.*\/)?config(\.worktree)?$/,
  /\/\.husky(\/|$)/,
  /\/\.kari(\/|$)/,
  /\/\.vscode\/(tasks|settings|launch)\.json$/,
  /\/\.envrc$/,
];

/** Read at every login or by every shell, and keys. */
const HOME_PARTS: readonly RegExp[] = [
  /^\.(bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|inputrc)$/,
  /^\.config\/(kari|fish|autostart|systemd|git)(\/|$)/,
  /^\.(local\/share\/kari|kari|ssh|gnupg|aws|kube|docker)(\/|$)/,
  /^\.(gitconfig|netrc|npmrc|pypirc|pam_environment)$/,
  /^library\/launchagents(\/|$)/,
];

function fold(path: string): string {
  const slashes = path.replaceAll("\\", "/").normalize("NFC").toLowerCase();
  // Windows drops dots and blanks at the end of a name.
  const names = slashes.split("/").map((name) => (/^\.+$/.test(name) ? name : name.replace(/[. ]+$/, "")));
  return names.join("/").replace(/(?<=.)\/+$/, "");
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
