import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_EXTENSIONS } from "../config/index.ts";
import { type Check, checkNode, diagnose } from "./doctor.ts";
import type { Surroundings } from "./surroundings.ts";

const SERVER = fileURLToPath(new URL("../../test/fixtures/misbehaving-server.ts", import.meta.url));

let folder: string;
let place: Surroundings;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-doctor-"));
  place = {
    paths: { config: join(folder, "config"), data: join(folder, "data") },
    environment: { PATH: process.env["PATH"], KARI_DISABLE_KEYRING: "1" },
    workingDirectory: folder,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const given = (text: string) => {
  mkdirSync(place.paths.config, { recursive: true });
  // Without the builtins: from source they would be started by the test runner's own entry.
  const off = DEFAULT_EXTENSIONS.map(({ name }) => `  ${name}: { type: builtin, enabled: false }\n`).join("");
  writeFileSync(join(place.paths.config, "config.yaml"), text + off, { mode: 0o600 });
};
const server = (name: string, mode: string) =>
  `  ${name}: { type: stdio, cmd: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(SERVER)}, ${mode}] }\n`;
const named = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name);

describe("the doctor", () => {
  test("R1: each extension is started, timed and counted; stray lines are counted with a sample", async () => {
    given(
      `extensions:\n${server("good", "ok")}${server("noisy", "garbage-start")}${server("dead", "exit-start")}`,
    );
    const seen: string[] = [];
    const { ok, extensions } = await diagnose({ ...place, onEnd: ({ name }) => seen.push(name) });
    expect(ok).toBe(false);
    expect(seen.sort()).toEqual(["dead", "good", "noisy"]);
    expect(extensions).toMatchObject([
      { name: "good", state: "ready", era: "legacy", resources: 0, stray: { count: 0 }, problems: [] },
      {
        name: "noisy",
        state: "ready",
        stray: { count: 2, samples: ["Listening on port 1234...", "{not json"] },
      },
      {
        name: "dead",
        state: "failed",
        error: expect.stringMatching(/exited with code 3[\s\S]*missing FOO_TOKEN/) as string,
        advice: expect.stringContaining("kari config secret FOO_TOKEN") as string,
      },
    ]);
    const [good] = extensions;
    expect(good?.state === "ready" && good.tools > 20 && good.startMs > 0 && good.pid !== undefined).toBe(
      true,
    );
  });

  test("one extension alone, and one that is not there", async () => {
    given(`extensions:\n${server("good", "ok")}${server("dead", "exit-start")}`);
    const { ok, extensions } = await diagnose({ ...place, extension: "good" });
    expect([ok, extensions.map(({ name }) => name)]).toEqual([true, ["good"]]);
    await expect(diagnose({ ...place, extension: "bad" })).rejects.toThrow(/no extension "bad"/);
  });

  test("a silent one is given up on after the time that was given", async () => {
    given(`extensions:\n${server("silent", "silent")}`);
    const { extensions } = await diagnose({ ...place, startupTimeoutMs: 200 });
    expect(extensions).toMatchObject([
      { state: "failed", advice: expect.stringContaining("does not answer") as string },
    ]);
  });

  test("a broken file: every mistake with its line, and nothing is started", async () => {
    given(`modle: x\nmax_turns: -1\nextensions:\n${server("good", "ok")}`);
    const { ok, checks, extensions } = await diagnose(place);
    expect([ok, extensions]).toEqual([false, []]);
    const check = named(checks, "configuration");
    expect(check).toMatchObject({
      status: "failed",
      advice: expect.stringMatching(/^Mend line 2, 1;/) as string,
    });
    expect(check?.detail).toMatch(/config\.yaml:2: max_turns.*\n.*config\.yaml:1: modle/);
  });

  test("S12: a file that others can read is a warning with the way to mend it", async () => {
    given("extensions:\n");
    chmodSync(join(place.paths.config, "config.yaml"), 0o644);
    const { ok, checks } = await diagnose(place);
    expect(ok).toBe(true);
    expect(named(checks, "configuration")).toMatchObject({
      status: "warning",
      detail: expect.stringContaining("can be read by others (mode 644)") as string,
      advice: expect.stringContaining("chmod 600") as string,
    });
  });

  test("nothing is made that was not there", async () => {
    given("extensions:\n");
    await diagnose(place);
    expect(existsSync(place.paths.data)).toBe(false);
  });

  test("a folder that cannot be written to fails", async () => {
    given("extensions:\n");
    writeFileSync(join(folder, "file"), "");
    const { checks } = await diagnose({ ...place, paths: { ...place.paths, data: join(folder, "file") } });
    expect(named(checks, "data folder")).toMatchObject({
      status: "failed",
      advice: expect.stringContaining("KARI_DATA_DIR") as string,
    });
  });

  test("the provider is judged without asking it: half of one, none at all, a whole one", async () => {
    const provider = async (text: string, more: Record<string, string> = {}) => {
      given(`${text}extensions:\n`);
      const { checks } = await diagnose({ ...place, environment: { ...place.environment, ...more } });
      return named(checks, "provider");
    };
    expect(await provider("provider: openai-compatible\nmodel: m\n")).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("base URL") as string,
    });
    expect(await provider("provider: anthropic\nmodel: m\n")).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("ANTHROPIC_API_KEY") as string,
    });
    expect(await provider("provider: nonsense\nmodel: m\n")).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("nonsense") as string,
    });
    expect(await provider("provider: offline\n")).toMatchObject({ status: "ok" });
    const key = { OPENAI_API_KEY: "canary" };
    expect(await provider("provider: openai\nmodel: m\nbase_url: http://localhost:1/v1\n", key)).toEqual({
      name: "provider",
      status: "ok",
      detail: "openai, m at http://localhost:1/v1, key from OPENAI_API_KEY, not asked",
    });
    expect(await provider("model: m\n", key)).toMatchObject({
      status: "ok",
      detail: expect.stringContaining("(OPENAI_API_KEY is set.)") as string,
    });
  });

  test("secrets that cannot be read are a failure that repeats none of them", async () => {
    given("extensions:\n");
    writeFileSync(join(place.paths.config, "secrets.json"), "{canary");
    const { checks } = await diagnose(place);
    expect(named(checks, "secrets")).toMatchObject({ status: "failed" });
    expect(JSON.stringify(checks)).not.toContain("canary");
  });
});

test("an old Node is told from a new one", () => {
  expect(["20.20.2", "22.17.9", "22.18.0", "24.1.0"].map((version) => checkNode(version).status)).toEqual([
    "failed",
    "failed",
    "ok",
    "ok",
  ]);
});
