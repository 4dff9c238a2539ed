/**
 * `node src/servers/wakashu/start.ts [options]`: the server from its source, without the rest of Kari.
 * Nothing imports this file.
 */
import { UsageError } from "../../lib/usage-error.ts";
import { runServer } from "../kit/command.ts";
import { wakashuCommand } from "./command.ts";
import { findPackage } from "./package-root.ts";

try {
  await runServer(wakashuCommand(findPackage()?.version ?? "0.0.0"), process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
