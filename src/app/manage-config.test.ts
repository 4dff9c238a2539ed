import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  getSetting,
  listSecrets,
  removeSecret,
  setSetting,
  showValue,
  storeSecret,
  unsetSetting,
} from "./manage-config.ts";
import type { Surroundings } from "./surroundings.ts";

let folder: string;
let place: Surroundings;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-config-"));
  place = {
    paths: { config: folder, data: join(folder, "data") },
    environment: { KARI_DISABLE_KEYRING: "1" },
    workingDirectory: folder,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const given = (text: string) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yaml"), text);
};
const file = () => readFileSync(join(folder, "config.yaml"), "utf8");

describe("single settings", () => {
  test("are read as the file says them", () => {
    given("model: m\nextensions:\n  my.server: { type: stdio, cmd: x, args: [a, 2] }\n");
    expect(getSetting("model", place)).toBe("m");
    expect(getSetting("extensions.my.server.args", place)).toEqual(["a", 2]);
    expect(getSetting("extensions.my.server.args.1", place)).toBe(2);
    expect(getSetting("provider", place)).toBeUndefined();
    expect(getSetting("constructor.name", place)).toBeUndefined();
    expect(getSetting(undefined, place)).toEqual({
      model: "m",
      extensions: { "my.server": { type: "stdio", cmd: "x", args: ["a", 2] } },
    });
  });

  test("without a file there is nothing, and a broken one is an error", () => {
    expect(getSetting(undefined, place)).toEqual({});
    given("a: [\n");
    expect(() => getSetting("model", place)).toThrow(/config\.yaml:2: not valid YAML/);
  });

  test.each([
    ["model", "claude", "model: claude\n"],
    ["model", "4", 'model: "4"\n'],
    ["model", "true", 'model: "true"\n'],
    ["model", "a: b", 'model: "a: b"\n'],
    ["model", "[", 'model: "["\n'],
    ["model", "和歌", "model: 和歌\n"],
    ["max_turns", "7", "max_turns: 7\n"],
    ["tool_search.enabled", "false", "tool_search:\n  enabled: false\n"],
    ["base_url", "http://localhost:1/v1", "base_url: http://localhost:1/v1\n"],
  ])("%s = %s is written as %j", async (key, value, written) => {
    given("");
    await setSetting(key, value, place);
    expect(file()).toBe(written);
  });

  test.each([
    ["max_turns", "many", /^max_turns: .*Nothing was changed/],
    ["approve", "maybe", /^approve: /],
    ["base_url", "nowhere", /^base_url: /],
    ["modle", "m", /There is no setting "modle"\. Did you mean "model"/],
    ["extensions.x.timeout", "3", /There is no extension "x"/],
    ["extensions.developer.frob", "3", /extensions\.developer\.frob: is not a setting/],
    ["extensions.developer.timeout", "soon", /extensions\.developer\.timeout/],
    ["model", "  ", /kari config unset model/],
  ])("%s = %s is refused, and nothing is written", async (key, value, message) => {
    given("# mine\n");
    await expect(setSetting(key, value, place)).rejects.toThrow(message);
    expect(file()).toBe("# mine\n");
  });

  test("one of Kari's own extensions need not be in the file", async () => {
    given("");
    await setSetting("extensions.developer.timeout", "60", place);
    expect(file()).toBe("extensions:\n  developer:\n    type: builtin\n    timeout: 60\n");
  });

  test("S11: a secret in clear is said to be one", async () => {
    given("extensions:\n  a: { type: sse, uri: 'http://x' }\n");
    const key = "extensions.a.headers.Authorization";
    expect(await setSetting(key, "Bearer abc", place)).toMatchObject({ inClear: true });
    expect(await setSetting(key, "Bearer ${TOKEN}", place)).toMatchObject({ inClear: false });
  });

  test("unset takes out one line and no more", async () => {
    given("# a\nmodel: m # b\nprovider: p\n");
    expect(await unsetSetting("model", place)).toMatchObject({ changed: true });
    expect(file()).toBe("# a\nprovider: p\n");
    expect(await unsetSetting("model", place)).toMatchObject({ changed: false });
  });

  test("values are shown as a person would write them", () => {
    expect([showValue("a"), showValue(5), showValue(["a", "b"]), showValue({ a: { b: 1 } })]).toEqual([
      "a",
      "5",
      "- a\n- b",
      "a:\n  b: 1",
    ]);
  });
});

describe("secrets", () => {
  test("are kept, listed by name, and forgotten", async () => {
    expect(await storeSecret("A_KEY", " abc\n", place)).toMatchObject({ name: "A_KEY", place: "file" });
    expect(listSecrets(place)).toEqual([{ name: "A_KEY", place: "file" }]);
    expect([await removeSecret("A_KEY", place), await removeSecret("A_KEY", place)]).toEqual([true, false]);
  });

  test("a name that is none, or no value, is refused", async () => {
    await expect(storeSecret("a b", "x", place)).rejects.toThrow(/cannot be the name of a variable/);
    await expect(storeSecret("A", "\n", place)).rejects.toThrow(/No value was given for A/);
  });
});
