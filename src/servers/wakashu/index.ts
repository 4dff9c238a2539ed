export { runWakashu } from "./main.ts";
export { OptionsError, parseWakashuOptions, WAKASHU_USAGE, type WakashuCommand } from "./options.ts";
export { sampleRoot } from "./package-root.ts";
export { createWakashuServer, type WakashuServer, type WakashuServerOptions } from "./server.ts";
