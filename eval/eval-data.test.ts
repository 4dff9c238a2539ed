import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scoreCategory } from "./bfcl.ts";
import { isBfclFolder, readBfcl } from "./bfcl-data.ts";
import { scoreRetrieval } from "./retrieval.ts";
import { parseCsv, readRetrieval } from "./retrieval-data.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kari-eval-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, lines: readonly unknown[]) =>
  writeFileSync(join(folder, name), lines.map((line) => JSON.stringify(line)).join("\n"));

const area = {
  name: "triangle_area",
  description: "Calculate the area of a triangle",
  parameters: {
    type: "dict",
    properties: { base: { type: "integer" }, height: { type: "integer" } },
    required: ["base", "height"],
  },
};
const question = (id: string, content: string) => ({
  id,
  question: [[{ role: "user", content }]],
  function: [area],
});

describe("BFCL folders", () => {
  test("are scored against their answers, and what has none is left out by name", () => {
    mkdirSync(join(folder, "possible_answer"));
    write("BFCL_v4_simple_python.json", [
      question("s0", "the area of a triangle with base 10 and height 5"),
      question("s1", "the area of a triangle with base 3 and height 4"),
    ]);
    write("possible_answer/BFCL_v4_simple_python.json", [
      { id: "s0", ground_truth: [{ triangle_area: { base: [10], height: [5] } }] },
      { id: "s1", ground_truth: [{ triangle_area: { base: [9], height: [4] } }] },
    ]);
    write("BFCL_v4_irrelevance.json", [question("i0", "write me a poem about the sea")]);
    write("BFCL_v4_simple_java.json", []);
    write("BFCL_v4_no_answers.json", []);
    expect(isBfclFolder(folder)).toBe(true);
    const { categories, leftOut } = readBfcl(folder);
    expect(leftOut).toEqual(["no_answers", "simple_java"]);
    const [irrelevance, simple] = categories.map(scoreCategory);
    expect(irrelevance).toMatchObject({ name: "irrelevance", call: 1, acted: 0 });
    expect(simple).toMatchObject({
      cases: 2,
      tool: 2,
      call: 1,
      argumentsRight: 3,
      argumentsTotal: 4,
      acted: 2,
      actedRight: 1,
    });
    expect(simple?.failures.map(({ id }) => id)).toEqual(["s1"]);
  });

  test("a line that is no JSON is named with its file and number", () => {
    writeFileSync(join(folder, "BFCL_v4_irrelevance.json"), "{}\nnot json");
    expect(() => readBfcl(folder)).toThrow(/BFCL_v4_irrelevance\.json, line 2/);
  });
});

describe("retrieval sets", () => {
  test("recall is the share of relevant tools among the first 1, 5 and 10", () => {
    write("pool.jsonl", [
      { id: "w", name: "weather", description: "Weather forecast" },
      { id: "m", name: "music", description: "Play songs" },
    ]);
    write("queries.jsonl", [
      { query: "weather tomorrow", relevant: ["w"] },
      { query: "weather songs", relevant: ["w", "m"] },
    ]);
    const [set] = readRetrieval(folder);
    expect(set).toBeDefined();
    if (set === undefined) return;
    expect(scoreRetrieval(set).recall).toEqual({ 1: 75, 5: 100, 10: 100 });
  });

  test("a query may bring its own pool", () => {
    write("retrieval.jsonl", [
      { query: "play songs", relevant: ["m"], pool: [{ id: "m", name: "music", description: "Play songs" }] },
    ]);
    expect(readRetrieval(folder).map(scoreRetrieval)).toMatchObject([
      { queries: 1, tools: 1, recall: { 1: 100 } },
    ]);
  });

  test("Seal-Tools' own files are read, and a query may need several tools", () => {
    write("tool.jsonl", [
      { api_name: "getWeather", api_description: "Weather of a place", parameters: {} },
      { api_name: "playSong", api_description: "Play a song", parameters: {} },
    ]);
    write("dev.jsonl", [
      { query: "weather, then a song", calling: [{ api: "getWeather" }, { api: "playSong" }] },
    ]);
    expect(readRetrieval(folder).map(scoreRetrieval)).toMatchObject([
      { tools: 2, recall: { 1: 50, 5: 100 } },
    ]);
  });

  test("MetaTool's CSV is read with its quotes", () => {
    writeFileSync(join(folder, "plugin_des.json"), JSON.stringify({ calc: "calculate things" }));
    writeFileSync(join(folder, "all_clean_data.csv"), 'Query,Tool\r\n"calculate ""this"", please",calc\r\n');
    expect(parseCsv('a,"b ""c"", d"\n')).toEqual([["a", 'b "c", d']]);
    expect(readRetrieval(folder)[0]?.queries).toEqual([
      { query: 'calculate "this", please', relevant: ["calc"] },
    ]);
  });
});
