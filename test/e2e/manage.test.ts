/** kari extensions and kari config, on the built executable. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshPerson, type Person, SERVER, server } from "../support/person.ts";

let person: Person;
beforeEach(() => {
  person = freshPerson();
});
afterEach(() => person.leave());

/** Whatever Kari brings besides: the listing by name. */
function rows({ stdout }: { readonly stdout: string }): Record<string, { origin: string }> {
  const { extensions } = JSON.parse(stdout) as { extensions: { name: string; origin: string }[] };
  return Object.fromEntries(extensions.map((row) => [row.name, row]));
}

describe("kari extensions", () => {
  test("a whole life: added, listed, probed, called, switched off, removed", async () => {
    person.writeConfig("# 私の設定\nmodel: m   # keep\n");
    expect(await person.run(["extensions", "add", "まず", "--timeout", "60", ...server("ok")])).toMatchObject(
      {
        code: 0,
        stderr: "",
      },
    );
    expect(person.config()).toBe(
      `# 私の設定\nmodel: m   # keep\nextensions:\n  まず:\n    type: stdio\n    cmd: ${process.execPath}\n    args:\n      - ${SERVER}\n      - ok\n    timeout: 60\n`,
    );
    expect(statSync(join(person.folder, "config.yaml")).mode & 0o777).toBe(0o600);

    const listed = await person.run(["extensions", "list", "--format", "json"]);
    expect(rows(listed)).toMatchObject({
      developer: { kind: "builtin", enabled: true, origin: "default" },
      まず: { key: "ext-2cf9e21f", kind: "stdio", enabled: true, origin: "file" },
    });
    const probed = await person.run(["extensions", "list", "--probe", "--format", "json"]);
    expect(probed.code).toBe(0);
    expect(rows(probed)).toMatchObject({
      developer: { probe: { state: "ready", era: "modern", tools: expect.any(Number) as number } },
      まず: { probe: { state: "ready", era: "legacy", pid: expect.any(Number) as number } },
    });
    expect(await person.run(["tools", "call", "ext-2cf9e21f__ok"])).toMatchObject({
      code: 0,
      stdout: "fine\n",
    });

    // Remembered from the call: the count is there without a probe, and in columns that fit kana.
    const text = await person.run(["extensions", "list"]);
    expect(text.stdout).toMatch(/^NAME {7}KIND.*\ndeveloper {2}builtin[\s\S]*\nまず {7}stdio {4}yes {6}\d+ /);

    expect(await person.run(["extensions", "disable", "まず"])).toMatchObject({ code: 0 });
    expect((await person.run(["tools", "list"])).stdout).not.toContain("ext-2cf9e21f__");
    expect((await person.run(["extensions", "enable", "まず"])).stdout).toContain("is enabled now");
    const removed = await person.run(["extensions", "remove", "まず"]);
    expect(removed.stdout).toContain("timeout: 60");
    expect(person.config()).toBe("# 私の設定\nmodel: m   # keep\nextensions: {}\n");
  });

  test("one that fails is said with its reason and what to do, and the others are listed", async () => {
    await person.run(["extensions", "add", "dead", ...server("exit-start")]);
    const result = await person.run(["extensions", "list", "--probe"]);
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/developer .* ready[\s\S]*dead .* failed/);
    expect(result.stderr).toMatch(/missing FOO_TOKEN[\s\S]*→ It seems to want FOO_TOKEN/);
  });

  test("every kind can be added", async () => {
    const adds = [
      ["dev2", "--builtin", "developer"],
      ["mem", "--stdio", "A=b npx -y '@scope/server x'", "--env", "C=d", "--env-key", "HOME", "--cwd", "/"],
      ["h", "--http", "https://example.com/mcp", "--header", "X-Team=waka", "--header", "Y: z"],
      ["s", "--sse", "http://localhost:${PORT:-1}/sse", "--disabled", "--tool", "a", "--tool", "b"],
    ];
    for (const add of adds)
      expect(await person.run(["extensions", "add", ...add])).toMatchObject({ code: 0, stderr: "" });
    const { extensions } = JSON.parse((await person.run(["config", "get", "--format", "json"])).stdout) as {
      extensions: unknown;
    };
    expect(extensions).toEqual({
      dev2: { type: "builtin", name: "developer" },
      mem: {
        type: "stdio",
        cmd: "npx",
        args: ["-y", "@scope/server x"],
        envs: { A: "b", C: "d" },
        env_keys: ["HOME"],
        cwd: "/",
      },
      h: { type: "streamable_http", uri: "https://example.com/mcp", headers: { "X-Team": "waka", Y: "z" } },
      s: {
        type: "sse",
        enabled: false,
        uri: "http://localhost:${PORT:-1}/sse",
        available_tools: ["a", "b"],
      },
    });
  });

  test("S11: a secret on the command line is written, and said to stand there in clear", async () => {
    const result = await person.run(["extensions", "add", "x", "--env", "MY_TOKEN=abc", ...server("ok")]);
    expect(result.stderr).toMatch(/the value of MY_TOKEN stands in .* in clear/);
    const header = ["--http", "https://x.example", "--header", "Authorization=Bearer abc"];
    expect((await person.run(["extensions", "add", "y", ...header])).stderr).toContain("Authorization");
  });

  test("C11: a kept secret reaches the extension that names it, and no other", async () => {
    await person.run(["extensions", "add", "one", "--env-key", "ONE_TOKEN", ...server("ok")]);
    await person.run(["extensions", "add", "two", ...server("ok")]);
    expect((await person.run(["extensions", "list"])).stderr).toContain("ONE_TOKEN");
    const kept = await person.run(["config", "secret", "ONE_TOKEN"], { input: "canary-秘密\n" });
    expect(kept).toMatchObject({ code: 0, stderr: "" });
    expect(kept.stdout).toMatch(/kept in .*secrets\.json, in clear/);
    expect(person.config()).not.toContain("canary");
    expect(statSync(join(person.folder, "secrets.json")).mode & 0o777).toBe(0o600);
    expect((await person.run(["tools", "call", "one__env"])).stdout).toContain('"ONE_TOKEN":"canary-秘密"');
    expect((await person.run(["tools", "call", "two__env"])).stdout).not.toContain("canary");
    const environment = await person.run(["tools", "call", "one__env"], {
      env: { ONE_TOKEN: "from-outside" },
    });
    expect(environment.stdout).toContain("from-outside");
  });

  test("C15: eight at once lose nothing", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const results = await Promise.all(
      names.map((name) => person.run(["extensions", "add", name, ...server("ok")])),
    );
    expect(results.map(({ code }) => code)).toEqual(names.map(() => 0));
    const listed = rows(await person.run(["extensions", "list", "--format", "json"]));
    const mine = Object.keys(listed).filter((name) => listed[name]?.origin === "file");
    expect(mine.sort()).toEqual(names);
    expect(readdirSync(person.folder)).toEqual(["config.yaml"]);
  });

  test.each([
    [["extensions"], /it is list, add/],
    [["extensions", "lst"], /Did you mean list/],
    [["extensions", "add"], /What shall it be called/],
    [["extensions", "add", "x"], /Say once what it is/],
    [["extensions", "add", "x", "--builtin", "developer", "--http", "http://x"], /Say once/],
    [["extensions", "add", "x", "--builtin", "nope"], /no builtin "nope"/],
    [["extensions", "add", "platform", "--stdio", "x"], /Kari's own/],
    [["extensions", "add", "x", "--http", "ftp://x"], /not an http or https address/],
    [["extensions", "add", "x", "--stdio", "x", "--header", "A=b"], /--header has no meaning/],
    [["extensions", "add", "x", "--stdio", "x", "--env", "A"], /--env is "A"/],
    [["extensions", "add", "x", "--stdio", "x", "--timeout", "soon"], /--timeout is "soon"/],
    [["extensions", "remove"], /Which extension/],
    [["extensions", "remove", "developer"], /kari extensions disable developer/],
    [["extensions", "remove", "developr"], /Did you mean "developer"/],
    [["extensions", "enable", "a", "b"], /one word too many/],
    [["extensions", "import", "missing.json"], /There is no file/],
    [["extensions", "import", "--from", "emacs"], /--from is "emacs"; it can be claude-desktop/],
    [["config"], /it is path, get/],
    [["config", "set", "model"], /kari config set KEY VALUE/],
    [["config", "set", "modle", "x"], /Did you mean "model"/],
    [["config", "set", "max_turns", "x"], /max_turns: .*Nothing was changed/],
    [["config", "secret", "a b"], /cannot be the name/],
    [["configure"], /needs a terminal\. Instead: kari config set provider/],
    [["configure", "x"], /takes no words/],
    [["doctor", "nobody"], /no extension "nobody"/],
    [["doctor", "--timeout", "0"], /--timeout is "0"/],
  ] as [string[], RegExp][])("%j → 2 and one clear message", async (args, message) => {
    const result = await person.run(args);
    expect(result.stderr).toMatch(message);
    expect(result).toMatchObject({ code: 2 });
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(join(person.folder, "config.yaml"))).toBe(false);
  });

  test("a broken file is not touched by anybody, and its line and key are named", async () => {
    const broken = "model: m\nextensions:\n  a:\n    type: stdio\n    comand: x\n";
    person.writeConfig(broken);
    for (const args of [
      ["extensions", "add", "x", "--stdio", "x"],
      ["extensions", "list"],
      ["extensions", "remove", "a"],
      ["extensions", "import"],
      ["config", "set", "model", "n"],
      ["config", "get", "model"],
    ]) {
      const result = await person.run(args);
      expect(result).toMatchObject({ code: 2 });
      expect(result.stderr).toMatch(/config\.yaml:\d: extensions\.a\.(cmd|comand)/);
    }
    expect(person.config()).toBe(broken);
    expect((await person.run(["config", "path"])).stdout).toBe(`${join(person.folder, "config.yaml")}\n`);
  });
});

describe("kari config", () => {
  test("path, set, get, unset", async () => {
    expect(await person.run(["config", "get", "model"])).toMatchObject({ code: 1, stdout: "" });
    await person.run(["config", "set", "model", "4"]);
    await person.run(["config", "set", "extensions.developer.timeout", "60"]);
    expect(await person.run(["config", "get", "model"])).toMatchObject({
      code: 0,
      stdout: "4\n",
      stderr: "",
    });
    expect((await person.run(["config", "get", "extensions.developer", "--format", "json"])).stdout).toBe(
      '{\n  "type": "builtin",\n  "timeout": 60\n}\n',
    );
    expect((await person.run(["config", "get", "model"], { env: { KARI_MODEL: "x" } })).stderr).toContain(
      "wins",
    );
    await person.run(["config", "unset", "model"]);
    expect((await person.run(["config", "get"])).stdout).toBe(
      "extensions:\n  developer:\n    type: builtin\n    timeout: 60\n",
    );
    const elsewhere = await person.run(["config", "path"], { env: { KARI_CONFIG_DIR: "/elsewhere" } });
    expect(elsewhere.stdout).toBe("/elsewhere/config.yaml\n");
  });

  test("a key that is kept is the provider's key", async () => {
    person.writeConfig("provider: openai-compatible\nmodel: m\nbase_url: http://127.0.0.1:1/v1\n");
    await person.run(["config", "secret", "OPENAI_API_KEY"], { input: "canary" });
    const { stdout } = await person.run(["doctor", "developer", "--format", "json"]);
    expect(stdout).toContain("key from the secret store");
    expect(stdout).not.toContain("canary");
    expect((await person.run(["config", "secret", "OPENAI_API_KEY", "--remove"])).stdout).toContain(
      "forgotten",
    );
    expect((await person.run(["config", "secret", "--format", "json"])).stdout).toBe(
      '{\n  "secrets": []\n}\n',
    );
  });
});

test("each command has its help, with examples", async () => {
  const overview = await person.run(["--help"]);
  for (const command of ["extensions", "config", "configure", "doctor"]) {
    expect(overview.stdout).toContain(`kari ${command} `);
    const help = await person.run([command, "--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/Usage: kari[\s\S]*Examples:\n {2}kari/);
  }
});
