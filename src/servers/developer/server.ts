import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createChangeBus } from "../kit/changes.ts";
import type { ServerDefinition } from "../kit/server.ts";
import { EnvironmentSummary } from "./environment.ts";
import { Workspace } from "./files/workspace.ts";
import { createListFilesTool } from "./list-files.ts";
import { PrivateFolder } from "./private-folder.ts";
import { createReadFileTool } from "./read-file.ts";
import { DeveloperResources } from "./resources.ts";
import { BackgroundProcesses } from "./shell/background.ts";
import { PipePool } from "./shell/output-pipe.ts";
import { ReadyShells } from "./shell/ready-shells.ts";
import { commandEnvironment, findShell } from "./shell/shell-program.ts";
import { createShellTool } from "./shell/shell-tool.ts";
import { createTextEditorTool } from "./text-editor.ts";
import { WorkspaceWatch } from "./watch.ts";

export interface DeveloperServerOptions {
  /** Relative paths start here, and resources come from here alone. Must exist. */
  readonly workingDirectory: string;
  readonly version: string;
  /** What commands inherit; this process's own when not given. */
  readonly environment?: NodeJS.ProcessEnv;
  /** How much of one command's output is kept before it is ended; 256 MiB when not given. */
  readonly maxOutputBytes?: number;
}

export function createDeveloperServer(options: DeveloperServerOptions): ServerDefinition {
  const { environment = process.env } = options;
  const workingDirectory = realpathSync.native(options.workingDirectory);
  const shell = findShell(environment);
  const env = commandEnvironment(environment);
  const folder = new PrivateFolder();
  const background = new BackgroundProcesses();
  const pipes = new PipePool(folder);
  const ready = new ReadyShells({
    shell,
    cwd: workingDirectory,
    pipes,
    environment: () => background.environment(env),
  });
  const changes = createChangeBus();
  const workspace = new Workspace(workingDirectory, folder);
  const watch = new WorkspaceWatch(workingDirectory, changes);
  return {
    name: "developer",
    title: "Developer",
    version: options.version,
    instructions: instructionsFor(shell.name),
    tools: [
      createShellTool({
        workingDirectory,
        shell,
        env,
        host: { folder, pipes, background, ready },
        ...(options.maxOutputBytes !== undefined && { maxOutputBytes: options.maxOutputBytes }),
        onOutputKept: () => changes.publish({ type: "resources-changed" }),
      }),
      createTextEditorTool({
        workspace,
        onChange: (path) => changes.publish({ type: "resource-updated", uri: pathToFileURL(path).href }),
      }),
      createReadFileTool(workspace),
      createListFilesTool(workspace),
    ],
    resources: new DeveloperResources({
      workspace,
      folder,
      environment: new EnvironmentSummary({ workingDirectory, shell: shell.name, env }),
      startWatching: () => watch.start(),
    }),
    changes,
    async close() {
      await ready.close();
      await Promise.all([background.close(), watch.close()]);
      folder.close();
    },
  };
}

/** The same wherever it runs: they are known from the build, before any working directory is. */
function instructionsFor(shell: string): string {
  return [
    `Relative paths start in the working directory. Commands run in ${shell}.`,
    "To look around, use list_files and read_file: they only read and need no approval. Search with shell (rg if it is there, else grep -rn).",
    "To change a file, use text_editor: view or read what you change first, then str_replace with enough context to be unique. It keeps a file's encoding and line ends, which sed and echo may not.",
    "Run builds and tests with shell, and give a timeout when they take longer than five minutes.",
  ].join("\n");
}
