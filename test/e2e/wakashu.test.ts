/** The anthology through the whole of Kari: the sentence of the document without any key, and its pictures to a model. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshHome, type Home, kari, root } from "../support/kari.ts";
import { startMockLlm } from "../support/mock-llm.ts";
import { type Picture, readBody } from "../wire/read-body.ts";
import { CASES, type WireCase } from "../wire/wire-case.ts";

const NAME = "遠慮したラップトップ和歌集";
const SENTENCE = `'wakashu'で「${NAME}」のランキング情報を取得してください。取得するのは第1回の和歌集のランキング1位から3位の投稿です。`;
const CALL = { wakashuName: NAME, edition: 1, rankStart: 1, rankEnd: 3 };
const PICTURES = ["1-Laptop/Picture1.png", "2-Wakashu/Picture2.jpg", "3-Kari/Picture3.webp"];
const HEADS = ["1位：@Laptop", "2位：@Wakashu", "3位：@Kari"];

let home: Home;
beforeEach(() => {
  home = freshHome();
});
afterEach(() => home.remove());

function positions(text: string, parts: readonly string[]): number[] {
  return parts.map((part) => text.indexOf(part));
}

function expectInOrder(text: string, parts: readonly string[]): void {
  const found = positions(text, parts);
  expect(found.every((position) => position >= 0)).toBe(true);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
}

test("E7: the document's sentence, with no key: the right call, then texts and pictures in order", async () => {
  const { code, stdout, stderr } = await kari(["run", "-t", SENTENCE], { home });
  expect(code).toBe(0);
  expect(stderr).toContain(`→ wakashu__wakashu_getRanking ${JSON.stringify(CALL)}`);
  const inOrder = [
    "1位：@Laptop",
    "Picture1.png",
    "閉じられたままの画面に",
    "2位：@Wakashu",
    "Picture2.jpg",
    "充電が残り三パーセント",
    "3位：@Kari",
    "Picture3.webp",
    "雁わたる空の広さ",
  ];
  expectInOrder(stdout, inOrder);
  expectInOrder(stderr, inOrder);
});

test("in a terminal that draws pictures they are drawn between the texts", async () => {
  const { stderr } = await kari(["run", "-t", SENTENCE], { home, env: { KARI_IMAGES: "blocks" } });
  const pieces = stderr
    .slice(stderr.indexOf("1位：@Laptop"))
    .split(/\d位：@/)
    .slice(1);
  expect(pieces).toHaveLength(3);
  for (const piece of pieces) expect(piece.match(/▀/g)?.length ?? 0).toBeGreaterThan(100);
});

describe("the pictures reach the model", () => {
  test.each(CASES)("in $format: three, in order, beside their texts", async (wire) => {
    const llm = await startMockLlm({
      steps: [
        { calls: [{ id: "call_1", name: "wakashu__wakashu_getRanking", arguments: CALL }] },
        { text: "三首です。" },
      ],
    });
    const result = await kari(["run", "--no-profile", "--with-builtin", "wakashu", "-t", SENTENCE], {
      home,
      env: environmentFor(wire, llm.url),
    });
    await llm.close();
    expect(result).toMatchObject({ code: 0, stdout: "三首です。\n" });
    const request = llm.requests[1];
    if (!request) throw new Error("the result was not sent");
    const turns = readBody(request).turns;
    const told = turns.flatMap((turn): readonly { text: string; images: readonly Picture[] }[] => {
      if (turn.role === "tool") return turn.results;
      return turn.role === "user" ? [turn] : [];
    });
    expect(told.flatMap(({ images }) => images.map(({ mimeType }) => mimeType))).toEqual([
      "image/png",
      "image/jpeg",
      "image/webp",
    ]);
    expect(told.flatMap(({ images }) => images.map(({ data }) => data))).toEqual(
      PICTURES.map((name) =>
        readFileSync(join(root, "examples", "wakashu", "第1回", name)).toString("base64"),
      ),
    );
    expectInOrder(told.map(({ text }) => text).join("\n"), HEADS);
  });
});

/** The names of the address and the key in each provider's own words. */
const NAMES: Readonly<Record<string, readonly [string, string]>> = {
  "openai-compatible": ["OPENAI_BASE_URL", "OPENAI_API_KEY"],
  openai: ["OPENAI_BASE_URL", "OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"],
  google: ["GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"],
};

function environmentFor({ provider, model, path }: WireCase, url: string): Record<string, string> {
  const [address = "", key = ""] = NAMES[provider] ?? [];
  return { KARI_PROVIDER: provider, KARI_MODEL: model, [address]: `${url}${path}`, [key]: "canary" };
}
