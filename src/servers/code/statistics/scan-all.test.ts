import { expect, test } from "vitest";
import { makeProject } from "../test-project.ts";
import { FileTable } from "./file-table.ts";
import { packNames } from "./names.ts";
import { finishScan } from "./scan-all.ts";
import { createScanJob } from "./scan-rows.ts";

test("rows that a lost thread had taken are filled by whoever finishes the scan", async () => {
  using project = makeProject({ "a.ts": "1\n", "b.ts": "1\n2\n", "c.ts": "1\n2\n3\n" });
  const names = packNames(Buffer.from("a.ts\0b.ts\0c.ts\0"));
  const table = new FileTable(names);
  const job = createScanJob(project.root, names, table.columns, [0, 1, 2]);
  // Taken, and never done.
  job.progress[0] = 2;
  await finishScan(job, Promise.resolve());
  expect([...table.columns.lines]).toEqual([1, 2, 3]);
});
