/**
 * `node src/servers/wakashu/start.ts [options]`: the server from its source, without the rest of Kari.
 * Nothing imports this file.
 */
import { runWakashu } from "./main.ts";
import { OptionsError } from "./options.ts";

try {
  await runWakashu(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof OptionsError ? 2 : 1;
}
