import { setImmediate as afterThisTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createDeferredOutput, outputAfter } from "./deferred-output.ts";

function screen() {
  const writes: string[] = [];
  return { writes, stream: { isTTY: true, columns: 80, write: (text: string) => writes.push(text) } };
}

test("nothing is written while work goes on, then all of it at once and in order", async () => {
  const { writes, stream } = screen();
  const log = createDeferredOutput(stream);
  log.write("a\n");
  await Promise.resolve();
  log.write("b\n");
  expect(writes).toEqual([]);
  await afterThisTurn();
  expect(writes).toEqual(["a\nb\n"]);
  await afterThisTurn();
  expect(writes).toEqual(["a\nb\n"]);
});

test("what another stream writes to the same screen comes after what was said before", () => {
  const { writes, stream } = screen();
  const log = createDeferredOutput(stream);
  const out = outputAfter(log, stream);
  log.write("→ tool\n");
  out.write("answer\n");
  expect(writes).toEqual(["→ tool\n", "answer\n"]);
});

test("it is the same screen for whoever lays out text on it", () => {
  const { stream } = screen();
  expect(createDeferredOutput(stream)).toMatchObject({ isTTY: true, columns: 80 });
  expect(outputAfter(createDeferredOutput(stream), { write: () => {} })).not.toHaveProperty("isTTY");
});
