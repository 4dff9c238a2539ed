import { expect, test } from "vitest";
import { makeProject } from "../test-project.ts";
import { allocateColumns } from "./file-table.ts";
import { takeLooks } from "./look-rows.ts";
import { packNames } from "./names.ts";
import { newProgress } from "./scan-rows.ts";

test("rows that are believed are not looked at, alone or among others", () => {
  using project = makeProject({}, { git: false });
  // Of files that are not there.
  const paths = Array.from({ length: 200 }, (_, file) => `${String(file).padStart(3, "0")}.ts\0`);
  const { bytes, offsets } = packNames(Buffer.from(paths.join("")));
  const believed = new Uint8Array(200).fill(1);
  believed[70] = 0;
  believed[199] = 0;
  const job = {
    root: project.root,
    names: bytes,
    offsets,
    columns: allocateColumns(200),
    since: Date.now(),
    believed,
    dirty: new Uint8Array(200),
    progress: newProgress(),
  };
  expect(takeLooks(job, Number.POSITIVE_INFINITY)).toBe(true);
  expect([...job.dirty.entries()].filter(([, dirty]) => dirty === 1).map(([row]) => row)).toEqual([70, 199]);
  expect(job.progress[1]).toBe(200);
});
