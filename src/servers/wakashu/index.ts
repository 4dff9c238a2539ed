export { wakashuCommand } from "./command.ts";
export { sampleRoot } from "./package-root.ts";
export { createWakashuServer, type WakashuServer, type WakashuServerOptions } from "./server.ts";
