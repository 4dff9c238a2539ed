/** The MCP Inspector's command line as the client, on stdio and over HTTP, in both protocol eras. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpFixture, serveForTest } from "./http-fixture.ts";
import { sampleRoot } from "./package-root.ts";

const inspector = fileURLToPath(
  import.meta
    .resolve("@modelcontextprotocol/inspector/package.json")
    .replace("package.json", "clients/launcher/build/index.js"),
);
const start = fileURLToPath(new URL("./start.ts", import.meta.url));
const sample = sampleRoot() ?? "";
const request = { wakashuName: "遠慮したラップトップ和歌集", edition: 1, rankStart: 1, rankEnd: 2 };
let http: HttpFixture;
beforeAll(async () => {
  http = await serveForTest({ root: sample });
});
afterAll(() => http.handle.close());

async function inspect(target: readonly string[], ...args: readonly string[]): Promise<unknown> {
  const all = [inspector, "--cli", ...target, "--format", "json", ...args];
  const { stdout } = await promisify(execFile)(process.execPath, all, { maxBuffer: 64 * 1024 * 1024 });
  return (JSON.parse(stdout) as { result: unknown }).result;
}

describe.each(["legacy", "modern"])("the inspector in the %s era", (era) => {
  test.each(["stdio", "http"])("calls getRanking over %s", async (transport) => {
    const target =
      transport === "stdio" ? [process.execPath, start] : [http.handle.url, "--transport", "http"];
    const tool = ["--tool-name", "wakashu_getRanking", "--tool-args-json", JSON.stringify(request)];
    const result = await inspect(target, "--protocol-era", era, "--method", "tools/call", ...tool);
    const blob = readFileSync(join(sample, "第1回/1-Laptop/Picture1.png")).toString("base64");
    expect(result).toMatchObject({
      isError: false,
      content: [
        { text: "1位：@Laptop" },
        { type: "resource", resource: { mimeType: "image/png", blob } },
        { type: "text" },
        { text: "2位：@Wakashu" },
        { type: "resource", resource: { mimeType: "image/jpeg" } },
        { type: "text" },
      ],
    });
  });
});

test("the inspector lists tools strictly, and reads a resource by its template", async () => {
  const target = [http.handle.url, "--transport", "http", "--protocol-era", "auto"];
  expect(await inspect(target, "--strict", "--method", "tools/list")).toMatchObject({ tools: { length: 5 } });
  const uri = `wakashu://post/${encodeURIComponent(request.wakashuName)}/2/3`;
  expect(await inspect(target, "--method", "resources/read", "--uri", uri)).toMatchObject({
    contents: [{ text: expect.stringContaining("撫子") }, { mimeType: "image/png" }],
  });
});
