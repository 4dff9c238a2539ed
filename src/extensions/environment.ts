/**
 * The environment of a child: what every program needs to work, plus what its configuration declares.
 * Never a provider's key: secrets reach only the extension that declares them. Names that would change which code
 * a child loads are not taken from a configuration: a file somebody sent must not preload a library.
 */
const ALLOWED = new Set(
  [
    // Who and where
    "HOME USER LOGNAME USERNAME SHELL PATH PWD TMPDIR TMP TEMP TZ HOSTNAME",
    // Language and terminal
    "LANG LANGUAGE TERM COLORTERM NO_COLOR FORCE_COLOR COLUMNS LINES EDITOR VISUAL PAGER",
    // Desktop and agents that hold keys for the person without showing them
    "DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK GPG_TTY",
    // Where toolchains live
    "JAVA_HOME GOPATH GOROOT GOBIN CARGO_HOME RUSTUP_HOME NVM_DIR VOLTA_HOME FNM_DIR PNPM_HOME BUN_INSTALL DENO_DIR",
    "PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX UV_CACHE_DIR RBENV_ROOT GEM_HOME ANDROID_HOME DOTNET_ROOT",
    // The way out
    "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS",
    // Windows
    "SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT WINDIR APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES USERPROFILE HOMEDRIVE HOMEPATH NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE",
    // Kari's own folders
    "KARI_CONFIG_DIR KARI_DATA_DIR",
  ]
    .join(" ")
    .split(" "),
);

/** The 31 names that goose refuses in a configuration; letters count without case, as on Windows. */
export const REFUSED_NAMES: ReadonlySet<string> = new Set(
  [
    "PATH PATHEXT SYSTEMROOT WINDIR",
    "LD_LIBRARY_PATH LD_PRELOAD LD_AUDIT LD_DEBUG LD_BIND_NOW LD_ASSUME_KERNEL",
    "DYLD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_FRAMEWORK_PATH",
    "PYTHONPATH PYTHONHOME NODE_OPTIONS RUBYOPT GEM_PATH GEM_HOME CLASSPATH GO111MODULE GOROOT",
    "APPINIT_DLLS SESSIONNAME COMSPEC TEMP TMP LOCALAPPDATA USERPROFILE HOMEDRIVE HOMEPATH",
  ]
    .join(" ")
    .split(" "),
);

export interface ChildEnvironment {
  readonly env: Record<string, string>;
  /** Declared names that were left out; whoever starts the child says so. */
  readonly refused: readonly string[];
}

export function childEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  declared: Readonly<Record<string, string>>,
): ChildEnvironment {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && isAllowed(name)) env[name] = value;
  }
  const refused: string[] = [];
  for (const [name, value] of Object.entries(declared)) {
    if (REFUSED_NAMES.has(name.toUpperCase())) refused.push(name);
    else env[name] = value;
  }
  return { env, refused };
}

function isAllowed(name: string): boolean {
  return ALLOWED.has(process.platform === "win32" ? name.toUpperCase() : name) || /^(LC_|XDG_)/.test(name);
}
