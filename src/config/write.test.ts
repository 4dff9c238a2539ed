import { spawn } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseConfig } from "./file.ts";
import { editConfig } from "./write.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-write-"));
  file = join(folder, "kari", "config.yaml");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const given = (text: string) => {
  mkdirSync(join(folder, "kari"), { recursive: true });
  writeFileSync(file, text, { mode: 0o644 });
};
const now = () => readFileSync(file, "utf8");
const setModel = (value: string) => editConfig(file, () => [{ type: "set", path: ["model"], value }]);

describe("writing config.yaml", () => {
  test("S12: a first file is made with its folder, for the person alone", async () => {
    await setModel("m");
    expect(now()).toMatch(/^# Settings of Kari.*\nmodel: m\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "kari")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, "kari"))).toEqual(["config.yaml"]);
  });

  test("a broken file is not touched, and its line is named", async () => {
    for (const broken of ["model: [\n", "provider: x\nmodle: y\n"]) {
      given(broken);
      await expect(setModel("m")).rejects.toThrow(/config\.yaml:2: /);
      expect(now()).toBe(broken);
    }
  });

  test("a change that would break it is refused", async () => {
    given("model: a\n");
    const edits = editConfig(file, () => [{ type: "set", path: ["max_turns"], value: -1 }]);
    await expect(edits).rejects.toThrow(/^max_turns: .*Nothing was changed\.$/);
    expect(now()).toBe("model: a\n");
  });

  test("nothing to change writes nothing", async () => {
    given("model: a\n");
    const before = statSync(file).mtimeMs;
    await editConfig(file, () => []);
    await setModel("a");
    expect([now(), statSync(file).mtimeMs]).toEqual(["model: a\n", before]);
  });

  test("a link to a file kept elsewhere stays a link", async () => {
    const kept = join(folder, "dotfiles.yaml");
    writeFileSync(kept, "model: a\n");
    mkdirSync(join(folder, "kari"));
    symlinkSync(kept, file);
    await setModel("b");
    expect([readFileSync(kept, "utf8"), lstatSync(file).isSymbolicLink()]).toEqual(["model: b\n", true]);
  });

  test("an editor that saves while we are at it loses nothing", async () => {
    given("model: a\n");
    let calls = 0;
    await editConfig(file, (settings) => {
      calls += 1;
      if (calls === 1) writeFileSync(file, "model: a\nprovider: written-meanwhile\n");
      return [{ type: "set", path: ["approve"], value: settings.provider ? "ask" : "none" }];
    });
    expect([calls, now()]).toEqual([2, "model: a\nprovider: written-meanwhile\napprove: ask\n"]);
  });

  test("a program that never stops saving is an error, and its last word stands", async () => {
    given("model: a\n");
    let calls = 0;
    const edits = editConfig(file, () => {
      calls += 1;
      writeFileSync(file, `model: a${calls}\n`);
      return [{ type: "set", path: ["approve"], value: "ask" }];
    });
    await expect(edits).rejects.toThrow(/being changed by another program/);
    expect(now()).toBe(`model: a${calls}\n`);
  });

  test("a folder that cannot be written to is one clear error", async () => {
    given("model: a\n");
    if (process.getuid?.() === 0) {
      // root may write anywhere: a file in the place of the folder does the same.
      rmSync(join(folder, "kari"), { recursive: true });
      writeFileSync(join(folder, "kari"), "");
      await expect(setModel("b")).rejects.toThrow(/EEXIST|ENOTDIR/);
      return;
    }
    chmodSync(join(folder, "kari"), 0o500);
    await expect(setModel("b")).rejects.toThrow(/cannot be written \(EACCES\)/);
  });

  test("C15: processes that write at once do not lose each other's change", async () => {
    given("# mine\nextensions:\n  first: { type: builtin }\n");
    const code = `
      import { editConfig } from ${JSON.stringify(new URL("./write.ts", import.meta.url).href)};
      const [file, name] = process.argv.slice(1);
      for (let i = 0; i < 5; i++)
        await editConfig(file, () => [{ type: "set", path: ["extensions", name + i], value: { type: "builtin" } }]);
    `;
    const names = ["a", "b", "c", "d"];
    const codes = await Promise.all(
      names.map(
        (name) =>
          new Promise((resolve) =>
            spawn(process.execPath, ["--input-type=module", "-e", code, file, name], {
              stdio: "inherit",
            }).once("exit", resolve),
          ),
      ),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(now()).toMatch(/^# mine\n/);
    expect(
      parseConfig(now(), file)
        .extensions.map(({ name }) => name)
        .sort(),
    ).toEqual(["first", ...names.flatMap((name) => [0, 1, 2, 3, 4].map((i) => `${name}${i}`))].sort());
    expect(readdirSync(join(folder, "kari"))).toEqual(["config.yaml"]);
  });
});
