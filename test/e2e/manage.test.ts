/** kari extensions, config, configure and doctor, on the built executable. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { finished, freshHome, type Home, kari, root, startKari } from "../support/kari.ts";

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

const run = (args: readonly string[], options: { env?: Record<string, string>; input?: string } = {}) =>
  kari(args, { home, ...options, env: { KARI_DISABLE_KEYRING: "1", ...options.env } });
const folder = () => join(home.path, ".config", "kari");
const config = () => readFileSync(join(folder(), "config.yaml"), "utf8");
const given = (text: string) => {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(join(folder(), "config.yaml"), text, { mode: 0o600 });
};
const SERVER = `${root}test/fixtures/misbehaving-server.ts`;
const server = (mode: string) => ["--", process.execPath, SERVER, mode];
const hostFile = (path: string, content: unknown) => {
  const file = join(home.path, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};

describe("kari extensions", () => {
  test("a whole life: added, listed, probed, called, switched off, removed", async () => {
    given("# 私の設定\nmodel: m   # keep\n");
    expect(await run(["extensions", "add", "まず", "--timeout", "60", ...server("ok")])).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(config()).toBe(
      `# 私の設定\nmodel: m   # keep\nextensions:\n  まず:\n    type: stdio\n    cmd: ${process.execPath}\n    args:\n      - ${SERVER}\n      - ok\n    timeout: 60\n`,
    );
    expect(statSync(join(folder(), "config.yaml")).mode & 0o777).toBe(0o600);

    const listed = await run(["extensions", "list", "--format", "json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      extensions: [
        { name: "developer", kind: "builtin", enabled: true, origin: "default" },
        { name: "まず", key: "ext-2cf9e21f", kind: "stdio", enabled: true, origin: "file" },
      ],
    });
    const probed = await run(["extensions", "list", "--probe", "--format", "json"]);
    expect(probed.code).toBe(0);
    expect(JSON.parse(probed.stdout)).toMatchObject({
      extensions: [
        { probe: { state: "ready", era: "modern", tools: 4 } },
        { probe: { state: "ready", era: "legacy", pid: expect.any(Number) as number } },
      ],
    });
    expect(await run(["tools", "call", "ext-2cf9e21f__ok"])).toMatchObject({ code: 0, stdout: "fine\n" });

    // Remembered from the call: the count is there without a probe, and in columns that fit kana.
    const text = await run(["extensions", "list"]);
    expect(text.stdout).toMatch(/^NAME {7}KIND.*\ndeveloper {2}builtin.*\nまず {7}stdio {4}yes {6}\d+ /);

    expect(await run(["extensions", "disable", "まず"])).toMatchObject({ code: 0 });
    expect((await run(["tools", "list"])).stdout).not.toContain("ext-2cf9e21f__");
    expect((await run(["extensions", "enable", "まず"])).stdout).toContain("is enabled now");
    const removed = await run(["extensions", "remove", "まず"]);
    expect(removed.stdout).toContain("timeout: 60");
    expect(config()).toBe("# 私の設定\nmodel: m   # keep\nextensions: {}\n");
  });

  test("one that fails is said with its reason and what to do, and the others are listed", async () => {
    await run(["extensions", "add", "dead", ...server("exit-start")]);
    const result = await run(["extensions", "list", "--probe"]);
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
      expect(await run(["extensions", "add", ...add])).toMatchObject({ code: 0, stderr: "" });
    const { extensions } = JSON.parse((await run(["config", "get", "--format", "json"])).stdout) as {
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
    const result = await run(["extensions", "add", "x", "--env", "MY_TOKEN=abc", ...server("ok")]);
    expect(result.stderr).toMatch(/the value of MY_TOKEN stands in .* in clear/);
    const header = ["--http", "https://x.example", "--header", "Authorization=Bearer abc"];
    expect((await run(["extensions", "add", "y", ...header])).stderr).toContain("Authorization");
  });

  test("C11: a kept secret reaches the extension that names it, and no other", async () => {
    await run(["extensions", "add", "one", "--env-key", "ONE_TOKEN", ...server("ok")]);
    await run(["extensions", "add", "two", ...server("ok")]);
    expect((await run(["extensions", "list"])).stderr).toContain("wants ONE_TOKEN");
    const kept = await run(["config", "secret", "ONE_TOKEN"], { input: "canary-秘密\n" });
    expect(kept).toMatchObject({ code: 0, stderr: "" });
    expect(kept.stdout).toMatch(/kept in .*secrets\.json, in clear/);
    expect(config()).not.toContain("canary");
    expect(statSync(join(folder(), "secrets.json")).mode & 0o777).toBe(0o600);
    expect((await run(["tools", "call", "one__env"])).stdout).toContain('"ONE_TOKEN":"canary-秘密"');
    expect((await run(["tools", "call", "two__env"])).stdout).not.toContain("canary");
    const environment = await run(["tools", "call", "one__env"], { env: { ONE_TOKEN: "from-outside" } });
    expect(environment.stdout).toContain("from-outside");
  });

  test("C15: eight at once lose nothing", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const results = await Promise.all(names.map((name) => run(["extensions", "add", name, ...server("ok")])));
    expect(results.map(({ code }) => code)).toEqual(names.map(() => 0));
    const { extensions } = JSON.parse((await run(["extensions", "list", "--format", "json"])).stdout) as {
      extensions: { name: string }[];
    };
    expect(extensions.map(({ name }) => name).sort()).toEqual([...names, "developer"].sort());
    expect(readdirSync(folder())).toEqual(["config.yaml"]);
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
    const result = await run(args);
    expect(result.stderr).toMatch(message);
    expect(result).toMatchObject({ code: 2 });
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(join(folder(), "config.yaml"))).toBe(false);
  });

  test("a broken file is not touched by anybody, and its line and key are named", async () => {
    const broken = "model: m\nextensions:\n  a:\n    type: stdio\n    comand: x\n";
    given(broken);
    for (const args of [
      ["extensions", "add", "x", "--stdio", "x"],
      ["extensions", "list"],
      ["extensions", "remove", "a"],
      ["extensions", "import"],
      ["config", "set", "model", "n"],
      ["config", "get", "model"],
    ]) {
      const result = await run(args);
      expect(result).toMatchObject({ code: 2 });
      expect(result.stderr).toMatch(/config\.yaml:\d: extensions\.a\.(cmd|comand)/);
    }
    expect(config()).toBe(broken);
    expect((await run(["config", "path"])).stdout).toBe(`${join(folder(), "config.yaml")}\n`);
  });
});

describe("kari extensions import", () => {
  const SERVERS = { mcpServers: { a: { command: process.execPath, args: [SERVER, "ok"] } } };

  test("shows first, writes only after a yes, and skips what is there", async () => {
    hostFile(".cursor/mcp.json", SERVERS);
    hostFile(".gemini/settings.json", {
      mcpServers: { ...SERVERS.mcpServers, b: { httpUrl: "https://b.example" } },
    });
    const shown = await run(["extensions", "import"]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(new RegExp(`Would add:\n {2}a {2}stdio {2}.* ${SERVER} ok`));
    expect(shown.stderr).toContain("nothing was written");
    expect(existsSync(folder())).toBe(false);

    const written = await run(["extensions", "import", "--from", "cursor", "--yes"]);
    expect(written).toMatchObject({ code: 0, stderr: "" });
    expect((await run(["tools", "call", "a__ok"])).stdout).toBe("fine\n");

    const again = await run(["extensions", "import", "--from", "gemini", "--yes", "--format", "json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({
      entries: [
        { name: "a", action: "exists" },
        { name: "b", action: "add" },
      ],
      written: { added: ["b"] },
    });
  });

  test("a project's file runs nothing by itself, and --yes alone does not cover it", async () => {
    const evil = { mcpServers: { evil: { command: "/bin/sh", args: ["-c", "touch ran; exec cat"] } } };
    for (const name of [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".gemini/settings.json"])
      hostFile(join(home.work.slice(home.path.length), name), evil);
    for (const args of [
      ["extensions", "list", "--probe"],
      ["tools", "list"],
      ["doctor"],
      ["extensions", "import"],
      ["extensions", "import", "--yes"],
      ["extensions", "import", ".mcp.json"],
    ])
      await run(args);
    expect(existsSync(join(home.work, "ran"))).toBe(false);
    expect(existsSync(folder())).toBe(false);
    const named = await run(["extensions", "import", ".mcp.json", "--yes"]);
    expect(named.stdout).toContain("/bin/sh -c 'touch ran; exec cat'");
    expect(config()).toContain(`cwd: ${home.work}`);
    expect(existsSync(join(home.work, "ran"))).toBe(false);
  });

  test("S11: secrets of another host's file are kept elsewhere, and never printed", async () => {
    hostFile(".config/Claude/claude_desktop_config.json", {
      mcpServers: {
        gh: { command: "x", env: { GH_TOKEN: "canary-1" } },
        r: { url: "https://r.example", headers: { Authorization: "Bearer canary-2" } },
      },
    });
    const outputs = [
      await run(["extensions", "import", "--format", "json"]),
      await run(["extensions", "import", "--yes"]),
      await run(["extensions", "list", "--format", "json"]),
      await run(["config", "secret"]),
    ];
    expect(outputs.map(({ stdout, stderr }) => stdout + stderr).join()).not.toContain("canary");
    expect(config()).toContain("Authorization: ${R_AUTHORIZATION}");
    expect(config()).not.toContain("canary");
    expect(outputs[3]?.stdout).toMatch(/GH_TOKEN +file\nR_AUTHORIZATION +file/);
  });

  test("L7: what a file says cannot speak to the terminal", async () => {
    hostFile(".cursor/mcp.json", {
      mcpServers: {
        a: { command: "x", args: ["\u001b]0;owned\u0007", "\u001b[2J\r\nAdded by root"] },
        "b\u001b[31m": { command: "y" },
      },
    });
    const { stdout } = await run(["extensions", "import"]);
    expect(stdout).not.toMatch(/[\u0007\u001b]/);
    expect(stdout).not.toMatch(/^Added by root/m);
  });

  test("a snippet can be piped in, and a broken file is one clear error", async () => {
    const snippet = '"mcpServers": { "p": { "command": "npx", "args": ["-y", "p"], }, }';
    expect((await run(["extensions", "import", "-", "--yes"], { input: snippet })).stdout).toContain(
      "Added to",
    );
    expect(config()).toContain("p:");
    const file = hostFile("broken.json", '{\n "mcpServers": {\n');
    const broken = await run(["extensions", "import", file]);
    expect(broken).toMatchObject({ code: 2, stdout: "" });
    expect(broken.stderr).toMatch(/broken\.json:3: is not valid JSON/);
  });
});

describe("kari config", () => {
  test("path, set, get, unset", async () => {
    expect(await run(["config", "get", "model"])).toMatchObject({ code: 1, stdout: "" });
    await run(["config", "set", "model", "4"]);
    await run(["config", "set", "extensions.developer.timeout", "60"]);
    expect(await run(["config", "get", "model"])).toMatchObject({ code: 0, stdout: "4\n", stderr: "" });
    expect((await run(["config", "get", "extensions.developer", "--format", "json"])).stdout).toBe(
      '{\n  "type": "builtin",\n  "timeout": 60\n}\n',
    );
    expect((await run(["config", "get", "model"], { env: { KARI_MODEL: "x" } })).stderr).toContain("wins");
    await run(["config", "unset", "model"]);
    expect((await run(["config", "get"])).stdout).toBe(
      "extensions:\n  developer:\n    type: builtin\n    timeout: 60\n",
    );
    const elsewhere = await run(["config", "path"], { env: { KARI_CONFIG_DIR: "/elsewhere" } });
    expect(elsewhere.stdout).toBe("/elsewhere/config.yaml\n");
  });

  test("a key that is kept is the provider's key", async () => {
    given("provider: openai-compatible\nmodel: m\nbase_url: http://127.0.0.1:1/v1\n");
    await run(["config", "secret", "OPENAI_API_KEY"], { input: "canary" });
    const { stdout } = await run(["doctor", "developer", "--format", "json"]);
    expect(stdout).toContain("key from the secret store");
    expect(stdout).not.toContain("canary");
    expect((await run(["config", "secret", "OPENAI_API_KEY", "--remove"])).stdout).toContain("forgotten");
    expect((await run(["config", "secret", "--format", "json"])).stdout).toBe('{\n  "secrets": []\n}\n');
  });
});

describe("kari configure", () => {
  // A terminal is needed, and util-linux's script(1) is the one way to have it without a package.
  const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");
  test.skipIf(!hasTerminal)("in a real terminal, in Japanese, the key unseen", async () => {
    const command = [process.execPath, `${root}bin/kari.js`, "configure"]
      .map((word) => `'${word}'`)
      .join(" ");
    const child = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], {
      cwd: home.work,
      env: { PATH: process.env["PATH"], HOME: home.path, LANG: "C.UTF-8", KARI_DISABLE_KEYRING: "1" },
    });
    const answers = [
      [/Provider.*: /, "１\r"],
      [/Model.*: /, "むらさき\r"],
      [/ANTHROPIC_API_KEY.*: /, "canary\r"],
      [/developer.*: /, "はい\r"],
    ] as [RegExp, string][];
    let unread = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      unread += text;
      const [question, typed] = answers[0] ?? [];
      if (!question?.test(unread) || typed === undefined) return;
      answers.shift();
      unread = "";
      child.stdin.write(typed);
    });
    const { stdout } = await finished(child);
    expect(config()).toContain("provider: anthropic\nmodel: むらさき\n");
    expect(readFileSync(join(folder(), "secrets.json"), "utf8")).toContain("canary");
    expect(stdout).toContain("むらさき");
    expect(stdout).not.toContain("canary");
  });
});

describe("kari doctor", () => {
  test("all is well: exit code 0, JSON alone on stdout", async () => {
    const result = await run(["doctor", "--format", "json"]);
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({
      ok: true,
      checks: [
        { name: "Node.js", status: "ok" },
        { name: "configuration", status: "ok" },
        { name: "configuration folder", status: "ok" },
        { name: "data folder", status: "ok" },
        { name: "provider", status: "warning", detail: "none is configured" },
      ],
      extensions: [{ name: "developer", state: "ready", era: "modern", tools: 4 }],
    });
  });

  test("R1: what is wrong with each extension, and what to do; what is slow is said on stderr", async () => {
    await run(["extensions", "add", "noisy", ...server("garbage-start")]);
    await run(["extensions", "add", "dead", ...server("exit-start")]);
    await run(["extensions", "add", "gone", "--stdio", "no-such-program --x"]);
    await run(["extensions", "add", "closed", "--http", "http://127.0.0.1:1/mcp"]);
    await run(["extensions", "add", "slow", "--", process.execPath, SERVER, "slow-start", "1500"]);
    const result = await run(["doctor"]);
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(
      /warning +noisy[\s\S]*It printed 2 lines on stdout .* Listening on port 1234/,
    );
    expect(result.stdout).toMatch(/failed +dead[\s\S]*missing FOO_TOKEN\n +→ It seems to want FOO_TOKEN/);
    expect(result.stdout).toMatch(/failed +gone[\s\S]*→ Install no-such-program, or check how it is spelt/);
    expect(result.stdout).toMatch(/failed +closed/);
    expect(result.stdout).toMatch(/ok +slow +stdio, legacy, \d+ ms, \d+ tools/);
    expect(result.stdout).toContain("3 of 11 checks failed.");
    expect(result.stderr).toContain("… slow: starting, 1 s\n");
  });

  test("every mistake of the file at once, and no extension is started", async () => {
    given("modle: x\nmax_turns: 0\nextensions:\n  a: { type: stdio, cmd: /bin/sh, args: [-c, touch ran] }\n");
    const result = await run(["doctor"]);
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(
      /config\.yaml:2: max_turns[\s\S]*config\.yaml:1: modle[\s\S]*→ Mend line 2, 1;/,
    );
    expect(existsSync(join(home.work, "ran"))).toBe(false);
  });

  test("Ctrl-C ends it and everything it started", async () => {
    await run(["extensions", "add", "silent", ...server("silent")]);
    const child = startKari(["doctor"], { home, env: { KARI_DISABLE_KEYRING: "1" } });
    const end = finished(child);
    child.stderr.on("data", (text: Buffer) => {
      if (text.toString().includes("silent: starting, 1 s")) child.kill("SIGINT");
    });
    expect(await end).toMatchObject({ code: 130, signal: null });
    // What it started is looked for when all tests are over: no-orphans.ts.
  });
});

test("each command has its help, with examples", async () => {
  const overview = await run(["--help"]);
  for (const command of ["extensions", "config", "configure", "doctor"]) {
    expect(overview.stdout).toContain(`kari ${command} `);
    const help = await run([command, "--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/Usage: kari[\s\S]*Options:[\s\S]*Examples:/);
  }
});
