/** So that the command line can tell a configuration fault from a failure without seeing the config room. */
export { ConfigError } from "../config/config-error.ts";
