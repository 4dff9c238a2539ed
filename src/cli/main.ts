/**
 * The door of the program. It decides by the first word alone and loads nothing that the command does not need:
 * `--version` loads nothing at all, `mcp` loads one server and no agent.
 */
import { VERSION } from "../app/version.ts";

const [first, ...rest] = process.argv.slice(2);

if (first === "--version" || first === "-V") {
  console.log(VERSION);
} else {
  // When a launcher on an older Node started us and dies, we must not live on (bin/kari.js).
  if (process.env["KARI_LAUNCHED"] && process.channel) {
    process.channel.unref();
    process.once("disconnect", () => process.exit(1));
  }
  const { runCommand } = await import("./run-command.ts");
  process.exitCode = await runCommand(first, rest);
}
