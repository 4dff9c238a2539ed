/**
 * `npm run bench:wakashu [-- start|range|load|memory]`: the wakashu server over a generated collection of 100 editions by 100 ranks.
 * Everything is a ratio or a difference within one run: start beside an empty server of the same kit, a range beside
 * reading its pictures, requests per second beside a bare node:http server that sends the same bytes, and the
 * memory while a thousand answers of 5 MB go out. Nothing is kept; the collection lives in a temporary folder.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import sharp from "sharp";
import { leanPlugin } from "../scripts/lean-plugin.ts";
import { plainHeadersPlugin } from "../scripts/plain-headers-plugin.ts";
import { createWakashuServer } from "../src/servers/wakashu/index.ts";

const EDITIONS = 100;
const RANKS = 100;
const CLIENTS = 64;
const ROUNDS = 15;
const BARE_SERVER = `
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
const answer = readFileSync(process.argv[2]);
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": answer.length });
    response.end(answer);
  });
}).listen(0, "127.0.0.1", () => process.stderr.write("http://127.0.0.1:" + server.address().port + "/\\n"));
`;
const home = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "bench-wakashu-"));
const children: ChildProcess[] = [];

/** Milliseconds on the clock, and of the processor: the latter tells more where others use the machine too. */
interface Measured {
  readonly wall: number;
  readonly cpu: number;
}

try {
  const small = join(scratch, "small");
  const large = join(scratch, "large");
  await generate(small, RANKS, 104);
  await generate(large, 1, 1120);
  console.log(`collection: ${EDITIONS} editions × ${RANKS} ranks in ${small}`);
  // What changed a moment ago is never kept: let the files settle, as a real collection has.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const wanted = new Set(process.argv.slice(2));
  const asked = (part: string) => wanted.size === 0 || wanted.has(part);
  if (asked("start")) await measureStart(small);
  if (asked("range")) await measureRanges(small);
  if (asked("load")) await measureThroughput(small, [1, 3]);
  if (asked("load")) await measureThroughput(small, [1, 30]);
  if (asked("memory")) await measureMemory(large);
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
}

/** Pictures of noise, whose size no format hides; ten different ones, linked under all names. */
async function generate(root: string, ranks: number, side: number): Promise<void> {
  mkdirSync(root, { recursive: true });
  const pictures = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const pixels = Buffer.alloc(side * side * 3);
      let seed = index + 1;
      for (let at = 0; at < pixels.length; at += 1) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        pixels[at] = seed >>> 16;
      }
      const raw = { width: side, height: side, channels: 3 as const };
      const file = join(scratch, `picture-${side}-${index}.png`);
      writeFileSync(file, await sharp(pixels, { raw }).png({ compressionLevel: 0 }).toBuffer());
      return file;
    }),
  );
  for (let edition = 1; edition <= EDITIONS; edition += 1) {
    for (let rank = 1; rank <= ranks; rank += 1) {
      const folder = join(root, `第${edition}回`, `${rank}-post${rank}`);
      mkdirSync(folder, { recursive: true });
      const words = {
        account: `post${rank}`,
        text: `第${edition}回の${rank}番目の歌`.repeat(5),
        urls: ["https://example.com/"],
        prompt: "雁の群れを描いてください。",
      };
      writeFileSync(join(folder, `TextData${rank}.json`), JSON.stringify(words));
      linkSync(pictures[(edition + rank) % pictures.length] as string, join(folder, `Picture${rank}.png`));
    }
  }
}

/** From the spawn to the answer of `initialize`, bundled as the package is, with the compile cache on. */
async function measureStart(root: string): Promise<void> {
  const entry = (name: string, source: string) => {
    const file = join(scratch, `${name}.ts`);
    writeFileSync(file, source);
    return file;
  };
  const kit = `${home}src/servers/kit`;
  await build({
    absWorkingDir: home,
    nodePaths: [join(home, "node_modules")],
    entryPoints: {
      empty: entry(
        "empty",
        `import { runServer } from "${kit}/command.ts"; await runServer({ name: "empty", summary: "", create: async () => ({ definition: { name: "empty", version: "1", tools: [] } }) }, [], process.env);`,
      ),
      wakashu: entry(
        "wakashu",
        `import { runServer } from "${kit}/command.ts"; import { wakashuCommand } from "${home}src/servers/wakashu/command.ts"; await runServer(wakashuCommand("1"), process.argv.slice(2), process.env);`,
      ),
    },
    outdir: join(scratch, "dist"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [plainHeadersPlugin, leanPlugin],
    external: ["sharp", "heic-decode", "@parcel/watcher"],
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  const times: Record<"empty" | "wakashu", Measured[]> = { empty: [], wakashu: [] };
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const name of ["empty", "wakashu"] as const) {
      const time = await timeStart(
        join(scratch, "dist", `${name}.mjs`),
        name === "empty" ? [] : ["--root", root],
      );
      if (round >= 0) times[name].push(time);
    }
  }
  const [empty, wakashu] = [medians(times.empty), medians(times.wakashu)];
  console.log(
    `start: wakashu ${wakashu.wall.toFixed(0)} ms, empty server ${empty.wall.toFixed(0)} ms: ${(wakashu.wall / empty.wall).toFixed(2)} ×; CPU ${(mean(times.wakashu) / mean(times.empty)).toFixed(2)} ×`,
  );
}

async function timeStart(file: string, args: readonly string[]): Promise<Measured> {
  const begun = performance.now();
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(scratch, "compile") },
  });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const measured = { wall: performance.now() - begun, cpu: cpu(child) };
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.end();
  await gone;
  return measured;
}

/** A range in a server that has read nothing yet, beside reading and encoding the same pictures. */
async function measureRanges(root: string): Promise<void> {
  for (const [first, last] of [
    [1, 1],
    [1, 10],
    [51, 100],
    [1, 100],
  ] as const) {
    const beyond: Measured[] = [];
    for (let edition = 1; edition <= ROUNDS; edition += 1) {
      const files = Array.from({ length: last - first + 1 }, (_, index) =>
        join(root, `第${edition}回/${first + index}-post${first + index}/Picture${first + index}.png`),
      );
      await readAll(files);
      const reading = await timed(() => readAll(files));
      const server = createWakashuServer({ root });
      const tool = server.tools[0];
      const context = { signal: new AbortController().signal, progress() {} };
      const answering = await timed(async () => {
        const result = await tool?.call(
          { wakashuName: "x", edition, rankStart: first, rankEnd: last },
          context,
        );
        const pictures = result?.content.filter(({ type }) => type === "resource").length;
        if (pictures !== files.length) throw new Error(`${pictures} of ${files.length} pictures`);
      });
      beyond.push({ wall: answering.wall - reading.wall, cpu: answering.cpu - reading.cpu });
    }
    const { wall, cpu: used } = medians(beyond);
    console.log(
      `range ${first}–${last}, nothing read before: ${wall.toFixed(1)} ms beyond reading its pictures, ${used.toFixed(1)} ms of CPU`,
    );
  }
}

async function readAll(files: readonly string[]): Promise<number> {
  const encoded = await Promise.all(files.map(async (file) => (await readFile(file)).toString("base64")));
  return encoded.reduce((sum, text) => sum + text.length, 0);
}

/** 64 connections, each sending its next request when it has the whole answer. */
async function measureThroughput(root: string, [first, last]: readonly [number, number]): Promise<void> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "wakashu/getRanking",
      arguments: { wakashuName: "x", edition: 7, rankStart: first, rankEnd: last },
    },
  });
  const message = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const wakashu = await startServer([
    join(home, "src/servers/wakashu/start.ts"),
    "--http",
    "127.0.0.1:0",
    "--root",
    root,
  ]);
  const answer = await (
    await fetch(wakashu.url, { method: "POST", headers: { "Content-Type": "application/json" }, body })
  ).text();
  const bytes = join(scratch, "answer.json");
  writeFileSync(bytes, answer);
  const bare = join(scratch, "bare.mjs");
  writeFileSync(bare, BARE_SERVER);
  const plain = await startServer([bare, bytes]);
  const rates: Record<"bare" | "wakashu", number[]> = { bare: [], wakashu: [] };
  const costs: Record<"bare" | "wakashu", number[]> = { bare: [], wakashu: [] };
  for (let round = -1; round < 5; round += 1) {
    for (const [name, server] of [
      ["bare", plain],
      ["wakashu", wakashu],
    ] as const) {
      const before = cpu(server.child);
      const answers = await load(server.port, message, Buffer.byteLength(answer), 2000);
      if (round < 0) continue;
      rates[name].push(answers / 2);
      costs[name].push((cpu(server.child) - before) / answers);
    }
  }
  const [own, other] = [median(rates.wakashu), median(rates.bare)];
  console.log(
    `${CLIENTS} clients, answers of ${(Buffer.byteLength(answer) / 1024).toFixed(0)} KiB: wakashu ${own.toFixed(0)} requests/s, bare node:http ${other.toFixed(0)}: ${(own / other).toFixed(2)} ×; CPU a request ${median(costs.wakashu).toFixed(2)} ms beside ${median(costs.bare).toFixed(2)} ms`,
  );
  wakashu.child.kill();
  plain.child.kill();
}

async function load(
  port: number,
  request: string,
  answerBytes: number,
  milliseconds: number,
): Promise<number> {
  const until = performance.now() + milliseconds;
  let answers = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, () =>
      talk(port, request, answerBytes, () => {
        answers += 1;
        return performance.now() < until;
      }),
    ),
  );
  return answers;
}

/** A client that does as little as possible, so that the server is what is measured. */
function talk(port: number, request: string, answerBytes: number, more: () => boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () => socket.write(request));
  let left = -1;
  socket.on("data", (part) => {
    let at = 0;
    if (left < 0) {
      const head = part.indexOf("\r\n\r\n");
      if (head < 0) return reject(new Error("an answer's head in two parts"));
      at = head + 4;
      left = answerBytes;
    }
    left -= part.length - at;
    if (left > 0) return;
    left = -1;
    if (more()) socket.write(request);
    else socket.end();
  });
  socket.on("error", reject);
  socket.on("close", () => resolve());
  return promise;
}

/** A thousand answers of 5 MB, each of one of a hundred pictures, to 16 readers at once. */
async function measureMemory(root: string): Promise<void> {
  for (const [name, path, tool] of [
    ["plain endpoint", "/", "wakashu/getRanking"],
    ["MCP endpoint", "/mcp", "wakashu_getRanking"],
  ] as const) {
    const server = await startServer([
      join(home, "src/servers/wakashu/start.ts"),
      "--http",
      "127.0.0.1:0",
      "--root",
      root,
    ]);
    const url = new URL(path, server.url);
    let bytes = 0;
    let asked = 0;
    let half = 0;
    const begun = performance.now();
    const before = memory(server.child);
    const reader = async () => {
      while (asked < 1000) {
        asked += 1;
        if (asked === 500) half = memory(server.child);
        const params = {
          name: tool,
          arguments: { wakashuName: "x", edition: 1 + (asked % EDITIONS), rankStart: 1, rankEnd: 1 },
        };
        const body = JSON.stringify({ jsonrpc: "2.0", id: asked, method: "tools/call", params });
        const received = await receive(url, body);
        bytes += received;
      }
    };
    await Promise.all(Array.from({ length: 16 }, reader));
    const seconds = (performance.now() - begun) / 1000;
    console.log(
      `1,000 answers of ${(bytes / 1000 / 1024 / 1024).toFixed(1)} MiB to 16 readers on the ${name}: ${seconds.toFixed(1)} s, peak memory of the server ${memory(server.child)} MiB (${before} MiB before, ${half} MiB after the first 500)`,
    );
    server.child.kill();
  }
}

/** One request on a connection of its own; how many bytes came back. */
function receive(url: URL, body: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const call = request(url, { method: "POST", headers, agent: false }, (response) => {
    let bytes = 0;
    response.on("data", (part: Buffer) => {
      bytes += part.length;
    });
    response.on("end", () => resolve(bytes)).on("error", reject);
  });
  call.on("error", reject).end(body);
  return promise;
}

async function startServer(
  args: readonly string[],
): Promise<{ child: ChildProcess; url: string; port: number }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  children.push(child);
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
  let said = "";
  child.stderr.on("data", (part) => {
    said += part;
    const url = /http:\/\/127\.0\.0\.1:(\d+)\/(?=(?:mcp)?\n)/.exec(said);
    if (url) resolve(url);
  });
  child.on("exit", (code, signal) => {
    if (signal !== "SIGTERM" && signal !== "SIGKILL" && code !== 0)
      console.error(`server ended: ${code} ${signal} ${said}`);
    reject(new Error(`the server did not start: ${said}`));
  });
  const [url, port] = await promise;
  return { child, url, port: Number(port) };
}

/** The largest the process has been, as the system counts it. */
function memory({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** Processor time the process has used, in milliseconds. */
function cpu({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function timed(action: () => Promise<unknown>): Promise<Measured> {
  const begun = performance.now();
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - begun, cpu: (user + system) / 1000 };
}

function medians(values: readonly Measured[]): Measured {
  return { wall: median(values.map(({ wall }) => wall)), cpu: median(values.map(({ cpu: used }) => used)) };
}

/** Of the CPU time, which the system counts in steps of ten milliseconds. */
function mean(values: readonly Measured[]): number {
  return values.reduce((sum, { cpu: used }) => sum + used, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
