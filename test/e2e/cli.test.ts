/** The command line as a contract: exit codes, JSON alone on stdout, one clear message for every mistake. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshHome, type Home, kari, root } from "../support/kari.ts";

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

const run = (args: readonly string[], env: Record<string, string> = {}) => kari(args, { home, env });
const script = (turns: unknown[]) => home.file("script.json", JSON.stringify({ turns }));
const misbehaving = (mode: string) =>
  `${process.execPath} ${root}test/fixtures/misbehaving-server.ts ${mode}`;

describe("without a model", () => {
  test("--version prints the version alone", async () => {
    expect(await run(["--version"])).toMatchObject({ code: 0, stdout: "0.1.0\n", stderr: "" });
  });

  test("--help shows commands and examples, for each command too", async () => {
    const overview = await run(["--help"]);
    expect(overview).toMatchObject({ code: 0, stderr: "" });
    for (const command of ["session", "run", "mcp", "tools", "resources"]) {
      expect(overview.stdout).toContain(`kari ${command}`);
      const help = await run([command, "--help"]);
      expect(help).toMatchObject({ code: 0, stderr: "" });
      expect(help.stdout).toMatch(/Usage: kari[\s\S]*Examples:/);
    }
  });

  test("tools list --format json needs no provider", async () => {
    const result = await run(["tools", "list", "--format", "json"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const { tools } = JSON.parse(result.stdout) as { tools: { name: string; inputSchema: object }[] };
    expect(tools.map((tool) => tool.name)).toContain("developer__shell");
  });

  test("tools call runs one tool and gives its exit code", async () => {
    const ok = await run(["tools", "call", "developer__shell", "--args", '{"command":"echo hi"}']);
    expect(ok).toMatchObject({ code: 0, stderr: "" });
    expect(ok.stdout).toContain("hi");
    const failed = await run(["tools", "call", "developer__shell", "--args", '{"command":"exit 3"}']);
    expect(failed.code).toBe(1);
  });

  test("resources list and read", async () => {
    home.file("五月雨.txt", "さみだれを あつめてはやし");
    const list = await run(["resources", "list", "--format", "json"]);
    expect(list.code).toBe(0);
    expect(JSON.stringify(JSON.parse(list.stdout))).toContain("file:///");
    const read = await run(["resources", "read", `file://${encodeURI(`${home.work}/五月雨.txt`)}`]);
    expect(read).toMatchObject({ code: 0 });
    expect(read.stdout).toContain("あつめてはやし");
    expect(await run(["resources", "read", "file:///etc/passwd"])).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("mistakes get one clear message and the right exit code", () => {
  test.each([
    [["frobnicate"], 2, /no command "frobnicate"/],
    [["rum"], 2, /Did you mean "kari run"/],
    [["run", "--frob"], 2, /no option --frob/],
    [["run", "--aprove", "all", "-t", "x"], 2, /Did you mean --approve/],
    [["run"], 2, /What is the request/],
    [["run", "-t", "x", "-i", "y"], 2, /once/],
    [["run", "-t", "  "], 2, /empty/],
    [["run", "--provider", "openai-compatible", "-t", "x"], 2, /No model was chosen/],
    [["run", "--approve", "maybe", "-t", "x"], 2, /--approve is "maybe"/],
    [["run", "--max-turns", "0", "-t", "x"], 2, /--max-turns is "0"/],
    [["run", "--fake-model", "missing.json", "-t", "x"], 2, /missing\.json cannot be read/],
    [["run", "--fake-model", "/dev/null", "-t", "x"], 2, /is not JSON/],
    [["run", "--with-builtin", "nonsense", "--fake-model", "x", "-t", "x"], 2, /nonsense|cannot be read/],
    [["run", "--provider", "nonsense", "--model", "m", "-t", "x"], 2, /no provider "nonsense"/i],
    [["mcp"], 2, /Which server/],
    [["mcp", "nonsense"], 2, /no builtin server "nonsense"/],
    [["mcp", "developer", "--http", "eighty"], 2, /--http is "eighty"/],
    [["tools"], 2, /kari tools list/],
    [["tools", "call", "developer__shell", "--args", "[1]"], 2, /JSON object/],
    [["tools", "call", "developer__shell", '{"command":"ls"}'], 2, /behind --args/],
    [["tools", "list", "developer"], 2, /one word too many/],
    [["tools", "call", "developer__nope"], 1, /no tool "developer__nope"/],
    [["resources", "read"], 2, /Which resource/],
  ] as [string[], number, RegExp][])("%j → %i", async (args, code, message) => {
    const result = await run(args);
    expect(result.stderr).toMatch(message);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  test("a broken configuration is an error with file, line and key", async () => {
    mkdirSync(join(home.path, ".config", "kari"), { recursive: true });
    writeFileSync(
      join(home.path, ".config", "kari", "config.yaml"),
      "provider: x\nextensions:\n  a:\n    type: stdio\n",
    );
    const result = await run(["run", "-t", "x"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/config\.yaml:\d+: extensions\.a\.cmd/);
  });
});

test("with nothing configured the offline planner works, and says that it is not a language model", async () => {
  home.file("ほたる.txt", "");
  const result = await run(["run", "-t", "現在のディレクトリのファイル一覧を表示して"]);
  expect(result.code).toBe(0);
  expect(result.stdout).toContain("ほたる.txt");
  expect(result.stderr).toMatch(/no API key is set[\s\S]*言語モデルではありません/);
  const poem = await run(["run", "-t", "write me a poem"]);
  expect(poem).toMatchObject({ code: 0 });
  expect(poem.stdout).toMatch(/not a language model/);
});

describe("with a scripted model", () => {
  test("the example of the README", async () => {
    home.file("うぐいす.txt", "");
    const result = await run([
      "run",
      "--approve",
      "all",
      "--fake-model",
      `${root}examples/list-files.json`,
      "-t",
      "現在のディレクトリのファイル一覧を表示して",
    ]);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("うぐいす.txt");
    expect(result.stderr).toContain("→ developer__shell");
  });

  test("read-only is the mode where nobody can be asked: what would need a yes is refused, said, and exit code 3", async () => {
    const file = script([
      { toolCalls: [{ name: "developer__shell", arguments: { command: "touch made" } }] },
      { text: "no" },
    ]);
    const result = await run(["run", "--fake-model", file, "-t", "x"]);
    expect(result.code).toBe(3);
    expect(result.stderr).toContain("--approve");
    expect(await run(["tools", "call", "developer__shell", "--args", '{"command":"ls made"}'])).toMatchObject(
      { code: 1 },
    );
  });

  test("stream-json gives one event a line and nothing else on stdout", async () => {
    const file = script([{ text: "hello" }]);
    const result = await run(["run", "--output-format", "stream-json", "--fake-model", file, "-t", "x"]);
    const events = result.stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(events[0]).toBe("run-start");
    expect(events.at(-1)).toBe("run-end");
  });

  test("a request can come from standard input", async () => {
    const file = script([{ text: "ok" }]);
    const result = await kari(
      ["run", "--no-profile", "--output-format", "json", "--fake-model", file, "-i", "-"],
      {
        home,
        input: "日本語の願い",
      },
    );
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({
      messages: [{ role: "user", content: [{ text: "日本語の願い" }] }, {}],
    });
  });

  test("one extension that fails to start is said with its last words, and the others work", async () => {
    const file = script([
      { toolCalls: [{ name: "developer__shell", arguments: { command: "echo alive" } }] },
      { text: "{{result}}" },
    ]);
    const result = await run([
      "run",
      "--approve",
      "all",
      "--fake-model",
      file,
      "--with-extension",
      `broken:${misbehaving("exit-start")}`,
      "-t",
      "x",
    ]);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("alive");
    expect(result.stderr).toMatch(/Extension broken did not start[\s\S]*missing FOO_TOKEN/);
  });

  test("a session talks line by line and ends with its input", async () => {
    const file = script([{ text: "first" }, { text: "second" }]);
    const result = await kari(["session", "--fake-model", file, "--no-profile"], {
      home,
      input: "one\n/tools\ntwo\n",
    });
    expect(result).toMatchObject({ code: 0, stdout: "first\nsecond\n" });
    expect(result.stderr).toContain("platform__read_resource");
  });
});
