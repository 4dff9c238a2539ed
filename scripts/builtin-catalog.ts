/**
 * Asks each built builtin server what it offers and writes dist/builtin-catalog.json (src/app/builtin-catalog.ts).
 * It speaks the protocol by hand: what is written is exactly what a client would have been told.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CATALOG_FILE } from "../src/app/builtin-catalog.ts";
import { builtinNames } from "../src/app/builtins.ts";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "kari-build", version: "0" },
};

const catalog: Record<string, unknown> = {};
for (const name of builtinNames()) catalog[name] = await ask(name);
writeFileSync(join(dist, CATALOG_FILE), JSON.stringify(catalog));

async function ask(name: string): Promise<unknown> {
  // An empty folder: what a server offers must not depend on where it was built.
  const cwd = mkdtempSync(join(tmpdir(), "kari-catalog-"));
  const child = spawn(process.execPath, [join(dist, "../bin/kari.js"), "mcp", name], {
    cwd,
    stdio: ["pipe", "pipe", "inherit"],
    // What is compiled for these few questions is not what later processes need.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const request = async (method: string): Promise<Record<string, unknown>> => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { _meta: META } })}\n`);
    for (;;) {
      const line = await lines.next();
      if (line.done) throw new Error(`${name} ended before it answered ${method}`);
      const message = JSON.parse(line.value) as {
        id?: number;
        result?: Record<string, unknown>;
        error?: unknown;
      };
      if (message.id !== id) continue;
      if (!message.result)
        throw new Error(`${name} answered ${method} with ${JSON.stringify(message.error)}`);
      return message.result;
    }
  };
  try {
    const discover = await request("server/discover");
    const { tools } = await request("tools/list");
    const capabilities = discover["capabilities"] as {
      resources?: { subscribe?: boolean; listChanged?: boolean };
    };
    const instructions = discover["instructions"];
    return {
      listing: {
        tools,
        ...(typeof instructions === "string" && { instructions }),
        hasResources: capabilities.resources !== undefined,
        ...(capabilities.resources?.subscribe &&
          capabilities.resources.listChanged && { tellsChanges: true }),
      },
      prior: { kind: "modern", discover },
    };
  } finally {
    child.stdin.end();
    await once(child, "exit");
    rmSync(cwd, { recursive: true, force: true });
  }
}
