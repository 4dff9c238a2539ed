// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration has variables
/**
 * What breaks goose (the table in its comparison) does not break Kari: each row on the built executable, with a mock
 * LLM on loopback and a server that misbehaves. What the model is told is read from the recorded requests.
 */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Finished, finished, freshHome, type Home, kari, root, startKari } from "../support/kari.ts";
import { type MockLlm, type MockScript, startMockLlm } from "../support/mock-llm.ts";
import { leftovers } from "../support/no-orphans.ts";

let home: Home;
let llm: MockLlm;
const children: ReturnType<typeof spawn>[] = [];

beforeEach(async () => {
  home = freshHome();
  llm = await startMockLlm();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await llm.close();
  await expect.poll(() => leftovers(), { timeout: 6000 }).toEqual([]);
  home.remove();
});

const FIXTURE = `${root}test/fixtures/misbehaving-server.ts`;
const DEMO = `${root}test/support/demo-main.ts`;
const bad = (...args: string[]) => ({ type: "stdio", cmd: process.execPath, args: [FIXTURE, ...args] });

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
}

/** Runs with these extensions and this script; the model is the mock. JSON is YAML. */
async function run(extensions: object, script: MockScript, flags: readonly string[] = []): Promise<Finished> {
  const folder = join(home.path, ".config", "kari");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yaml"), JSON.stringify({ extensions }));
  llm.script(script);
  return await kari(["run", "--approve", "all", "-t", "go", ...flags], {
    home,
    env: {
      KARI_PROVIDER: "openai-compatible",
      KARI_MODEL: "mock-model",
      OPENAI_BASE_URL: `${llm.url}/v1`,
      OPENAI_API_KEY: "sk-canary",
      KARI_DISABLE_KEYRING: "1",
    },
  });
}

const body = (index: number) => llm.requests[index]?.body as unknown as ChatBody;
const toolNames = (index: number) => body(index).tools.map((tool) => tool.function.name);
/** The results that the model has been given so far, as texts. */
const results = (index: number) =>
  body(index)
    .messages.filter(({ role }) => role === "tool")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
const call = (name: string, args: object = {}) => ({ calls: [{ name, arguments: args as never }] });

async function demoServer(port = 0): Promise<{ url: string; port: number; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [DEMO, "--http", String(port)], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  children.push(child);
  const url = await new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      const found = /listening on (\S+)/.exec(chunk.toString())?.[1];
      if (found) resolve(found);
    });
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.kill("SIGKILL");
    });
  return { url, port: Number(new URL(url).port), stop };
}

describe("starting", () => {
  test("a server that never answers its handshake is given up with its name and stderr; the others go on", async () => {
    const result = await run(
      { silent: { ...bad("silent"), startup_timeout: 1, required: true }, fine: bad("ok") },
      [call("fine__ok"), { text: "done" }],
    );
    expect(result).toMatchObject({ code: 0, stdout: "done\n" });
    expect(result.stderr).toMatch(/silent did not start[\s\S]*no answer within 1 s/);
    expect(results(1)).toEqual(["fine"]);
  });

  test("a server that dies at once is named with its last words; the others go on", async () => {
    const result = await run({ dead: { ...bad("exit-start"), required: true }, fine: bad("ok") }, [
      call("fine__ok"),
      { text: "done" },
    ]);
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/dead did not start[\s\S]*exited with code 3[\s\S]*missing FOO_TOKEN/);
    expect(results(1)).toEqual(["fine"]);
  });

  test("a variable that is not set fails that extension and no other", async () => {
    const result = await run({ wants: { ...bad("ok"), env_keys: ["NOT_SET_ANYWHERE"] }, fine: bad("ok") }, [
      call("fine__ok"),
      { text: "done" },
    ]);
    expect(result.stderr).toMatch(/wants did not start[\s\S]*\$\{NOT_SET_ANYWHERE\}/);
    expect(results(1)).toEqual(["fine"]);
  });

  test("the first request does not wait for a server whose tools are remembered, even if it never starts", async () => {
    const gate = home.file("gate", "open");
    const slow = { slow: { ...bad("wait-for", gate), required: true } };
    await run(slow, [{ text: "first run" }]);
    rmSync(gate);
    const result = await run(slow, [{ text: "second run" }]);
    expect(result).toMatchObject({ code: 0, stdout: "second run\n" });
    expect(toolNames(1)).toContain("slow__ok");
  });
});

describe("many servers", () => {
  /** Milliseconds from the start of a session to its prompt. */
  async function promptAfter(extensions: object): Promise<number> {
    const folder = join(home.path, ".config", "kari");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.yaml"), JSON.stringify({ extensions }));
    const script = home.file("script.json", JSON.stringify({ turns: [{ text: "never asked" }] }));
    const since = performance.now();
    const child = startKari(["session", "--fake-model", script], { home });
    const done = finished(child);
    const taken = await new Promise<number>((resolve) => {
      child.stderr.on("data", (chunk: Buffer | string) => {
        if (chunk.toString().includes("雁>")) resolve(performance.now() - since);
      });
    });
    child.stdin.end();
    expect((await done).code).toBe(0);
    return taken;
  }

  test("with 25 servers that never start, a session has its prompt as soon as with none, and ends cleanly", async () => {
    const none: number[] = [];
    const many: number[] = [];
    const never = bad("wait-for", join(home.path, "never"));
    const servers = Object.fromEntries(Array.from({ length: 25 }, (_none, index) => [`s${index}`, never]));
    for (let round = 0; round < 3; round++) {
      none.push(await promptAfter({}));
      many.push(await promptAfter(servers));
    }
    expect(Math.min(...many)).toBeLessThan(2 * Math.min(...none));
  });
});

describe("in a call", () => {
  test("a crash fails the call at once with the last words, and the next call finds a new process", async () => {
    await run({ bad: bad("ok") }, [call("bad__pid"), call("bad__crash"), call("bad__pid"), { text: "done" }]);
    const [before, crash, after] = results(3);
    expect(crash).toMatch(/exited with code 9[\s\S]*out of cheese/);
    expect(after).toMatch(/^\d+$/);
    expect(after).not.toBe(before);
  });

  test("garbage on stdout, an error of the protocol, and isError are all readable", async () => {
    await run({ bad: bad("garbage-start") }, [
      call("bad__garbage"),
      call("bad__rpc-error"),
      call("bad__is-error"),
      { text: "done" },
    ]);
    const [garbage, error, isError] = results(3);
    expect(garbage).toBe("after garbage");
    expect(error).toMatch(/server-side boom/);
    expect(isError).toMatch(/it failed/);
    expect(isError).not.toBe("it failed");
  });

  test("a silent call ends at its timeout, with what is known of the server", async () => {
    await run({ bad: { ...bad("ok"), timeout: 1 } }, [call("bad__hang"), { text: "done" }]);
    expect(results(1)[0]).toMatch(
      /gave no sign of life for 1 s and was cancelled. It answers other requests/,
    );
  });

  test("a server that is stopped is told from a busy one", async () => {
    await run({ bad: bad("ok") }, [call("bad__stop"), { text: "done" }]);
    expect(results(1)[0]).toMatch(/is stopped \(SIGSTOP\)/);
  });

  test("a child gets the allowed environment and what is declared for it, and no key of ours", async () => {
    await run({ bad: { ...bad("ok"), envs: { DECLARED: "yes", NODE_OPTIONS: "--require evil.js" } } }, [
      call("bad__env"),
      { text: "done" },
    ]);
    const env = JSON.parse(results(1)[0] ?? "{}") as Record<string, string>;
    expect(env).toMatchObject({ DECLARED: "yes", HOME: home.path });
    expect(env["NODE_OPTIONS"]).toBeUndefined();
    expect(JSON.stringify(env)).not.toContain("sk-canary");
  });

  test("R28: a question to the person in a headless run is declined, and the model reads why; the run goes on", async () => {
    const result = await run({ bad: bad("ok") }, [call("bad__elicit"), { text: "done" }]);
    expect(result).toMatchObject({ code: 0, stdout: "done\n" });
    expect(results(1)[0]).toMatch(/"decline"[\s\S]*nobody can be asked in this run/);
  });

  test("a question to the model is answered by the model, with a limit", async () => {
    await run({ bad: bad("ok") }, [call("bad__sample"), { text: "four" }, { text: "done" }]);
    expect(body(1)).toMatchObject({ messages: [{ role: "user", content: "2+2?" }] });
    expect(results(2)[0]).toContain("four");
  });
});

describe("changes", () => {
  test("a tool that appears in a call is offered in the same reply, and can be called", async () => {
    await run({ bad: bad("ok") }, [call("bad__add-tool"), call("bad__new-tool"), { text: "done" }]);
    expect(toolNames(0)).not.toContain("bad__new-tool");
    expect(toolNames(1)).toContain("bad__new-tool");
    expect(toolNames(1).slice(0, toolNames(0).length)).toEqual(toolNames(0));
    expect(results(2)[1]).toBe("the new tool ran");
  });

  test("R23: a tool that is described otherwise than when it was used is announced with the difference", async () => {
    const extension = { bad: { ...bad("ok"), envs: { DESCRIPTION: "${KIND:-says what it is}" } } };
    await run(extension, [call("bad__describe"), call("bad__redescribe"), { text: "done" }]);
    const result = await run(extension, [
      call("bad__describe"),
      call("bad__redescribe"),
      call("bad__ok"),
      { text: "done" },
    ]);
    expect(result.stderr).toMatch(
      /bad__describe is not what it was[\s\S]*-says what it is[\s\S]*\+now sends everything to evil\.example/,
    );
  });
});

describe("over HTTP", () => {
  test("a server that restarts in the middle of a run is found again", async () => {
    const server = await demoServer();
    let second: { stop(): Promise<void> } | undefined;
    const restart = async () => {
      await server.stop();
      second = await demoServer(server.port);
    };
    const restarted = Promise.withResolvers<void>();
    await run({ far: { type: "streamable_http", uri: server.url } }, [
      call("far__echo", { text: "before" }),
      () => {
        restart().then(restarted.resolve, restarted.reject);
        return call("far__echo", { text: "after" });
      },
      { text: "done" },
    ]);
    await restarted.promise;
    expect(results(2)).toEqual(["before", "after"]);
    await second?.stop();
  });

  test("type sse works, and so does an sse address under the newer type", async () => {
    const server = await demoServer();
    const uri = server.url.replace(/\/mcp$/, "/sse");
    await run({ old: { type: "sse", uri }, guessed: { type: "streamable_http", uri } }, [
      call("old__echo", { text: "old" }),
      call("guessed__echo", { text: "found out" }),
      { text: "done" },
    ]);
    expect(results(2)).toEqual(["old", "found out"]);
  });

  test("a server that is not there is an outage in words, and the others go on", async () => {
    const result = await run(
      { far: { type: "streamable_http", uri: "http://127.0.0.1:9/mcp" }, fine: bad("ok") },
      [call("fine__ok"), { text: "done" }],
    );
    expect(result.stderr).toMatch(/far did not start[\s\S]*cannot be reached[\s\S]*nothing listens there/);
    expect(results(1)).toEqual(["fine"]);
  });
});

describe("content", () => {
  test("a link keeps its address, name, type and size", async () => {
    await run({ bad: bad("ok") }, [call("bad__everything"), { text: "done" }]);
    const text = JSON.stringify(body(1).messages);
    for (const part of ["test://link", "a link", "text/plain", "12"]) expect(text).toContain(part);
    expect(text).not.toContain("for the person");
  });

  test("embedded blobs: a picture is a picture, a text is text, other bytes are named with their size", async () => {
    await run({ bad: bad("ok") }, [call("bad__embedded"), { text: "done" }]);
    const text = JSON.stringify(body(1).messages);
    expect(text).toContain("data:image/png;base64,iVBOR");
    expect(text).toContain("秋の田の");
    expect(text).toMatch(/test:\/\/bytes/);
    expect(text).toMatch(/application\/x-thing/);
  });

  test("a blob resource is read as what it is", async () => {
    await run({ bad: bad("resources") }, [
      call("platform__read_resource", { uri: "test://letter", extension_name: "bad" }),
      call("platform__read_resource", { uri: "test://picture", extension_name: "bad" }),
      call("platform__read_resource", { uri: "test://bytes", extension_name: "bad" }),
      { text: "done" },
    ]);
    const text = JSON.stringify(body(3).messages);
    expect(text).toContain("秋の田の");
    expect(text).toContain("data:image/png;base64,iVBOR");
    expect(text).toMatch(/application\/x-thing/);
    expect(text).not.toContain("(empty result)");
  });

  test("resources are listed from every page, with their fields and the templates", async () => {
    await run({ bad: bad("resources") }, [call("platform__list_resources", {}), { text: "done" }]);
    const [listed] = results(1);
    for (const part of [
      "test://bytes",
      "test://picture",
      "test://letter",
      "Some bytes",
      "not a text",
      "test://poem/{name}",
    ])
      expect(listed).toContain(part);
  });

  test("odd and long tool names reach the model in a form it may use, and lead back", async () => {
    await run({ bad: bad("ok") }, [{ text: "look" }]);
    for (const name of toolNames(0)) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const odd = toolNames(0).filter((name) => /weird|long-/.test(name));
    expect(odd).toHaveLength(2);
    await run({ bad: bad("ok") }, [...odd.map((name) => call(name)), { text: "done" }]);
    expect(results(3).sort()).toEqual(["long name ran", "odd name ran"]);
  });
});
