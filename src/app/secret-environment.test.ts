import { describe, expect, test } from "vitest";
import type { ExtensionSettings, SecretStore } from "../config/index.ts";
import { variablesOf, withSecrets } from "./secret-environment.ts";

const stdio = (more: Partial<Extract<ExtensionSettings, { type: "stdio" }>>): ExtensionSettings => ({
  type: "stdio",
  name: "x",
  enabled: true,
  command: "x",
  args: [],
  env: {},
  envKeys: [],
  ...more,
});
const store = (kept: Record<string, string>) => {
  const asked: string[] = [];
  const get = (name: string) => {
    asked.push(name);
    if (kept[name] === "locked") throw new Error("locked");
    return kept[name];
  };
  return { asked, secrets: { get } as SecretStore };
};

describe("secrets for extensions", () => {
  test("every place of a variable is found", () => {
    const names = (settings: ExtensionSettings) =>
      variablesOf(settings).map(({ name, hasDefault }) => (hasDefault ? `${name}?` : name));
    expect(
      names(
        stdio({
          command: "${A}/x",
          args: ["--b=${B:-c}", "$NO", "${1}"],
          env: { X: "${C}${D}" },
          envKeys: ["E"],
          cwd: "${F}",
        }),
      ),
    ).toEqual(["E", "A", "B?", "C", "D", "F"]);
    const headers = { Authorization: "Bearer ${T}" };
    expect(names({ type: "sse", name: "x", enabled: true, url: "https://${H}/", headers })).toEqual([
      "H",
      "T",
    ]);
  });

  test("only names that an enabled extension asks for, and the environment has not, are looked up", () => {
    const { asked, secrets } = store({ TOKEN: "kept", HOME: "never", OTHER: "never" });
    const extensions = [stdio({ envKeys: ["TOKEN", "HOME"] }), stdio({ enabled: false, envKeys: ["OTHER"] })];
    expect(withSecrets({ HOME: "/h" }, extensions, secrets)).toEqual({ HOME: "/h", TOKEN: "kept" });
    expect(asked).toEqual(["TOKEN"]);
  });

  test("without any the environment is passed on as it is, and a locked keyring fails nothing here", () => {
    const environment = { A: "b" };
    expect(withSecrets(environment, [stdio({ envKeys: ["X"] })], store({ X: "locked" }).secrets)).toBe(
      environment,
    );
  });
});
