/** `kari mcp developer`: the developer server on its own command line. */
import type { ServerCommand } from "../kit/command.ts";
import { createDeveloperServer } from "./server.ts";

export function developerCommand(version: string): ServerCommand {
  return {
    name: "developer",
    summary: "a shell, files and an editor that keeps encodings",
    options: {
      root: { type: "string", value: "DIR", help: "the working directory (where it is started)" },
    },
    create: async ({ root }) => ({
      definition: createDeveloperServer({
        workingDirectory: typeof root === "string" ? root : process.cwd(),
        version,
      }),
    }),
  };
}
