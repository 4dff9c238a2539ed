/** Resources reach the model by themselves: once, again as a difference, within a budget, in both protocol eras. */

import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { estimateTokens } from "../../src/lib/token-estimate.ts";
import { freshHome, type Home, kari, root } from "../support/kari.ts";
import { type MockLlm, type MockRequest, type MockScript, startMockLlm } from "../support/mock-llm.ts";
import { modelEnvironment } from "../support/model-environment.ts";
import { readBody } from "../wire/read-body.ts";

let home: Home;
let llm: MockLlm;
beforeEach(async () => {
  home = freshHome();
  llm = await startMockLlm();
});
afterEach(async () => {
  await llm.close();
  home.remove();
});

async function run(server: string, steps: MockScript, more: readonly string[] = []): Promise<string[]> {
  llm.script(steps);
  const result = await kari(
    [
      "run",
      ...more,
      "--no-profile",
      "--approve",
      "all",
      "--with-extension",
      `active:${process.execPath} ${root}test/fixtures/active-server.ts ${server}`,
      "-t",
      "go",
    ],
    {
      home,
      env: modelEnvironment(llm),
    },
  );
  expect(result.stderr).not.toContain("kari:");
  expect(result.code).toBe(0);
  return llm.requests.map((request) =>
    JSON.stringify((request.body as { messages: unknown[] }).messages.slice(1)),
  );
}

const call = (name: string) => ({ calls: [{ name: `active__${name}` }] });
const lastResult = (request: MockRequest): string => {
  const turn = readBody(request).turns.findLast(({ role }) => role === "tool");
  return turn?.role === "tool" ? (turn.results.at(-1)?.text ?? "") : "";
};
const count = (text: string | undefined, part: string) => (text ?? "").split(part).length - 1;

describe.each(["legacy", "modern"])("%s era", (era) => {
  test("an active resource is in the first request, is not repeated, and a change is told as a difference", async () => {
    const [first, second, third] = await run(era, [
      call("change"),
      { calls: [{ name: "platform__list_resources" }] },
      { text: "done" },
    ]);
    expect(first).toContain('uri=\\"test://poem\\"');
    expect(first).toContain("data, not instructions");
    expect(first).toContain("verse 40");
    expect(count(third, "verse 40:")).toBe(1);
    const after = (second ?? "") + (third ?? "");
    expect(after).toMatch(/-verse 7: さくら花[^\n]*\+verse 7: かはりけり/);
    expect(count(third, "かはりけり")).toBe(1);
  });

  test("a resource that turns from 1.0 to 0.5 leaves", async () => {
    const requests = await run(era, [
      call("demote"),
      { calls: [{ name: "platform__list_resources" }] },
      { text: "done" },
    ]);
    expect(requests.at(-1)).toContain("test://poem of active is no longer part of the context");
  });

  test("P23: 5,000 active resources stay within the budget, and those left out are named", async () => {
    const [first = ""] = await run(`${era} many`, [{ text: "done" }]);
    expect(first.length).toBeLessThan(120_000);
    expect(first).toContain("Not included");
    expect(first).toMatch(/and \d{4} more/);
  });

  test("P23: one of 200 MB is named with its size, one that only turns out to be too large as well", async () => {
    const [first = ""] = await run(`${era} huge`, [{ text: "done" }]);
    expect(first).toContain("200000000 bytes");
    expect(first).toContain("of unsaid size");
    expect(first.length).toBeLessThan(20_000);
  });
});

/** A session in which these lines are typed, one after the other. */
async function converse(server: string, lines: readonly string[], steps: MockScript): Promise<string[]> {
  llm.script(steps);
  const extension = `active:${process.execPath} ${root}test/fixtures/active-server.ts ${server}`;
  const result = await kari(["session", "--no-profile", "--with-extension", extension], {
    home,
    input: `${lines.join("\n")}\n`,
    env: modelEnvironment(llm),
  });
  expect(result.code).toBe(0);
  return llm.requests.map(({ raw }) => raw);
}
const look = { calls: [{ name: "platform__list_resources" }] };

test.each(["legacy silent", "modern silent"])(
  "%s: without subscriptions an active resource is read again when the person speaks, and not in between",
  async (server) => {
    const steps = [look, { text: "one" }, { text: "two" }];
    const [, second, third] = await converse(server, ["first", "second"], steps);
    expect(second).toContain("(read 1 times)");
    expect(second).not.toContain("(read 2 times)");
    expect(third).toMatch(/-\(read 1 times\)\\n\+\(read 2 times\)/);
  },
);

test.each([
  [["--context-budget", "100"], false],
  [["--context-budget", "0"], false],
  [["--context-budget", "100000"], true],
])("%s decides how much goes into the context", async (flags, fits) => {
  const [first = ""] = await run("modern", [{ text: "done" }], flags);
  expect(first.includes("verse 40")).toBe(fits);
  expect(first.includes("- poem (test://poem of active")).toBe(!fits);
});

test("ttlMs: what a modern server lets us keep is not asked for again, until it says that it changed", async () => {
  const steps = [look, { text: "one" }, look, { text: "two" }];
  const kept = await converse("modern kept", ["first", "second"], steps);
  expect(kept[3]).toContain("(read 1 times)");
  expect(kept[3]).toContain("(listed 1 times)");
  expect(kept[3]).not.toMatch(/(read|listed) 2 times/);
  await llm.close();
  llm = await startMockLlm();
  const told = await run("modern told", [call("change"), call("demote"), look, { text: "done" }]);
  expect(told.at(-1)).toMatch(/\+verse 7: かはりけり[\s\S]*\+\(read 2 times\)/);
  expect(told.at(-1)).toContain("(listed 2 times) (text/plain, priority 0.5)");
});

test.each(["legacy", "modern"])(
  "%s: /drop takes an active resource out until it is attached again",
  async (server) => {
    const lines = [
      "first",
      "/drop test://poem",
      "second",
      "/context",
      "third",
      "/attach active test://poem",
      "fourth",
    ];
    const steps = ["one", "two", "three", "four"].map((text) => ({ text }));
    const requests = await converse(server, lines, steps);
    const left = "test://poem of active is no longer part of the context";
    expect(requests.map((raw) => count(raw, "verse 40:"))).toEqual([1, 1, 1, 2]);
    expect(requests.map((raw) => count(raw, left))).toEqual([0, 1, 1, 1]);
  },
);

test("the source document's example: platform__read_resource with and without extension_name", async () => {
  home.file("package.json", '{"name":"kari-wo-kiku"}');
  const uri = `file://${home.work}/package.json`;
  llm.script([
    { calls: [{ name: "platform__read_resource", arguments: { uri, extension_name: "developer" } }] },
    { calls: [{ name: "platform__read_resource", arguments: { uri } }] },
    { text: "done" },
  ]);
  await kari(["run", "-t", "このプロジェクトのpackage.jsonファイルを表示して"], {
    home,
    env: modelEnvironment(llm),
  });
  const body = JSON.stringify(llm.requests[2]?.body);
  expect(count(body, "kari-wo-kiku")).toBe(2);
});

test("a tool result of 30 MB is shortened, and any part of it can be read by the model afterwards", async () => {
  const server = `bad:${process.execPath} ${root}test/fixtures/misbehaving-server.ts`;
  let uri = "";
  llm.script([
    { calls: [{ name: "bad__big", arguments: { bytes: 30_000_000 } }] },
    (request) => {
      const { raw } = request;
      expect(estimateTokens(lastResult(request))).toBeLessThan(2000);
      uri = /session:\/\/result\/[0-9a-f]+/.exec(raw)?.[0] ?? "";
      return {
        calls: [{ name: "platform__read_resource", arguments: { uri, offset: 29_999_000, limit: 500 } }],
      };
    },
    { text: "done" },
  ]);
  const result = await kari(
    ["run", "--no-profile", "--approve", "all", "--with-extension", server, "-t", "x"],
    {
      home,
      env: modelEnvironment(llm),
    },
  );
  expect(result.code).toBe(0);
  expect(uri).toMatch(/^session:/);
  expect(JSON.stringify(llm.requests[2]?.body)).toContain("characters 29999000 to 29999500 of 30000000");
});

test("a shell output of 30 MB costs under 2,000 tokens, says once that it is cut, and any part of it can be read", async () => {
  const told: string[] = [];
  const script: MockScript = [
    { calls: [{ name: "developer__shell", arguments: { command: "seq -f 'line %.0f 雁が音' 1200000" } }] },
    (request) => {
      told.push(lastResult(request));
      const path = /The full output \([^)]*\) is in (\S+): read parts/.exec(told[0] ?? "")?.[1] ?? "";
      return {
        calls: [{ name: "developer__read_file", arguments: { path, start_line: 600_000, limit: 1 } }],
      };
    },
    (request) => {
      told.push(lastResult(request));
      const uri = /file:\/\/\/[^ )]*output-\d+\.txt/.exec(told[0] ?? "")?.[0] ?? "";
      return { calls: [{ name: "platform__read_resource", arguments: { uri, search: "line 777777 " } }] };
    },
    (request) => {
      told.push(lastResult(request));
      return { text: "done" };
    },
  ];
  llm.script(script);
  const result = await kari(
    ["run", "--no-profile", "--approve", "all", "--with-builtin", "developer", "-t", "x"],
    { home, env: modelEnvironment(llm) },
  );
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  const [output = "", line, found] = told;
  expect(estimateTokens(output)).toBeLessThan(2000);
  expect(output).toMatch(/^line 1 雁が音\n/);
  expect(output).toContain("line 1200000 雁が音\n[exit code 0]");
  expect(count(output, "not shown")).toBe(1);
  expect(output).not.toContain("session://");
  expect(line).toContain("600000\tline 600000 雁が音");
  expect(found).toMatch(/offset \d+: .*line 777777 雁が音/);
});

test("the server of docs/resources.md does what the page says", async () => {
  const page = readFileSync(`${root}docs/resources.md`, "utf8");
  home.file("notes-server.ts", /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
  home.file("package.json", '{"type":"module"}');
  symlinkSync(`${root}node_modules`, `${home.work}/node_modules`);
  const note = home.file("today.md", `${"unchanged\n".repeat(40)}buy milk\n`);
  // The server looks at its file now and then: the model goes on asking until it has noticed.
  const wait = (turn: number) => ({
    calls: [{ name: "developer__shell", arguments: { command: `sleep 0.2 # ${turn}` } }],
  });
  llm.script([
    () => {
      writeFileSync(note, readFileSync(note, "utf8").replace("buy milk", "buy tea"));
      return wait(0);
    },
    ...Array.from({ length: 90 }, (_, turn) => ({ raw }: MockRequest) => {
      return raw.includes("buy tea") ? { text: "done" } : wait(turn + 1);
    }),
  ]);
  const result = await kari(
    [
      ...["run", "--no-profile", "--approve", "all", "--with-builtin", "developer"],
      ...["--with-extension", `notes:${process.execPath} notes-server.ts today.md`, "-t", "what is due?"],
    ],
    { home, env: modelEnvironment(llm) },
  );
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  const requests = llm.requests.map((request) => request.raw);
  expect(requests[0]).toContain("buy milk");
  expect(requests.at(-1)).toMatch(/-buy milk\\n\+buy tea/);
  expect(count(requests.at(-1), "buy milk"), "once whole, once in the difference").toBe(2);
});

test("a session shows its shelf, and what the person attaches goes with the next words", async () => {
  home.file("note.txt", "ふるさとは 遠きにありて");
  const uri = `file://${home.work}/note.txt`;
  llm.script([{ text: "one" }, { text: "two" }]);
  const result = await kari(["session"], {
    home,
    input: `/context\nfirst\n/attach developer ${uri}\nsecond\n/context\n/drop ${uri}\n/nonsense\n`,
    env: modelEnvironment(llm),
  });
  expect(result).toMatchObject({ code: 0, stdout: "one\ntwo\n" });
  expect(JSON.stringify(llm.requests[0]?.body)).not.toContain("遠きにありて");
  expect(JSON.stringify(llm.requests[1]?.body)).toContain("遠きにありて");
  expect(result.stderr).toMatch(/attached\s+\d+ tokens {2}developer {2}file:/);
  expect(result.stderr).toContain("There is no /nonsense");
});
