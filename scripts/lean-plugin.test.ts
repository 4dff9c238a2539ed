import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";
import { leanPlugin } from "./lean-plugin.ts";

type Bundle = Pick<typeof import("@modelcontextprotocol/server"), "Server"> &
  Pick<typeof import("@modelcontextprotocol/client"), "Client"> &
  Pick<typeof import("zod"), "z">;

async function bundle(plugins: Plugin[]) {
  const { metafile, outputFiles } = await build({
    stdin: {
      contents: `
        export { Server } from "@modelcontextprotocol/server";
        export { Client } from "@modelcontextprotocol/client";
        export { z } from "zod";`,
      resolveDir: import.meta.dirname,
    },
    plugins,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    metafile: true,
    banner: { js: 'import{createRequire as r}from"node:module";const require=r(import.meta.url);' },
  });
  return { inputs: Object.keys(metafile.inputs).join("\n"), code: outputFiles[0]?.text ?? "" };
}

test("the validator and the languages are left out, and what is left works", async () => {
  const [whole, lean] = [await bundle([]), await bundle([leanPlugin])];
  for (const heavy of [/server.*ajvProvider/, /client.*ajvProvider/, /zod\/v4\/locales\/ja\.js/]) {
    expect(whole.inputs).toMatch(heavy);
    expect(lean.inputs).not.toMatch(heavy);
  }
  const file = join(mkdtempSync(join(tmpdir(), "kari-lean-")), "bundle.mjs");
  writeFileSync(file, lean.code);
  const { Server, Client, z } = (await import(/* @vite-ignore */ file)) as Bundle;
  expect(new Server({ name: "a", version: "1" })).toBeInstanceOf(Server);
  expect(new Client({ name: "a", version: "1" })).toBeInstanceOf(Client);
  rmSync(dirname(file), { recursive: true });
  expect(z.string().safeParse(1).error?.issues[0]?.message).toBe(
    "Invalid input: expected string, received number",
  );
});
