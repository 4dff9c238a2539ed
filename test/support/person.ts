/** A person with a home of their own who types commands: for the end-to-end tests of the commands about settings. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Finished, freshHome, type Home, kari, root } from "./kari.ts";

export interface Person {
  readonly home: Home;
  /** Where Kari keeps the person's settings; not there at first. */
  readonly folder: string;
  run(
    args: readonly string[],
    options?: { readonly env?: Record<string, string>; readonly input?: string },
  ): Promise<Finished>;
  config(): string;
  writeConfig(text: string): void;
  /** A file of another program, by its path in the home. Its full path. */
  writeFile(path: string, content: unknown): string;
  leave(): void;
}

/** A server that misbehaves on request, as the words of a command behind `--`. */
export const SERVER: string = join(root, "test", "fixtures", "misbehaving-server.ts");
export const server = (...mode: readonly string[]): string[] => ["--", process.execPath, SERVER, ...mode];

/** This machine's keyring is left alone. */
export const environment = { KARI_DISABLE_KEYRING: "1" };

export function freshPerson(): Person {
  const home = freshHome();
  const folder = join(home.path, ".config", "kari");
  const file = join(folder, "config.yaml");
  return {
    home,
    folder,
    run: (args, options = {}) => kari(args, { home, ...options, env: { ...environment, ...options.env } }),
    config: () => readFileSync(file, "utf8"),
    writeConfig(text) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, text, { mode: 0o600 });
    },
    writeFile(path, content) {
      const full = join(home.path, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, typeof content === "string" ? content : JSON.stringify(content));
      return full;
    },
    leave: () => home.remove(),
  };
}
