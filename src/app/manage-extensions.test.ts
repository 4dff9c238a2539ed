import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_EXTENSIONS } from "../config/index.ts";
import {
  addExtension,
  listExtensions,
  quote,
  removeExtension,
  secretsInClear,
  setExtensionEnabled,
} from "./manage-extensions.ts";
import type { Surroundings } from "./surroundings.ts";

let folder: string;
let place: Surroundings;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-manage-"));
  place = {
    paths: { config: join(folder, "config"), data: join(folder, "data") },
    environment: { KARI_DISABLE_KEYRING: "1" },
    workingDirectory: folder,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const given = (text: string) => {
  mkdirSync(place.paths.config, { recursive: true });
  writeFileSync(join(place.paths.config, "config.yaml"), text);
};
const file = () => readFileSync(join(place.paths.config, "config.yaml"), "utf8");
const MINE =
  "# mine\nextensions:\n  weather: { type: stdio, cmd: npx, args: [-y, a b], enabled: false } # later\n";

describe("listing", () => {
  test("without a file there are Kari's own", async () => {
    const rows = await listExtensions(place);
    expect(rows.map(({ name }) => name)).toEqual(DEFAULT_EXTENSIONS.map(({ name }) => name));
    expect(rows[0]).toMatchObject({
      name: "developer",
      key: "developer",
      kind: "builtin",
      origin: "default",
    });
  });

  test("what could not be started is said, and the others are listed", async () => {
    given(
      `${MINE}  a: { type: stdio, cmd: x, env_keys: [A_TOKEN] }\n  b: { type: builtin, name: nonsense }\n`,
    );
    const rows = (await listExtensions(place)).filter(({ origin }) => origin === "file");
    expect(rows.map(({ name, target, enabled, problem }) => [name, target, enabled, problem])).toEqual([
      ["weather", "npx -y 'a b'", false, undefined],
      ["a", "x", true, expect.stringContaining("A_TOKEN")],
      ["b", "nonsense", true, expect.stringContaining('no builtin extension "nonsense"')],
    ]);
  });
});

describe("changing", () => {
  test("adding keeps what is there, and says under which key its tools will be", async () => {
    given(MINE);
    const entry = { type: "sse", timeout: 5, uri: "http://localhost:1/sse" } as const;
    expect(await addExtension("Docs 検索", entry, place)).toMatchObject({ key: "docs" });
    expect(file()).toBe(
      `${MINE}  Docs 検索:\n    type: sse\n    uri: http://localhost:1/sse\n    timeout: 5\n`,
    );
  });

  test("a name that is taken under any spelling is refused", async () => {
    given(MINE);
    for (const name of ["weather", "Weather", "ＷＥＡＴＨＥＲ"]) {
      await expect(addExtension(name, { type: "stdio", cmd: "x" }, place)).rejects.toThrow(
        /There is an extension "weather" already \(npx -y 'a b'\)/,
      );
    }
    expect(file()).toBe(MINE);
  });

  test.each(["", " a", "a\nb", "a\u001b[0m", "\u202Ea", "platform", "Session!", "x".repeat(101)])(
    "%j cannot be a name",
    async (name) => {
      await expect(addExtension(name, { type: "stdio", cmd: "x" }, place)).rejects.toThrow(
        /cannot be a name/,
      );
    },
  );

  test("a builtin that is none, or an address that is none, is refused and nothing is written", async () => {
    given(MINE);
    await expect(addExtension("x", { type: "builtin" }, place)).rejects.toThrow(/There is no builtin "x"/);
    await expect(addExtension("x", { type: "sse", uri: "nowhere" }, place)).rejects.toThrow(
      /extensions\.x\.uri/,
    );
    expect(file()).toBe(MINE);
  });

  test("removing gives back what stood there", async () => {
    given(MINE);
    const { removed } = await removeExtension("Weather", place);
    expect(removed).toContain("weather: { type: stdio");
    expect(file()).toBe("# mine\nextensions: {}\n");
  });

  test("a name in another Unicode form is the same name", async () => {
    given(`extensions:\n  ${"がく".normalize("NFD")}: { type: stdio, cmd: x }\n`);
    await setExtensionEnabled("がく".normalize("NFC"), false, place);
    expect(file()).toContain("enabled: false");
    await removeExtension("がく", place);
    expect(file()).toBe("extensions: {}\n");
  });

  test("one of Kari's own can be switched off, on, and not removed", async () => {
    const developer = async () => (await listExtensions(place)).find(({ name }) => name === "developer");
    await expect(removeExtension("developer", place)).rejects.toThrow(/kari extensions disable developer/);
    expect(await setExtensionEnabled("developer", true, place)).toMatchObject({ changed: false });
    expect(await setExtensionEnabled("developer", false, place)).toMatchObject({ changed: true });
    expect(await developer()).toMatchObject({ name: "developer", enabled: false, origin: "file" });
    await setExtensionEnabled("developer", true, place);
    expect(await developer()).toMatchObject({ name: "developer", enabled: true });
  });

  test("a name that is not there is answered with the nearest", async () => {
    given(MINE);
    await expect(removeExtension("wether", place)).rejects.toThrow(/Did you mean "weather"/);
    await expect(setExtensionEnabled("zzzzzz", true, place)).rejects.toThrow(/no extension "zzzzzz"/);
  });
});

test("secrets that would stand in the file are named", () => {
  expect(
    secretsInClear({
      type: "stdio",
      cmd: "x",
      args: ["--token", "abc", "b"],
      envs: { A: "b", MY_KEY: "k", OTHER_KEY: "${K}" },
    }),
  ).toEqual(["MY_KEY", "argument 2"]);
  expect(
    secretsInClear({ type: "sse", uri: "https://a:b@c/", headers: { Authorization: "Bearer x" } }),
  ).toEqual(["Authorization", "the address"]);
});

test("words are quoted so that they can be typed", () => {
  expect(["a-b", "和歌/x", "", "a b", "it's", "$(rm)", "${HOME}/x"].map(quote)).toEqual([
    "a-b",
    "和歌/x",
    "''",
    "'a b'",
    "'it'\\''s'",
    "'$(rm)'",
    "${HOME}/x",
  ]);
});
