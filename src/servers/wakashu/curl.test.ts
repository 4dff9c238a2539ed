/** The test steps of the document, as it writes them: the server is started from its source and asked by curl. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleRoot } from "./package-root.ts";

const start = fileURLToPath(new URL("./start.ts", import.meta.url));
const sample = sampleRoot() ?? "";
const hasCurl =
  spawnSync("curl", ["--version"]).status === 0 && spawnSync("bash", ["-c", "true"]).status === 0;
let child: ChildProcess;
let base: string;

beforeAll(async () => {
  child = spawn(process.execPath, [start, "--http", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  for await (const part of child.stderr ?? []) {
    said += part;
    const url = /http:\/\/127\.0\.0\.1:\d+\/(?=mcp\n)/.exec(said)?.[0];
    if (url === undefined) continue;
    base = url;
    break;
  }
});
afterAll(() => {
  child.kill("SIGTERM");
});

/** A command of the document, word for word but for the port. */
function run(command: string): unknown {
  const output = execFileSync("bash", ["-c", command.replace("http://localhost:8080/", base)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output);
}

describe.skipIf(!hasCurl)("the curl commands of the document", () => {
  test("テスト1: capabilities/list (機能の確認)", () => {
    expect(
      run(`curl -X POST -H "Content-Type: application/json" \\
-d '{"jsonrpc": "2.0", "id": 1, "method": "capabilities/list", "params": {}}' \\
http://localhost:8080/`),
    ).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        capabilities: { tools: { listChanged: false }, resources: { subscribe: false, listChanged: false } },
      },
    });
  });

  test("テスト2: tools/list (ツールの確認)", () => {
    const answer = run(`curl -X POST -H "Content-Type: application/json" \\
-d '{"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}' \\
http://localhost:8080/`) as { result: { tools: unknown[] } };
    expect({ ...answer, result: { tools: answer.result.tools.slice(0, 1) } }).toEqual({
      jsonrpc: "2.0",
      id: 2,
      result: {
        tools: [
          {
            name: "wakashu/getRanking",
            title: "和歌集ランキング情報取得",
            description:
              "指定された和歌集の、指定された回の、指定された順位範囲のランキング情報を取得します。",
            inputSchema: {
              type: "object",
              properties: {
                wakashuName: { type: "string", description: expect.any(String) },
                edition: { type: "integer", description: expect.any(String) },
                rankStart: { type: "integer", description: expect.any(String) },
                rankEnd: { type: "integer", description: expect.any(String) },
              },
              required: ["wakashuName", "edition", "rankStart", "rankEnd"],
            },
          },
        ],
      },
    });
  });

  test("テスト3: tools/call (和歌集ランキングの取得 - 最重要)", () => {
    const answer = run(`curl -X POST -H "Content-Type: application/json" \\
-d '{
  "jsonrpc": "2.0",
  "id": 3,
  "method": "tools/call",
  "params": {
    "name": "wakashu/getRanking",
    "arguments": {
      "wakashuName": "遠慮したラップトップ和歌集",
      "edition": 1,
      "rankStart": 1,
      "rankEnd": 2
    }
  }
}' \\
http://localhost:8080/`);
    const picture = (path: string, name: string, mimeType: string) => ({
      type: "resource",
      resource: {
        uri: `file://${sample}/${path}/${name}`,
        name,
        mimeType,
        blob: readFileSync(join(sample, path, name)).toString("base64"),
      },
    });
    expect(answer).toEqual({
      jsonrpc: "2.0",
      id: 3,
      result: {
        content: [
          { type: "text", text: "1位：@Laptop" },
          picture("第1回/1-Laptop", "Picture1.png", "image/png"),
          {
            type: "text",
            text: '"閉じられたままの画面にうつりこむ月をしばらく預かっている"\nhttps://example.com/wakashu/1/moon\nhttps://example.com/wakashu/1/laptop\nジャケット生成に使ったプロンプト\n「夜の机の上で、閉じたノートパソコンのふたに満月が映っている静かなイラストを描いてください！」',
          },
          { type: "text", text: "2位：@Wakashu" },
          picture("第1回/2-Wakashu", "Picture2.jpg", "image/jpeg"),
          {
            type: "text",
            text: '"充電が残り三パーセントになると、このパソコンは自分から画面を暗くする。遠慮しているのだと思う。「もっと言っていいのに」と言いながら、わたしもコンセントの場所を聞けずに、二時間が過ぎた。"\nhttps://example.com/wakashu/1/cafe\nジャケット生成に使ったプロンプト\n「喫茶店のすみで小さくなっている、はにかんだノートパソコンのイラストを描いてくれる？」',
          },
        ],
        isError: false,
      },
    });
  });
});

test("a mistake on the command line is said and ends with code 2", () => {
  const result = spawnSync(process.execPath, [start, "--http", "x"], { encoding: "utf8" });
  expect([result.status, result.stdout]).toEqual([2, ""]);
  expect(result.stderr).toContain('--http is "x"');
});
