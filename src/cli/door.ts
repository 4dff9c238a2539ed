/**
 * The door of the program. It decides by the first word alone and loads nothing that the command does not need:
 * `mcp` loads one server and no agent.
 */
import { VERSION } from "../app/version.ts";

/** As a shell reports a program that SIGPIPE ended. */
const EXIT_PIPE = 141;

export async function enter([first, ...rest]: readonly string[]): Promise<void> {
  if (first === "--version" || first === "-V") return console.log(VERSION);
  // When a launcher on an older Node started us and dies, we must not live on (bin/kari.js).
  if (process.env["KARI_LAUNCHED"] && process.channel) {
    process.channel.unref();
    process.once("disconnect", () => process.exit(1));
  }
  // Whoever read our output is gone (`kari … | head`): there is nobody left to tell anything.
  process.stdout.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? EXIT_PIPE : 1),
  );
  const { runCommand } = await import("./run-command.ts");
  process.exitCode = await runCommand(first, rest);
}
