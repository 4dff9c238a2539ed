import { describe, expect, test } from "vitest";
import { LineFramer } from "./line-framer.ts";

function frame(
  chunks: readonly Buffer[],
  maxLineBytes = 1000,
): { lines: string[]; oversize: [string, string, number][] } {
  const lines: string[] = [];
  const oversize: [string, string, number][] = [];
  const framer = new LineFramer({
    maxLineBytes,
    onLine: (line) => lines.push(line),
    onOversize: ({ head, tail }, bytes) => oversize.push([head, tail, bytes]),
  });
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return { lines, oversize };
}

describe("line framing", () => {
  test("gives the same lines however the bytes are cut, characters of several bytes included", () => {
    const bytes = Buffer.from("雁が音\r\n\n🦢\nlast");
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(frame(chunks).lines).toEqual(["雁が音", "🦢", "last"]);
    }
  });

  test("R2: a line over the limit is dropped whole, its two ends are told, and the next line arrives", () => {
    const { lines, oversize } = frame(
      [Buffer.from(`HEAD${"x".repeat(5000)}`), Buffer.from(`${"y".repeat(5000)}TAIL\nnext\n`)],
      100,
    );
    expect(lines).toEqual(["next"]);
    expect(oversize).toHaveLength(1);
    const [head, tail, bytes] = oversize[0] ?? ["", "", 0];
    expect([head.slice(0, 4), tail.slice(-4), bytes]).toEqual(["HEAD", "TAIL", 10_008]);
  });

  test("a line of exactly the limit is a line", () => {
    expect(frame([Buffer.from(`${"x".repeat(100)}\n`)], 100).lines).toEqual(["x".repeat(100)]);
  });
});
