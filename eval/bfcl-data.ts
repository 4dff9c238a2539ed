/**
 * Reads a folder in BFCL's layout: `BFCL_v*_<category>.json` (JSON lines: id, question, function) and beside it
 * `possible_answer/` with files of the same name (id, ground_truth). Categories that need another language's type
 * rules, several calls or several turns, or that have no answers, are named and left out.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Acceptable, FunctionDescription } from "./ast-match.ts";

export interface BfclCase {
  readonly id: string;
  /** Earlier messages first; the last is the person's. */
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly functions: readonly FunctionDescription[];
  /** Undefined in the categories without answers. */
  readonly answer: { readonly name: string; readonly acceptable: Acceptable } | undefined;
}

export interface BfclCategory {
  readonly name: string;
  /** `call`: judged against answers. `none`: right is to call nothing. `any`: right is to call something. */
  readonly expects: "call" | "none" | "any";
  readonly cases: readonly BfclCase[];
}

const LEFT_OUT = /java|parallel|multi_turn|memory|web_search|format_sensitivity|^exec|rest|sql|chatable/;

export function isBfclFolder(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /^BFCL_v\d+_.*\.json$/.test(name));
}

export function readBfcl(folder: string): {
  readonly categories: readonly BfclCategory[];
  readonly leftOut: readonly string[];
} {
  const categories: BfclCategory[] = [];
  const leftOut: string[] = [];
  for (const file of readdirSync(folder).sort()) {
    const name = /^BFCL_v\d+_(.*)\.json$/.exec(file)?.[1];
    if (name === undefined) continue;
    const answers = join(folder, "possible_answer", file);
    const expects = name.includes("irrelevance") ? "none" : name.includes("relevance") ? "any" : "call";
    if (LEFT_OUT.test(name) || (expects === "call" && !existsSync(answers))) leftOut.push(name);
    else categories.push({ name, expects, cases: readCategory(join(folder, file), answers) });
  }
  return { categories, leftOut };
}

interface QuestionLine {
  readonly id: string;
  readonly question: readonly (readonly { readonly role: string; readonly content: string }[])[];
  readonly function: readonly FunctionDescription[] | FunctionDescription;
}

interface AnswerLine {
  readonly id: string;
  readonly ground_truth: readonly Readonly<Record<string, Acceptable>>[];
}

function readCategory(file: string, answerFile: string): readonly BfclCase[] {
  const answers = new Map<string, AnswerLine>();
  if (existsSync(answerFile))
    for (const line of readLines<AnswerLine>(answerFile)) answers.set(line.id, line);
  return readLines<QuestionLine>(file).map((line) => {
    const truth = Object.entries(answers.get(line.id)?.ground_truth[0] ?? {})[0];
    return {
      id: line.id,
      messages: line.question[0] ?? [],
      functions: Array.isArray(line.function) ? line.function : [line.function as FunctionDescription],
      answer: truth === undefined ? undefined : { name: truth[0], acceptable: truth[1] },
    };
  });
}

export function readLines<T>(file: string): readonly T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      try {
        return JSON.parse(line) as T;
      } catch (error) {
        throw new Error(`eval: ${file}, line ${index + 1} is not JSON: ${String(error)}`);
      }
    });
}
