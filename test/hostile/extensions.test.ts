/**
 * The hostile inputs that cost time and memory, each in a process of its own so that its memory can be measured.
 * A line of 200 MB stands for one of 1 GB: beyond the limit nothing is kept, so the size makes no difference.
 * KARI_HOSTILE_FULL=1 sends the whole gigabyte.
 */
import { spawn } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { root } from "../support/kari.ts";

const children: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const MEGABYTES = process.env["KARI_HOSTILE_FULL"] ? 1000 : 200;
const STDIO = {
  type: "stdio",
  key: "bad",
  command: process.execPath,
  args: [`${root}test/fixtures/misbehaving-server.ts`],
  env: {},
};

interface Measured {
  /** Megabytes that the peak grew by. */
  readonly grown: number;
  readonly ms: number;
  readonly plainMs?: number;
  /** Answers of another extension meanwhile. */
  readonly otherCalls: number;
  readonly after: string;
  readonly error?: string;
  readonly length?: number;
}

function measure(
  config: object,
  tool: string,
  args: object,
  env: Record<string, string> = {},
): Promise<Measured> {
  const script = `${root}test/support/measure-call.ts`;
  const child = spawn(process.execPath, [script, JSON.stringify(config), tool, JSON.stringify(args)], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) =>
      code === 0 ? resolve(JSON.parse(said) as Measured) : reject(new Error(`exit ${code}`)),
    );
  });
}

async function httpServer(): Promise<object> {
  const child = spawn(process.execPath, [`${root}test/fixtures/big-http-server.ts`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const url = await new Promise<string>((resolve) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return { type: "streamable_http", key: "bad", url, headers: {} };
}

describe("a message without an end", () => {
  test(`R2: a line of ${MEGABYTES} MB costs that call and at most 96 MB, and the others are answered meanwhile`, async () => {
    const result = await measure(STDIO, "endless-line", { megabytes: MEGABYTES });
    expect(result.error).toMatch(/over the limit of 69206016 bytes and was dropped/);
    expect(result.after).toBe("alive");
    expect(result.otherCalls).toBeGreaterThan(10);
    if (process.platform === "linux") expect(result.grown).toBeLessThanOrEqual(96);
  }, 180_000);

  test("R2: the same as an event over HTTP costs that call, and memory does not grow with its length", async () => {
    const result = await measure(await httpServer(), "endless", { megabytes: MEGABYTES });
    expect(result.error).toMatch(/over the limit of 69206016 bytes and was dropped/);
    expect(result.after).toBe("alive");
    if (process.platform === "linux") expect(result.grown).toBeLessThanOrEqual(200);
  }, 180_000);
});

describe("a long message that is legal", () => {
  test("64 MB arrive whole, in about the time that reading and parsing them takes", async () => {
    const {
      length,
      ms,
      plainMs = 0,
    } = await measure(STDIO, "big", { bytes: 67_000_000 }, { WITH_PLAIN: "1" });
    expect(length).toBe(67_000_000);
    expect(ms).toBeLessThan(4 * plainMs);
  }, 120_000);

  test("64 MB in one event over HTTP arrive whole: the time grows with the length, not with its square", async () => {
    const server = await httpServer();
    const small = await measure(server, "big", { bytes: 4_000_000 });
    const large = await measure(server, "big", { bytes: 64_000_000 });
    expect(large.length).toBe(64_000_000);
    // 16 times as long; a square would make it 256 times.
    expect(large.ms).toBeLessThan(80 * Math.max(small.ms, 50));
  }, 120_000);
});

describe("a message that is nested too deep", () => {
  test("R12: 100,000 levels over HTTP fail that call and nothing else", async () => {
    const result = await measure(await httpServer(), "deep", {});
    expect(result).toMatchObject({
      after: "alive",
      error: expect.stringContaining("nested deeper than 512 levels"),
    });
  });
});
