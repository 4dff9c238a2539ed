/** kari configure and kari doctor, on the built executable. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { finished, root, startKari } from "../support/kari.ts";
import { environment, freshPerson, type Person, SERVER, server } from "../support/person.ts";

let person: Person;
beforeEach(() => {
  person = freshPerson();
});
afterEach(() => person.leave());

describe("kari configure", () => {
  // A terminal is needed, and util-linux's script(1) is the one way to have it without a package.
  const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");
  test.skipIf(!hasTerminal)("in a real terminal, in Japanese, the key unseen", async () => {
    const command = [process.execPath, `${root}bin/kari.js`, "configure"]
      .map((word) => `'${word}'`)
      .join(" ");
    const child = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], {
      cwd: person.home.work,
      env: { PATH: process.env["PATH"], HOME: person.home.path, LANG: "C.UTF-8", KARI_DISABLE_KEYRING: "1" },
    });
    const answers = [
      [/Provider.*: /, "１\r"],
      [/Model.*: /, "むらさき\r"],
      [/ANTHROPIC_API_KEY.*: /, "canary\r"],
      [/Extensions.*: /, "１\r"],
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
    expect(person.config()).toContain("provider: anthropic\nmodel: むらさき\n");
    expect(readFileSync(join(person.folder, "secrets.json"), "utf8")).toContain("canary");
    expect(stdout).toContain("むらさき");
    expect(stdout).not.toContain("canary");
  });
});

describe("kari doctor", () => {
  test("all is well: exit code 0, JSON alone on stdout", async () => {
    const result = await person.run(["doctor", "--format", "json"], { env: { KARI_PROVIDER: "offline" } });
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({
      ok: true,
      checks: [
        { name: "Node.js", status: "ok" },
        { name: "configuration", status: "ok" },
        { name: "configuration folder", status: "ok" },
        { name: "data folder", status: "ok" },
        { name: "provider", status: "ok" },
      ],
      extensions: expect.arrayContaining([
        expect.objectContaining({ name: "developer", state: "ready", era: "modern" }),
      ]) as object[],
    });
  });

  test("R1: what is wrong with each extension, and what to do; what is slow is said on stderr", async () => {
    await person.run(["extensions", "add", "noisy", ...server("garbage-start")]);
    await person.run(["extensions", "add", "dead", ...server("exit-start")]);
    await person.run(["extensions", "add", "gone", "--stdio", "no-such-program --x"]);
    await person.run(["extensions", "add", "closed", "--http", "http://127.0.0.1:1/mcp"]);
    await person.run(["extensions", "add", "slow", "--", process.execPath, SERVER, "slow-start", "1500"]);
    const result = await person.run(["doctor"]);
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(
      /warning +noisy[\s\S]*It printed 2 lines on stdout .* Listening on port 1234/,
    );
    expect(result.stdout).toMatch(/failed +dead[\s\S]*missing FOO_TOKEN\n +→ It seems to want FOO_TOKEN/);
    expect(result.stdout).toMatch(/failed +gone[\s\S]*→ Install no-such-program, or check how it is spelt/);
    expect(result.stdout).toMatch(/failed +closed/);
    expect(result.stdout).toMatch(/ok +slow +stdio, legacy, \d+ ms, \d+ tools/);
    expect(result.stdout).toMatch(/\n3 of \d+ checks failed\.\n$/);
    expect(result.stderr).toContain("… slow: starting, 1 s\n");
  });

  test("every mistake of the file at once, and no extension is started", async () => {
    person.writeConfig(
      "modle: x\nmax_turns: 0\nextensions:\n  a: { type: stdio, cmd: /bin/sh, args: [-c, touch ran] }\n",
    );
    const result = await person.run(["doctor"]);
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(
      /config\.yaml:2: max_turns[\s\S]*config\.yaml:1: modle[\s\S]*→ Mend line 2, 1;/,
    );
    expect(existsSync(join(person.home.work, "ran"))).toBe(false);
  });

  test("Ctrl-C ends it and everything it started", async () => {
    await person.run(["extensions", "add", "silent", ...server("silent")]);
    const child = startKari(["doctor"], { home: person.home, env: environment });
    const end = finished(child);
    child.stderr.on("data", (text: Buffer) => {
      if (text.toString().includes("silent: starting, 1 s")) child.kill("SIGINT");
    });
    expect(await end).toMatchObject({ code: 130, signal: null });
    // What it started is looked for when all tests are over: no-orphans.ts.
  });
});
