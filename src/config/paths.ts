/** Where Kari keeps its files: XDG folders, unless the environment says otherwise. Pure. */
import { homedir } from "node:os";
import { join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Paths {
  /** `config.yaml` lives here. */
  readonly config: string;
  /** Sessions, remembered listings. */
  readonly data: string;
}

export function pathsFrom(environment: Environment): Paths {
  const home = environment["HOME"] || environment["USERPROFILE"] || homedir();
  return {
    config:
      environment["KARI_CONFIG_DIR"] || join(environment["XDG_CONFIG_HOME"] || join(home, ".config"), "kari"),
    data:
      environment["KARI_DATA_DIR"] ||
      join(environment["XDG_DATA_HOME"] || join(home, ".local", "share"), "kari"),
  };
}

export function configFile(paths: Paths): string {
  return join(paths.config, "config.yaml");
}
