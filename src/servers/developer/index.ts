/**
 * The `developer` server: a shell, the files of a working directory, and edits of them.
 * Files and the environment are resources too. Everything it starts ends with it.
 */
export { isProtectedPath, type ProtectedPlaces } from "./protected-path.ts";
export { createDeveloperServer, type DeveloperServerOptions } from "./server.ts";
