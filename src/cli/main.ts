/** The program, run from its sources. What was built is started by bin/kari.js. */
import { enter } from "./door.ts";

await enter(process.argv.slice(2));
