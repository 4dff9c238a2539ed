import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeptOutputs } from "./kept-outputs.ts";

test("the oldest outputs go when all together are too much; the newest stays, however large", () => {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  const outputs = new KeptOutputs(100);
  const paths = ["a", "b", "c", "d"].map((name) => join(folder, name));
  const left = () => paths.filter((path) => existsSync(path)).map((path) => path.at(-1));
  const keep = (index: number, size: number) => {
    const path = paths[index] ?? "";
    writeFileSync(path, "");
    outputs.add(path, size);
  };
  keep(0, 40);
  keep(1, 40);
  expect(left()).toEqual(["a", "b"]);
  keep(2, 40);
  expect(left()).toEqual(["b", "c"]);
  keep(3, 500);
  expect(left()).toEqual(["d"]);
  rmSync(folder, { recursive: true });
});
