import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ToolContent, ToolResponse } from "../conversation/index.ts";
import { markCut } from "../lib/cut-mark.ts";
import { estimateTokens } from "../lib/token-estimate.ts";
import { KeptResults } from "../sessions/index.ts";
import { DEFAULT_LIMITS, type Keeper, shorten } from "./shorten-results.ts";
import { windowOf } from "./text-window.ts";

const response = (content: ToolContent[], more: Partial<ToolResponse> = {}): ToolResponse => ({
  type: "tool-response",
  id: "1",
  name: "x__y",
  isError: false,
  content,
  ...more,
});

const none: Keeper = {
  keep: () => {
    throw new Error("nothing is to be kept");
  },
  keepBytes: () => {
    throw new Error("nothing is to be kept");
  },
};

test.each([
  ["English", (line: number) => `line ${line} ${"x".repeat(40)}`],
  ["Japanese", (line: number) => `line ${line} ${"雁が音".repeat(5)}`],
])(
  "a result of 30 MB of %s costs the model under 2,000 tokens, and any part of it can be read afterwards",
  async (_language, lineOf) => {
    const kept = new KeptResults();
    const text = Array.from({ length: 600_000 }, (_, line) => lineOf(line)).join("\n");
    expect(Buffer.byteLength(text)).toBeGreaterThan(30_000_000);
    const short = await shorten(response([{ type: "text", text }]), kept, DEFAULT_LIMITS);
    const shown = JSON.stringify(short.content);
    expect(estimateTokens(shown)).toBeLessThan(2000);
    expect(shown).toContain("line 0 ");
    expect(shown).toContain("line 599999 ");
    const uri = /session:\/\/result\/[0-9a-f]+/.exec(shown)?.[0] ?? "";
    const whole = kept.read(uri) ?? "";
    expect(whole).toBe(text);
    expect(windowOf(whole, { search: "line 314159 " })).toMatch(/offset \d+: /);
    kept.close();
    expect(kept.read(uri)).toBeUndefined();
  },
);

test("short results, pictures and links stay as they are", async () => {
  const short = response([
    { type: "text", text: "ok" },
    { type: "image", mimeType: "image/png", data: "A".repeat(1_000_000) },
    { type: "resource", resource: { uri: "x://p", mimeType: "image/png", blob: "A".repeat(1_000_000) } },
    { type: "resource", resource: { uri: "x://t", text: "short" } },
    { type: "resource-link", link: { uri: "x://l", name: "l" } },
  ]);
  expect(await shorten(short, none, DEFAULT_LIMITS)).toEqual(short);
});

test("what its server has cut already is not kept as if it were whole: one notice, with the server's way to the rest", async () => {
  const rest = "The full output is in /o.txt: read it with read_file.";
  const text = `${"a".repeat(10_000)}\n[… 5 MB not shown. The full output is in /o.txt.]\n${"z".repeat(20_000)}`;
  const { content } = await shorten(
    response([{ type: "text", text, meta: markCut(rest) }]),
    none,
    DEFAULT_LIMITS,
  );
  const [block] = content;
  const shown = block?.type === "text" ? block.text : "";
  expect(shown).toMatch(
    /^a+\n\[… \d+ of \d+ characters are not shown\. The full output is in \/o\.txt: read it with read_file\. …\]\nz+$/,
  );
  expect(estimateTokens(shown)).toBeLessThan(2000);
});

test("P28: a text that came as bytes is a text, in whatever encoding, and shortened like one", async () => {
  const kept = new KeptResults();
  const shiftJis = Buffer.from([0x8a, 0xe5, 0x82, 0xaa, 0x96, 0xc2, 0x82, 0xad]).toString("base64");
  const long = Buffer.from("雁が鳴く\n".repeat(100_000)).toString("base64");
  const { content } = await shorten(
    response([
      { type: "resource", resource: { uri: "x://sjis", mimeType: "text/plain", blob: shiftJis } },
      { type: "resource", resource: { uri: "x://long", mimeType: "text/plain; charset=utf-8", blob: long } },
    ]),
    kept,
    DEFAULT_LIMITS,
  );
  expect(content[0]).toMatchObject({ resource: { uri: "x://sjis", text: "雁が鳴く" } });
  expect(JSON.stringify(content[1])).toMatch(/of 500000 characters are not shown.*session:\/\/result/);
  expect(estimateTokens(JSON.stringify(content))).toBeLessThan(2000);
  kept.close();
});

test("bytes that no model reads are kept in a file, and the model alone is told where", async () => {
  const kept = new KeptResults();
  const blob = Buffer.from("PK\u0003\u0004\u0000").toString("base64");
  const zip = { type: "resource", resource: { uri: "x://z", mimeType: "application/zip", blob } } as const;
  const { content } = await shorten(response([zip]), kept, DEFAULT_LIMITS);
  expect(content).toEqual([
    zip,
    { type: "text", text: expect.any(String), annotations: { audience: ["assistant"] } },
  ]);
  const path = /in the file (\S+\.zip) until/.exec(JSON.stringify(content))?.[1] ?? "";
  expect(readFileSync(path)).toEqual(Buffer.from(blob, "base64"));
  kept.close();
  expect(existsSync(path)).toBe(false);
  const hidden = response([{ ...zip, annotations: { audience: ["user"] } }]);
  expect(await shorten(hidden, none, DEFAULT_LIMITS)).toEqual(hidden);
});

test("P30: bytes that are not base64 stay as they are, for those who show them to say so", async () => {
  const odd = response([
    { type: "resource", resource: { uri: "x://z", mimeType: "application/zip", blob: "これは違う" } },
    { type: "resource", resource: { uri: "x://t", mimeType: "text/plain", blob: "$$$$" } },
  ]);
  expect(await shorten(odd, none, DEFAULT_LIMITS)).toEqual(odd);
});

test("long structured content is kept once, also when a text block repeats it", async () => {
  const structuredContent = { rows: Array.from({ length: 10_000 }, (_, i) => i) };
  const json = JSON.stringify(structuredContent);
  const kept: string[] = [];
  const keeper = { ...none, keep: (text: string) => ({ uri: `session://result/${kept.push(text)}` }) };
  const alone = await shorten(response([], { structuredContent }), keeper, DEFAULT_LIMITS);
  expect(alone.structuredContent).toBeUndefined();
  expect(alone.content).toHaveLength(1);
  const both = await shorten(
    response([{ type: "text", text: json }], { structuredContent }),
    keeper,
    DEFAULT_LIMITS,
  );
  expect(both.content).toHaveLength(1);
});

test("when the disk does not take it, the cut is said to be a loss", async () => {
  const full = () => {
    throw new Error("ENOSPC: no space left on device");
  };
  const blob = Buffer.from([0, 1, 2]).toString("base64");
  const short = await shorten(
    response([
      { type: "text", text: "y".repeat(100_000) },
      { type: "resource", resource: { uri: "x://b", blob } },
    ]),
    { keep: full, keepBytes: full },
    DEFAULT_LIMITS,
  );
  expect(JSON.stringify(short.content)).toContain("whole could not be kept: ENOSPC");
  expect(JSON.stringify(short.content)).toContain("bytes could not be kept: ENOSPC");
});
