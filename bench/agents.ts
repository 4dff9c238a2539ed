/** The agents under measurement, as commands: Kari as it is built here, and goose when it was asked for. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Agent {
  readonly name: string;
  readonly command: readonly string[];
  env(llm: string): Readonly<Record<string, string>>;
  /** Arguments of one request with the shell extension, and with a stdio server beside it. */
  plain(prompt: string): readonly string[];
  withServer(prompt: string, server: string): readonly string[];
}

const root = fileURLToPath(new URL("..", import.meta.url));

/** A server we did not write, for the stdio rows. */
export const ECHO_SERVER = `node ${join(root, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")} stdio`;

export const kari: Agent = {
  name: "kari",
  command: [process.execPath, join(root, "bin", "kari.js")],
  env: (llm) => ({
    KARI_PROVIDER: "openai-compatible",
    KARI_MODEL: "mock-model",
    OPENAI_BASE_URL: `${llm}/v1`,
    OPENAI_API_KEY: "x",
    KARI_DISABLE_KEYRING: "1",
  }),
  plain: (prompt) => [
    "run",
    "--no-session",
    "--no-profile",
    "--approve",
    "all",
    "--with-builtin",
    "developer",
    "-t",
    prompt,
  ],
  withServer: (prompt, server) => [...kari.plain(prompt), "--with-extension", `everything:${server}`],
};

const GOOSE_VERSION = "1.52.0";

/** Installs goose by its package name into a temporary folder; `folder` reuses an earlier one. */
export function installGoose(folder = mkdtempSync(join(tmpdir(), "kari-bench-goose-"))): Agent {
  const name = `@aaif/goose-binary-${process.platform}-${process.arch}`;
  const result = spawnSync("npm", ["install", "--prefix", folder, "--no-save", `${name}@${GOOSE_VERSION}`], {
    stdio: "ignore",
  });
  if (result.status !== 0) throw new Error(`npm could not install ${name}@${GOOSE_VERSION}`);
  const goose: Agent = {
    name: `goose ${GOOSE_VERSION}`,
    command: [join(folder, "node_modules", name, "bin", "goose")],
    env: (llm) => ({
      GOOSE_PROVIDER: "openai",
      OPENAI_HOST: llm,
      OPENAI_API_KEY: "x",
      GOOSE_MODEL: "mock-model",
      GOOSE_DISABLE_KEYRING: "1",
      GOOSE_MODE: "auto",
      GOOSE_TELEMETRY_ENABLED: "false",
    }),
    plain: (prompt) => ["run", "--no-session", "--no-profile", "--with-builtin", "developer", "-t", prompt],
    withServer: (prompt, server) => [...goose.plain(prompt), "--with-extension", `everything:${server}`],
  };
  return goose;
}
