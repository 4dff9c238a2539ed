import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Keyring, openSecrets } from "./secrets.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const paths = () => ({ config: join(folder, "config"), data: join(folder, "data") });
const index = () => readFileSync(join(folder, "config", "secrets.json"), "utf8");

function memoryKeyring(): Keyring & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: (name) => kept.get(name),
    set: (name, value) => void kept.set(name, value),
    remove: (name) => void kept.delete(name),
  };
}
const noKeyring = (): Keyring => {
  throw new Error("no keyring on this machine");
};

describe("secrets", () => {
  test("S11: in the keyring, the file knows the name and never the value", async () => {
    const ring = memoryKeyring();
    const secrets = openSecrets(paths(), {}, () => ring);
    expect(await secrets.set("TOKEN", "canary-秘密")).toBe("keyring");
    expect(index()).toContain("TOKEN");
    expect(index()).not.toContain("canary");
    const later = openSecrets(paths(), {}, () => ring);
    expect([later.get("TOKEN"), later.names()]).toEqual(["canary-秘密", { TOKEN: "keyring" }]);
    expect([await later.remove("TOKEN"), await later.remove("TOKEN"), ring.kept.size]).toEqual([
      true,
      false,
      0,
    ]);
  });

  test("S12: without a keyring they are in a file of the person's own, and it is said where", async () => {
    const secrets = openSecrets(paths(), {}, noKeyring);
    expect(await secrets.set("TOKEN", "value")).toBe("file");
    expect(statSync(secrets.file).mode & 0o777).toBe(0o600);
    expect(openSecrets(paths(), {}, noKeyring).get("TOKEN")).toBe("value");
  });

  test("KARI_DISABLE_KEYRING leaves the keyring alone", async () => {
    const secrets = openSecrets(paths(), { KARI_DISABLE_KEYRING: "1" }, noKeyring);
    expect(await secrets.set("A", "b")).toBe("file");
  });

  test("a name that is not kept opens no keyring", () => {
    expect(openSecrets(paths(), {}, noKeyring).get("TOKEN")).toBeUndefined();
    expect(openSecrets(paths(), {}, noKeyring).get("constructor")).toBeUndefined();
  });

  test("a keyring that is locked, or has lost the value, is an error that says what to do", async () => {
    const ring = memoryKeyring();
    await openSecrets(paths(), {}, () => ring).set("TOKEN", "x");
    expect(() => openSecrets(paths(), {}, noKeyring).get("TOKEN")).toThrow(/set TOKEN in the environment/);
    ring.kept.clear();
    expect(() => openSecrets(paths(), {}, () => ring).get("TOKEN")).toThrow(/kari config secret TOKEN/);
  });

  test("S11: a broken file is an error that repeats nothing of it", () => {
    mkdirSync(paths().config);
    writeFileSync(join(paths().config, "secrets.json"), '{"secrets": {"A": {"in": "file", "value": "canary');
    const read = () => openSecrets(paths(), {}, noKeyring).get("A");
    expect(read).toThrow(/secrets\.json: is not the JSON that Kari wrote/);
    expect(read).not.toThrow(/canary/);
  });
});
