import { expect, test } from "vitest";
import { TailBuffer } from "./tail-buffer.ts";

test("C8: however much comes, only the last bytes are kept", () => {
  const tail = new TailBuffer(1000);
  for (let i = 0; i < 10_000; i++) tail.push(Buffer.from(`line ${i}\n`));
  expect(tail.total).toBe(108_890 - 10_000);
  expect(Buffer.byteLength(tail.text())).toBeLessThanOrEqual(1000);
  expect(tail.lines(2)).toEqual(["line 9998", "line 9999"]);
});

test("one chunk larger than the limit is cut to its end", () => {
  const tail = new TailBuffer(4);
  tail.push(Buffer.from("abcdefgh"));
  expect(tail.text()).toBe("efgh");
});
