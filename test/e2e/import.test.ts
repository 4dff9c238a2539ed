/** kari extensions import, on the built executable: shown first, written after a yes, never run by itself. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshPerson, type Person, SERVER } from "../support/person.ts";

let person: Person;
beforeEach(() => {
  person = freshPerson();
});
afterEach(() => person.leave());

describe("kari extensions import", () => {
  const SERVERS = { mcpServers: { a: { command: process.execPath, args: [SERVER, "ok"] } } };

  test("shows first, writes only after a yes, and skips what is there", async () => {
    person.writeFile(".cursor/mcp.json", SERVERS);
    person.writeFile(".gemini/settings.json", {
      mcpServers: { ...SERVERS.mcpServers, b: { httpUrl: "https://b.example" } },
    });
    const shown = await person.run(["extensions", "import"]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(new RegExp(`Would add:\n {2}a {2}stdio {2}.* ${SERVER} ok`));
    expect(shown.stderr).toContain("nothing was written");
    expect(existsSync(person.folder)).toBe(false);

    const written = await person.run(["extensions", "import", "--from", "cursor", "--yes"]);
    expect(written).toMatchObject({ code: 0, stderr: "" });
    expect((await person.run(["tools", "call", "a__ok"])).stdout).toBe("fine\n");

    const again = await person.run(["extensions", "import", "--from", "gemini", "--yes", "--format", "json"]);
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
      person.writeFile(join(person.home.work.slice(person.home.path.length), name), evil);
    for (const args of [
      ["extensions", "list", "--probe"],
      ["tools", "list"],
      ["doctor"],
      ["extensions", "import"],
      ["extensions", "import", "--yes"],
      ["extensions", "import", ".mcp.json"],
    ])
      await person.run(args);
    expect(existsSync(join(person.home.work, "ran"))).toBe(false);
    expect(existsSync(person.folder)).toBe(false);
    const named = await person.run(["extensions", "import", ".mcp.json", "--yes"]);
    expect(named.stdout).toContain("/bin/sh -c 'touch ran; exec cat'");
    expect(person.config()).toContain(`cwd: ${person.home.work}`);
    expect(existsSync(join(person.home.work, "ran"))).toBe(false);
  });

  test("S11: secrets of another host's file are kept elsewhere, and never printed", async () => {
    person.writeFile(".config/Claude/claude_desktop_config.json", {
      mcpServers: {
        gh: { command: "x", env: { GH_TOKEN: "canary-1" } },
        r: { url: "https://r.example", headers: { Authorization: "Bearer canary-2" } },
      },
    });
    const outputs = [
      await person.run(["extensions", "import", "--format", "json"]),
      await person.run(["extensions", "import", "--yes"]),
      await person.run(["extensions", "list", "--format", "json"]),
      await person.run(["config", "secret"]),
    ];
    expect(outputs.map(({ stdout, stderr }) => stdout + stderr).join()).not.toContain("canary");
    expect(person.config()).toContain("Authorization: ${R_AUTHORIZATION}");
    expect(person.config()).not.toContain("canary");
    expect(outputs[3]?.stdout).toMatch(/GH_TOKEN +file\nR_AUTHORIZATION +file/);
  });

  test("a secret that was taken over reaches its server again", async () => {
    const env = { LITERAL_TOKEN: "canary", OTHER: "${env:OTHER_ONE}" };
    person.writeFile(".cursor/mcp.json", {
      mcpServers: { a: { command: process.execPath, args: [SERVER, "ok"], env } },
    });
    await person.run(["extensions", "import", "--yes"]);
    expect(person.config()).toContain("LITERAL_TOKEN: ${A_LITERAL_TOKEN}");
    const missing = await person.run(["doctor", "a"]);
    expect(missing.stdout).toMatch(
      /failed +a[\s\S]*→ Set OTHER_ONE in the environment, or keep it: kari config secret/,
    );
    const { stdout } = await person.run(["tools", "call", "a__env"], { env: { OTHER_ONE: "from-outside" } });
    expect(stdout).toContain('"LITERAL_TOKEN":"canary"');
    expect(stdout).toContain('"OTHER":"from-outside"');
  });

  test("L7: what a file says cannot speak to the terminal", async () => {
    person.writeFile(".cursor/mcp.json", {
      mcpServers: {
        a: { command: "x", args: ["\u001b]0;owned\u0007", "\u001b[2J\r\nAdded by root"] },
        "b\u001b[31m": { command: "y" },
      },
    });
    const { stdout } = await person.run(["extensions", "import"]);
    expect(stdout).not.toMatch(/[\u0007\u001b]/);
    expect(stdout).not.toMatch(/^Added by root/m);
  });

  test("a snippet can be piped in, and a broken file is one clear error", async () => {
    const snippet = '"mcpServers": { "p": { "command": "npx", "args": ["-y", "p"], }, }';
    expect((await person.run(["extensions", "import", "-", "--yes"], { input: snippet })).stdout).toContain(
      "Added to",
    );
    expect(person.config()).toContain("p:");
    const file = person.writeFile("broken.json", '{\n "mcpServers": {\n');
    const broken = await person.run(["extensions", "import", file]);
    expect(broken).toMatchObject({ code: 2, stdout: "" });
    expect(broken.stderr).toMatch(/broken\.json:3: is not valid JSON/);
  });
});
