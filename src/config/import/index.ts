export type { Ask } from "./host-variables.ts";
export { variableName } from "./host-variables.ts";
export { HOST_IDS, HOSTS, type HostFile, type HostId, hostFiles, hostOfPath, type Place } from "./hosts.ts";
export { type ImportedServer, type ImportFile, readHostFile } from "./read-host-file.ts";
export { holdsSecret, isSecret } from "./secret-values.ts";
export type { ServerReading } from "./server-entry.ts";
