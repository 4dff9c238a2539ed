/** A thread that helps the server's own, task by task. See helpers.ts. */
import { parentPort } from "node:worker_threads";
import type { HelperNews, HelperTask } from "./helper-task.ts";
import { lookFirst } from "./look-first.ts";
import { takeLooks } from "./look-rows.ts";
import { takeRows } from "./scan-rows.ts";

let firstTaskDone: (() => void) | undefined;

/** When everything that such a thread needs has run once (bin/thread.js). */
export function afterFirstTask(action: () => void): void {
  firstTaskDone = action;
}

const tell = (news: HelperNews) => parentPort?.postMessage(news);

parentPort?.on("message", async (task: HelperTask) => {
  switch (task.kind) {
    case "scan":
      takeRows(task.job, Number.POSITIVE_INFINITY);
      break;
    case "look":
      takeLooks(task.job, Number.POSITIVE_INFINITY);
      break;
    case "first":
      await lookFirst(task.request, tell);
      break;
    default:
      task satisfies never;
  }
  tell({ kind: "done" });
  firstTaskDone?.();
  firstTaskDone = undefined;
});
