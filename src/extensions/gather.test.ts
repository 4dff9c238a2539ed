/** Which extensions the first question waits for. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openManager } from "../../test/support/open-manager.ts";
import { createListingMemory } from "../app/listing-memory.ts";
import type { ExtensionConfig } from "./index.ts";

const server = fileURLToPath(new URL("../../test/fixtures/misbehaving-server.ts", import.meta.url));
const starting = (...args: string[]): ExtensionConfig => ({
  type: "stdio",
  key: "waits",
  command: process.execPath,
  args: [server, ...args],
  env: {},
});
/** Longer than any test may take: whoever waits for it fails. */
const FOREVER = 3_600_000;

test("one that was waited for in vain is not waited for again until it has been there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gather-"));
  const gate = join(folder, "gate");
  const config = starting("wait-for", gate);
  const open = () => openManager({}, { memory: createListingMemory(folder) });

  const first = open();
  first.add(config);
  await first.manager.gather(50);
  await first.manager.stop();

  const second = open();
  const extension = second.add(config);
  await second.manager.gather(FOREVER);
  expect(extension.state.type).toBe("starting");
  // It starts all the same, and when it is there its tools are known from then on.
  writeFileSync(gate, "");
  await extension.start();
  await second.manager.stop();

  const third = open();
  expect(third.add(config).listing?.tools.length).toBeGreaterThan(0);
  rmSync(folder, { recursive: true, force: true });
});

test("one that is required is waited for although it was late", async () => {
  const { manager, add } = openManager(
    {},
    {
      memory: { recall: () => undefined, remember: () => {}, wasLate: () => true, noteLate: () => {} },
    },
  );
  const extension = add({ ...starting("slow-start", "200"), required: true });
  await manager.gather(1);
  expect(extension.state.type).toBe("ready");
});
