/** `kari mcp code` over stdio as a host starts it, one JSON message on each line; for the bench. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const STATISTICS = ["overview", "languages", "complexity", "files"] as const;
const launcher = fileURLToPath(new URL("../bin/kari.js", import.meta.url));
const children = new Set<ChildProcessWithoutNullStreams>();

export function killServers(): void {
  for (const child of children) child.kill("SIGKILL");
}

export class CodeServer {
  readonly startedAt = performance.now();
  readonly ready: Promise<unknown>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (message: { result?: unknown; error?: unknown }) => void>();
  #listeners: (() => void)[] = [];
  #id = 0;

  constructor(root: string, home: string, options: readonly string[]) {
    this.#child = spawn(process.execPath, [launcher, "mcp", "code", "--project", root, ...options], {
      env: { PATH: process.env["PATH"] ?? "", HOME: home },
    });
    children.add(this.#child);
    this.#child.stderr.pipe(process.stderr);
    createInterface(this.#child.stdout).on("line", (line) => this.#receive(line));
    this.ready = this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    this.#child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  request(method: string, params: object): Promise<unknown> {
    this.#id += 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#id, ({ result, error }) =>
      error === undefined ? resolve(result) : reject(new Error(`${method}: ${JSON.stringify(error)}`)),
    );
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params })}\n`);
    return promise;
  }

  async readStatistics(): Promise<void> {
    await Promise.all(
      STATISTICS.map((name) => this.request("resources/read", { uri: `code://stats/${name}` })),
    );
  }

  async overview(): Promise<{ readonly total_lines: number }> {
    const answer = await this.request("resources/read", { uri: "code://stats/overview" });
    const { contents } = answer as { contents: readonly { text: string }[] };
    return JSON.parse(contents[0]?.text ?? "") as { total_lines: number };
  }

  /** The next news of a change. */
  told(): Promise<void> {
    return new Promise((done) => this.#listeners.push(done));
  }

  /** Highest resident memory so far, as the kernel counted it. */
  peakMiB(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  async end(): Promise<void> {
    const gone = new Promise((done) => this.#child.once("exit", done));
    this.#child.stdin.end();
    await gone;
    children.delete(this.#child);
  }

  #receive(line: string): void {
    const message = JSON.parse(line) as { id?: number; method?: string; result?: unknown; error?: unknown };
    if (message.method === "notifications/resources/updated") {
      for (const done of this.#listeners.splice(0)) done();
    }
    if (message.id === undefined) return;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}
