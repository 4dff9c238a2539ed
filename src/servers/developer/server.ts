import { realpathSync } from "node:fs";
import { createChangeBus } from "../kit/changes.ts";
import type { ServerDefinition } from "../kit/server.ts";
import { PrivateFolder } from "./private-folder.ts";
import { BackgroundProcesses } from "./shell/background.ts";
import { PipePool } from "./shell/output-pipe.ts";
import { commandEnvironment, findShell } from "./shell/shell-program.ts";
import { createShellTool } from "./shell/shell-tool.ts";

export interface DeveloperServerOptions {
  /** Relative paths start here, and resources come from here alone. Must exist. */
  readonly workingDirectory: string;
  readonly version: string;
  /** What commands inherit; this process's own when not given. */
  readonly environment?: NodeJS.ProcessEnv;
}

export function createDeveloperServer(options: DeveloperServerOptions): ServerDefinition {
  const { environment = process.env } = options;
  const workingDirectory = realpathSync.native(options.workingDirectory);
  const shell = findShell(environment);
  const folder = new PrivateFolder();
  const background = new BackgroundProcesses();
  const changes = createChangeBus();
  return {
    name: "developer",
    title: "Developer",
    version: options.version,
    instructions: "",
    tools: [
      createShellTool({
        workingDirectory,
        shell,
        env: { ...commandEnvironment(environment), ...background.marks(environment) },
        host: { folder, pipes: new PipePool(folder), background },
        onOutputKept: () => changes.publish({ type: "resources-changed" }),
      }),
    ],
    changes,
    async close() {
      await background.close();
      folder.close();
    },
  };
}
