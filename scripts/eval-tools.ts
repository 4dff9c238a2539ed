/**
 * `npm run eval:tools -- [--failures] [--speed] FOLDER…`: how well the offline planner chooses tools and fills arguments
 * (folders in BFCL's layout) and how well the ranker finds tools (retrieval sets). Data is read where it lies and
 * never copied here; docs/offline-planner.md says which layouts are understood.
 */
import { existsSync } from "node:fs";
import { type CategoryScore, scoreCategory } from "../eval/bfcl.ts";
import { isBfclFolder, readBfcl } from "../eval/bfcl-data.ts";
import { scoreRetrieval } from "../eval/retrieval.ts";
import { readRetrieval } from "../eval/retrieval-data.ts";
import { measureRanking } from "../eval/speed.ts";

const args = process.argv.slice(2);
const showFailures = args.includes("--failures");
const folders = args.filter((arg) => !arg.startsWith("--"));
if (args.includes("--speed")) {
  const { tools, indexing, median, ninetyFifth, cpu } = measureRanking();
  console.log(`\n${tools} tools: indexed in ${indexing.toFixed(0)} ms`);
  console.log(
    `a request ranked in ${median.toFixed(1)} ms (median), ${ninetyFifth.toFixed(1)} ms (95th of 100), ${cpu.toFixed(1)} ms of processor time`,
  );
} else if (folders.length === 0) {
  console.error("usage: npm run eval:tools -- [--failures] [--speed] FOLDER…");
  process.exit(2);
}

for (const folder of folders) {
  if (!existsSync(folder)) {
    console.error(`eval: no folder ${folder}`);
    process.exit(2);
  }
  if (isBfclFolder(folder)) evaluateCalls(folder);
  const sets = readRetrieval(folder);
  for (const set of sets) {
    const { name, queries, tools, recall } = scoreRetrieval(set);
    console.log(`\n${name}: ${queries} queries over ${tools} tools`);
    console.log(
      `recall@1 ${recall[1].toFixed(1)}  recall@5 ${recall[5].toFixed(1)}  recall@10 ${recall[10].toFixed(1)}`,
    );
  }
  if (sets.length === 0 && !isBfclFolder(folder)) {
    console.error(`eval: ${folder} has neither BFCL files nor a retrieval set`);
    process.exit(2);
  }
}

function evaluateCalls(folder: string): void {
  const { categories, leftOut } = readBfcl(folder);
  const scores = categories.map(scoreCategory);
  console.log(`\n${folder}`);
  console.log(
    line(["category", "cases", "tool", "arguments", "whole call", "acts at once", "of these right"]),
  );
  for (const score of scores) console.log(line(row(score)));
  if (leftOut.length > 0) console.log(`left out (other rules or several calls): ${leftOut.join(", ")}`);
  if (showFailures)
    for (const { name, failures } of scores)
      for (const { id, request, reason } of failures) console.log(`\n${name} ${id}: ${request}\n  ${reason}`);
}

/** The irrelevance categories have no answer: there, not calling is right. */
function row(score: CategoryScore): readonly string[] {
  const percent = (part: number, whole: number) =>
    whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
  return [
    score.name,
    String(score.cases),
    percent(score.tool, score.cases),
    percent(score.argumentsRight, score.argumentsTotal),
    percent(score.call, score.cases),
    percent(score.acted, score.cases),
    percent(score.actedRight, score.acted),
  ];
}

function line(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(22) : cell.padStart(15))).join("");
}
