import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ServerDefinition, ToolResult } from "../../kit/index.ts";
import { createCodeServer } from "../index.ts";
import { makeProject, type TestProject } from "../test-project.ts";

function serve(project: TestProject): ServerDefinition {
  return createCodeServer({ projectPath: project.root, cacheDir: null });
}

async function call(server: ServerDefinition, name: string, args: object): Promise<ToolResult> {
  const tool = server.tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return await tool.call(args, { signal: new AbortController().signal, progress: () => {} });
}

/** The structured answer; fails on an error result. */
async function ask<T = Record<string, unknown>>(
  server: ServerDefinition,
  name: string,
  args: object,
): Promise<T> {
  const result = await call(server, name, args);
  if (result.isError) throw new Error(textOf(result));
  return result.structuredContent as T;
}

async function refused(server: ServerDefinition, name: string, args: object): Promise<string> {
  const result = await call(server, name, args);
  expect(result.isError).toBe(true);
  return textOf(result);
}

function textOf(result: ToolResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

interface Found {
  readonly total_matches: number;
  readonly total_files: number;
  readonly next_cursor?: string;
  readonly files: {
    readonly file: string;
    readonly uri: string;
    readonly count?: number;
    readonly matches: {
      line: number;
      column: number;
      text: string;
      uri: string;
      before?: string[];
      after?: string[];
    }[];
  }[];
}

describe("set_project_path", () => {
  test("moves the boundary: the new project is readable, the old one is not any more", async () => {
    using first = makeProject({ "a.ts": "first" });
    using second = makeProject({ "b.ts": "second\n" });
    const server = serve(first);
    expect(await ask(server, "set_project_path", { path: second.root })).toMatchObject({
      total_files: 1,
      project_path: second.root,
    });
    const signal = new AbortController().signal;
    expect(await server.resources?.read("code://file/b.ts", { signal })).toMatchObject([
      { text: "second\n" },
    ]);
    await expect(server.resources?.read(`code://file/${first.root}/a.ts`, { signal })).rejects.toThrow(
      "outside the project",
    );
  });

  test.each([
    ["", "Project path cannot be empty"],
    ["a.ts", "Project path is not a directory: a.ts"],
    ["missing", "Project path does not exist: missing"],
    ["a\0b", "Project path contains null bytes"],
  ])("%j is refused, and the project stays", async (path, message) => {
    using project = makeProject({ "a.ts": "1\n" });
    const server = serve(project);
    expect(await refused(server, "set_project_path", { path })).toContain(message);
    expect(await ask(server, "find_and_grep", { name: "a.ts" })).toMatchObject({ total_files: 1 });
  });

  test("works when the server began without a project, and tells subscribers", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    const server = createCodeServer({ projectPath: null, cacheDir: null });
    const news: string[] = [];
    server.changes?.subscribe((change) =>
      news.push(change.type === "resource-updated" ? change.uri : change.type),
    );
    await ask(server, "set_project_path", { path: project.root });
    expect(news).toEqual([
      "resources-changed",
      ...["overview", "languages", "complexity", "files", "skipped"].map((type) => `code://stats/${type}`),
    ]);
  });
});

describe("find_and_grep", () => {
  const SOURCES = {
    "src/a.ts": "const needle = 1;\nconst Needle = 2;\nneedles(needle);\n",
    "src/b.py": "needle = 'x'\n",
    "docs/c.md": "nothing\na.b\naxb\n",
  };

  test("groups matches by file, sorted by path, each with its address", async () => {
    using project = makeProject(SOURCES);
    const found = await ask<Found>(serve(project), "find_and_grep", { query: "needle" });
    expect(found.total_matches).toBe(4);
    expect(
      found.files.map(({ file, matches }) => [file, matches.map(({ line, column }) => [line, column])]),
    ).toEqual([
      [
        "src/a.ts",
        [
          [1, 7],
          [2, 7],
          [3, 1],
        ],
      ],
      ["src/b.py", [[1, 1]]],
    ]);
    expect(found.files[0]?.matches[2]).toEqual({
      line: 3,
      column: 1,
      text: "needles(needle);",
      uri: "code://file/src/a.ts?lines=3-3",
    });
  });

  test("case, whole words, literal text and regular expressions", async () => {
    using project = makeProject(SOURCES);
    const server = serve(project);
    const total = async (args: object) => (await ask<Found>(server, "find_and_grep", args)).total_matches;
    expect(await total({ query: "Needle" })).toBe(1);
    expect(await total({ query: "needle", case: "sensitive" })).toBe(3);
    expect(await total({ query: "needles", word: true })).toBe(1);
    expect(await total({ query: "a.b" })).toBe(1);
    expect(await total({ query: "a.b", regex: true })).toBe(2);
    expect(await total({ query: "a\\.b\\naxb", regex: true, multiline: true })).toBe(1);
  });

  test("context lines, on both sides and never twice", async () => {
    using project = makeProject({ "a.txt": "1\n2\nhit\n4\n5\nhit\n7\n" });
    const [file] = (await ask<Found>(serve(project), "find_and_grep", { query: "hit", context: 1 })).files;
    expect(file?.matches.map(({ line, before, after }) => ({ line, before, after }))).toEqual([
      { line: 3, before: ["2"], after: ["4"] },
      { line: 6, before: ["5"], after: ["7"] },
    ]);
  });

  test("only the numbers, when asked", async () => {
    using project = makeProject(SOURCES);
    const found = await ask<Found>(serve(project), "find_and_grep", { query: "needle", count_only: true });
    expect(found).toMatchObject({
      total_matches: 5,
      files: [
        { file: "src/a.ts", count: 4 },
        { file: "src/b.py", count: 1 },
      ],
    });
  });

  test("names by glob or by a part, in any Unicode form", async () => {
    using project = makeProject({ ...SOURCES, [`${"ガイド".normalize("NFD")}.md`]: "x" });
    const server = serve(project);
    const names = async (args: object) =>
      (await ask<Found>(server, "find_and_grep", args)).files.map(({ file }) => file.normalize("NFC"));
    expect(await names({ name: "*.py" })).toEqual(["src/b.py"]);
    expect(await names({ name: "src/**" })).toEqual(["src/a.ts", "src/b.py"]);
    expect(await names({ name: "B.P" })).toEqual(["src/b.py"]);
    expect(await names({ name: "ガイド" })).toEqual(["ガイド.md"]);
    expect(await names({ language: "typescript" })).toEqual(["src/a.ts"]);
    expect(await names({ path: "docs" })).toEqual(["docs/c.md"]);
  });

  test("names, folders and languages narrow a search of contents", async () => {
    using project = makeProject(SOURCES);
    const server = serve(project);
    const files = async (args: object) =>
      (await ask<Found>(server, "find_and_grep", { query: "needle", ...args })).files.map(({ file }) => file);
    expect(await files({ name: "*.py" })).toEqual(["src/b.py"]);
    expect(await files({ path: "docs" })).toEqual([]);
    expect(await files({ language: "typescript" })).toEqual(["src/a.ts"]);
    expect(await files({ language: "typescript", name: "a" })).toEqual(["src/a.ts"]);
    expect(await files({ language: "typescript", name: "b" })).toEqual([]);
  });

  test("pages join without a gap, also within a file", async () => {
    using project = makeProject({ "a.txt": "x\n".repeat(7), "b.txt": "x\n".repeat(7) });
    const server = serve(project);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Found = await ask<Found>(server, "find_and_grep", {
        query: "x",
        limit: 5,
        ...(cursor && { cursor }),
      });
      for (const { file, matches } of page.files) seen.push(...matches.map(({ line }) => `${file}:${line}`));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(
      ["a.txt", "b.txt"].flatMap((file) => [1, 2, 3, 4, 5, 6, 7].map((line) => `${file}:${line}`)),
    );
  });

  test("ignored files, git's own and what links lead to are not searched", async () => {
    using project = makeProject({ ".gitignore": "out/\n", "a.ts": "needle\n" });
    project.write("out/b.ts", "needle\n");
    mkdirSync(join(project.root, "../outside"));
    writeFileSync(join(project.root, "../outside/c.ts"), "needle\n");
    symlinkSync("../outside", join(project.root, "link"));
    writeFileSync(join(project.root, ".git/needle"), "needle\n");
    expect(
      (await ask<Found>(serve(project), "find_and_grep", { query: "needle" })).files.map(({ file }) => file),
    ).toEqual(["a.ts"]);
  });

  test("a pattern that begins with a dash is a pattern", async () => {
    using project = makeProject({ "a.txt": "--files\n" });
    expect(await ask(serve(project), "find_and_grep", { query: "--files" })).toMatchObject({
      total_matches: 1,
    });
    expect(await ask(serve(project), "find_and_grep", { query: "-x", regex: true })).toMatchObject({
      total_matches: 0,
    });
  });

  test("long lines are cut around the match; lines that are not UTF-8 are decoded", async () => {
    const sjis = Buffer.concat([
      Buffer.from("needle "),
      Buffer.from("kN2S6IN0g0CDQ4OL", "base64"),
      Buffer.from("\n"),
    ]);
    using project = makeProject({ "a.js": `${"a".repeat(5000)}needle${"b".repeat(5000)}\n`, "b.txt": sjis });
    const [long, other] = (await ask<Found>(serve(project), "find_and_grep", { query: "needle" })).files;
    expect(long?.matches[0]?.text.length).toBeLessThan(320);
    expect(long?.matches[0]?.text).toContain("needle");
    expect(other?.matches[0]?.text).toBe("needle 設定ファイル");
    expect(
      await ask(serve(project), "find_and_grep", { query: "設定", encoding: "shift_jis" }),
    ).toMatchObject({ total_matches: 1 });
  });

  test("what is wrong is said, with what to do", async () => {
    using project = makeProject(SOURCES);
    const server = serve(project);
    expect(await refused(server, "find_and_grep", { query: "(", regex: true })).toContain("unclosed group");
    expect(await refused(server, "find_and_grep", { query: "x", path: "../" })).toContain(
      "Path traversal not allowed",
    );
    expect(await refused(server, "find_and_grep", { query: "x", path: "/etc" })).toContain(
      "outside the project",
    );
    expect(await refused(server, "find_and_grep", { query: "x", language: "klingon" })).toContain(
      'Unknown language "klingon"',
    );
    expect(await refused(server, "find_and_grep", {})).toContain("Give query");
    expect(await refused(server, "find_and_grep", { query: "x", cursor: "?" })).toContain("Invalid cursor");
    expect(await refused(server, "find_and_grep", { query: 5 })).toContain("query");
  });

  test("more matches than can be sorted are said to be incomplete", async () => {
    using project = makeProject({ "a.txt": "x\n".repeat(30_000), "b.txt": "x\n" });
    const result = await call(serve(project), "find_and_grep", { query: "x", limit: 2 });
    expect(result.structuredContent).toMatchObject({ incomplete: true, files: [{ file: "a.txt" }] });
    expect(textOf(result)).toContain("More than 20000 matches");
  });
});

describe("get_code_outline and extract_code_section", () => {
  const SOURCE = `import x from "y";

export class Parser {
  parse(a: string): number {
    if (a && x) return 1;
    return [1].map((b) => (b ? 1 : 2))[0];
  }
}

export const helper = async (n: number) => {
  for (;;) {}
};
`;

  test("classes, methods and functions with lines, signatures and complexity", async () => {
    using project = makeProject({ "a.ts": SOURCE });
    expect(await ask(serve(project), "get_code_outline", { file: "a.ts" })).toMatchObject({
      language: "typescript",
      line_count: 12,
      outline: [
        {
          kind: "class",
          name: "Parser",
          start_line: 3,
          end_line: 8,
          children: [
            {
              kind: "method",
              name: "parse",
              start_line: 4,
              end_line: 7,
              signature: "parse(a: string): number",
              complexity: 3,
            },
          ],
        },
        { kind: "function", name: "helper", start_line: 10, end_line: 12, complexity: 2 },
      ],
    });
  });

  test.each([
    ["a.js", "function f(a) { return a ? 1 : 2 }\n", "f", 2],
    ["b.js", "function f(a) { return function () { return 1 } && a }\n", "f", 2],
    ["a.tsx", "export function C() { return <p>{a && b}</p> }\n", "C", 2],
    ["a.py", "class A:\n    def f(self):\n        if x: pass\n", "A.f", 2],
    ["A.java", "class A { void f() { if (x) {} } }\n", "A.f", 2],
    ["a.go", "package a\nfunc (r *T) F() { if x {} }\n", "(*T).F", 2],
    ["a.c", "int *f(int a) { return a ? 0 : g; }\n", "f", 2],
    ["a.cpp", "namespace n { class A { void f() { if (x) {} } }; }\n", "n.A.f", 2],
    ["A.cs", "class A { void F() { if (x) {} } }\n", "A.F", 2],
    ["a.php", "<?php class A { function f() { if ($x) {} } }\n", "A.f", 2],
    ["a.rb", "class A\n  def f\n    1 if x\n  end\nend\n", "A.f", 2],
    ["a.rs", "impl A { fn f() { if x {} } }\n", "A.f", 2],
    ["a.sh", "f() { if x; then :; fi; }\n", "f", 2],
    ["a.ps1", "function Get-F { if ($x) {} }\n", "Get-F", 2],
    ["a.css", "@media print { p { color: red } }\n.b { }\n", ".b", undefined],
    ["a.ini", "[section]\nkey=value\n", "[section]", undefined],
    ["a.md", "# One\ntext\n## Two\n```\n# no\n```\n", "Two", undefined],
  ])("%s has an outline", async (path, source, symbol, complexity) => {
    using project = makeProject({ [path]: source });
    const server = serve(project);
    const { outline } = await ask<{ outline: Entry[] }>(server, "get_code_outline", { file: path });
    const found = flatten(outline, "").find(({ full }) => full.trim() === symbol);
    expect(found, JSON.stringify(outline)).toBeDefined();
    expect(found?.entry.complexity).toBe(complexity);
  });

  interface Entry {
    readonly name: string;
    readonly complexity?: number;
    readonly children?: Entry[];
  }

  function flatten(entries: readonly Entry[], prefix: string): { full: string; entry: Entry }[] {
    return entries.flatMap((entry) => {
      const full = prefix === "" ? entry.name : `${prefix}.${entry.name}`;
      return [{ full, entry }, ...flatten(entry.children ?? [], full)];
    });
  }

  test("a section by name or by lines", async () => {
    using project = makeProject({ "a.ts": SOURCE });
    const server = serve(project);
    expect(
      await ask(server, "extract_code_section", { file: "code://file/a.ts", symbol: "Parser.parse" }),
    ).toMatchObject({
      start_line: 4,
      end_line: 7,
      uri: "code://file/a.ts?lines=4-7",
    });
    expect(
      await ask(server, "extract_code_section", { file: "a.ts", start_line: 10, end_line: 11 }),
    ).toMatchObject({
      text: "export const helper = async (n: number) => {\n  for (;;) {}",
    });
  });

  test("an unknown name is answered with those that are there", async () => {
    using project = makeProject({ "a.ts": SOURCE });
    const server = serve(project);
    expect(await refused(server, "extract_code_section", { file: "a.ts", symbol: "pars" })).toContain(
      "Parser.parse (line 4)",
    );
    expect(await refused(server, "extract_code_section", { file: "a.ts", start_line: 99 })).toContain(
      "has 13 lines",
    );
    expect(await refused(server, "extract_code_section", { file: "../x" })).toContain(
      "Path traversal not allowed",
    );
    expect(await refused(server, "get_code_outline", { file: "missing.ts" })).toContain(
      "File not found: missing.ts",
    );
  });

  test("a file with errors still has an outline, and the answer says so", async () => {
    using project = makeProject({ "a.ts": "function f() {}\n}}} ((( \nfunction g() {}\n" });
    expect(await ask(serve(project), "get_code_outline", { file: "a.ts" })).toMatchObject({
      parse_errors: true,
    });
  });
});

describe("analyze_dependencies", () => {
  interface Graph {
    readonly edges: { from: string; to: string; count: number }[];
    readonly cycles: string[][];
    readonly external: { name: string; files: number }[];
    readonly mermaid?: string;
    readonly dot?: string;
  }

  test("imports between files, cycles, and what comes from outside", async () => {
    using project = makeProject({
      "src/a.ts": 'import { b } from "./b.js";\nimport fs from "node:fs";\n',
      "src/b.ts": 'export * from "./c";\nimport "react";\n',
      "src/c/index.ts": 'const a = require("../a");\n',
    });
    const graph = await ask<Graph>(serve(project), "analyze_dependencies", { level: "file" });
    expect(graph.edges.map(({ from, to }) => `${from} ${to}`).sort()).toEqual([
      "src/a.ts src/b.ts",
      "src/b.ts src/c/index.ts",
      "src/c/index.ts src/a.ts",
    ]);
    expect(graph.cycles).toEqual([["src/a.ts", "src/b.ts", "src/c/index.ts"]]);
    expect(graph.external).toEqual([
      { name: "node:fs", files: 1 },
      { name: "react", files: 1 },
    ]);
  });

  test.each([
    [
      "python",
      {
        "p/__init__.py": "",
        "p/a.py": "from . import b\nfrom p.c import d\nimport os\n",
        "p/b.py": "",
        "p/c.py": "",
      },
      ["p/a.py p/b.py", "p/a.py p/c.py"],
    ],
    [
      "java",
      {
        "src/main/java/x/y/A.java": "import x.z.B;\nimport static x.z.C.d;\n",
        "src/main/java/x/z/B.java": "",
        "src/main/java/x/z/C.java": "",
      },
      [
        "src/main/java/x/y/A.java src/main/java/x/z/B.java",
        "src/main/java/x/y/A.java src/main/java/x/z/C.java",
      ],
    ],
    [
      "go",
      {
        "go.mod": "module example.com/m\n",
        "a/a.go": 'package a\nimport (\n\t"fmt"\n\tx "example.com/m/b"\n)\n',
        "b/b.go": "package b\n",
      },
      ["a/a.go b/b.go"],
    ],
    [
      "rust",
      { "src/lib.rs": "mod a;\nuse crate::b::c;\n", "src/a.rs": "use super::b;\n", "src/b/mod.rs": "" },
      ["src/a.rs src/b/mod.rs", "src/lib.rs src/a.rs", "src/lib.rs src/b/mod.rs"],
    ],
    ["c", { "a.c": '#include "inc/b.h"\n#include <stdio.h>\n', "inc/b.h": "" }, ["a.c inc/b.h"]],
    [
      "php",
      { "src/A.php": "<?php\nuse App\\Sub\\B;\n", "src/Sub/B.php": "<?php\n" },
      ["src/A.php src/Sub/B.php"],
    ],
    [
      "ruby",
      { "lib/a.rb": "require_relative 'b'\nrequire 'c/d'\n", "lib/b.rb": "", "lib/c/d.rb": "" },
      ["lib/a.rb lib/b.rb", "lib/a.rb lib/c/d.rb"],
    ],
    [
      "workspace packages",
      {
        "packages/x/package.json": '{\n  "name": "@me/x"\n}',
        "packages/x/src/index.ts": "",
        "packages/y/a.ts": 'import "@me/x";\n',
      },
      ["packages/y/a.ts packages/x/src/index.ts"],
    ],
  ])("%s", async (_name, files, edges) => {
    using project = makeProject(files);
    const graph = await ask<Graph>(serve(project), "analyze_dependencies", { level: "file" });
    expect(graph.edges.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(edges);
  });

  test("as drawings, between folders", async () => {
    using project = makeProject({ "a/x.ts": 'import "../b/y";\n', "b/y.ts": "" });
    const server = serve(project);
    expect((await ask<Graph>(server, "analyze_dependencies", { format: "mermaid" })).mermaid).toBe(
      'graph LR\n  n0["a"]\n  n1["b"]\n  n0 --> n1',
    );
    expect((await ask<Graph>(server, "analyze_dependencies", { format: "dot" })).dot).toContain(
      '"a" -> "b";',
    );
  });

  test("a chain of ten thousand imports needs no stack", async () => {
    const { DependencyGraph } = await import("../dependencies/graph.ts");
    const graph = new DependencyGraph();
    for (let i = 0; i < 10_000; i += 1) graph.addEdge(`n${i}`, `n${(i + 1) % 10_000}`);
    expect(graph.cycles()[0]).toHaveLength(10_000);
  });
});

describe("code_history", () => {
  test("churn, authors, months and hot spots", async () => {
    using project = makeProject({ "a.ts": "if (a) {}\n", "b.md": "x\n" });
    project.git("commit", "-qm", "one");
    project.write("a.ts", "if (a) {}\nif (b && c) {}\n");
    project.git("commit", "-qam", "two", "--author", "山田 太郎 <t@example.com>");
    expect(await ask(serve(project), "code_history", { since: "all" })).toMatchObject({
      commits: 2,
      total_authors: 2,
      churn: [
        { file: "a.ts", commits: 2, added: 2, deleted: 0, authors: 2 },
        { file: "b.md", commits: 1 },
      ],
      hot_spots: [{ file: "a.ts", commits: 2, complexity: 3, score: 6 }],
    });
  });

  test("without a history it says so", async () => {
    using plain = makeProject({ "a.ts": "" }, { git: false });
    using empty = makeProject({ "a.ts": "" });
    expect(await refused(serve(plain), "code_history", {})).toContain("No history");
    expect(await refused(serve(empty), "code_history", {})).toContain("No history");
  });

  test("an option in a path or a date stays a path or a date", async () => {
    using project = makeProject({ "a.ts": "1\n" });
    project.git("commit", "-qm", "one");
    const server = serve(project);
    expect(await refused(server, "code_history", { path: "--output=x" })).toContain("No such folder");
    await ask(server, "code_history", { since: "--output=pwned" });
    expect(existsSync(join(project.root, "pwned"))).toBe(false);
  });
});

describe("code_quality", () => {
  test("long, complex and deep functions, duplicates and comments", async () => {
    const block = Array.from({ length: 12 }, (_, i) => `  const value${i} = compute(${i}, other);`).join(
      "\n",
    );
    const deep = "if (a) { for (;;) { while (b) { if (c) { if (d) { e() } } } } }";
    using project = makeProject({
      "a.ts": `// comment\nfunction one() {\n${block}\n}\nfunction deep() { ${deep} }\n`,
      "b.ts": `function two() {\n${block}\n}\n`,
    });
    const quality = await ask<{
      long_functions: { name: string }[];
      deep_functions: { name: string; nesting: number }[];
      duplicates: { lines: number; places: { file: string; start_line: number }[] }[];
      comment_ratio: number;
    }>(serve(project), "code_quality", { max_lines: 10, max_nesting: 4 });
    expect(quality.long_functions.map(({ name }) => name).sort()).toEqual(["one", "two"]);
    expect(quality.deep_functions).toMatchObject([{ name: "deep", nesting: 5 }]);
    expect(quality.duplicates).toMatchObject([
      {
        lines: 12,
        places: [
          { file: "a.ts", start_line: 3 },
          { file: "b.ts", start_line: 2 },
        ],
      },
    ]);
    expect(quality.comment_ratio).toBeGreaterThan(0);
  });
});

describe("define_metric", () => {
  test("a pattern or a query is measured, kept in the project, measured again and removed", async () => {
    using project = makeProject({ "a.ts": "// TODO\n// TODO\nfoo();\n", "b.ts": "bar(); baz();\n" });
    const server = serve(project);
    expect(await ask(server, "define_metric", { name: "todo", pattern: "TODO" })).toMatchObject({
      total: 2,
      files: [{ file: "a.ts", count: 2 }],
    });
    expect(
      await ask(server, "define_metric", {
        name: "calls",
        query: "(call_expression) @c",
        language: "typescript",
      }),
    ).toMatchObject({
      total: 3,
      files: [
        { file: "b.ts", count: 2 },
        { file: "a.ts", count: 1 },
      ],
    });
    expect(JSON.parse(readFileSync(join(project.root, ".kari/code-metrics.json"), "utf8"))).toMatchObject({
      metrics: [{ name: "todo" }, { name: "calls" }],
    });
    expect(await ask(serve(project), "define_metric", { action: "measure", name: "todo" })).toMatchObject({
      total: 2,
    });
    await ask(server, "define_metric", { action: "remove", name: "todo" });
    expect(await ask(server, "define_metric", { action: "list" })).toMatchObject({
      metrics: [{ name: "calls" }],
    });
  });

  test("what does not work is not kept", async () => {
    using project = makeProject({ "a.ts": "x\n" });
    const server = serve(project);
    expect(await refused(server, "define_metric", { name: "bad", pattern: "(" })).toContain(
      "Nothing was saved",
    );
    expect(
      await refused(server, "define_metric", { name: "bad", query: "(nope) @x", language: "typescript" }),
    ).toContain("not valid");
    expect(await refused(server, "define_metric", { name: "bad" })).toContain("pattern or query");
    expect(await refused(server, "define_metric", { name: "../x", pattern: "x" })).toContain("Not a metric");
    expect(await ask(server, "define_metric", { action: "list" })).toEqual({ metrics: [] });
  });

  test("a metrics file that leads outside is not read or written", async () => {
    using project = makeProject({ "a.ts": "x\n" });
    mkdirSync(join(project.root, "../outside"));
    symlinkSync("../outside", join(project.root, ".kari"));
    const server = serve(project);
    expect((await call(server, "define_metric", { name: "x", pattern: "x" })).isError).toBe(true);
    expect(existsSync(join(project.root, "../outside/code-metrics.json"))).toBe(false);
  });

  test("a broken metrics file is said to be broken", async () => {
    using project = makeProject({ ".kari/code-metrics.json": "{" });
    expect(await refused(serve(project), "define_metric", { action: "list" })).toContain(
      ".kari/code-metrics.json is not as expected",
    );
  });
});

describe("create_code_report", () => {
  test("one page, without script or network, with every name escaped", async () => {
    using project = makeProject({
      "<img src=x onerror=alert(1)>.ts": "if (a) {}\n".repeat(50),
      "日本語/設定.ts": "let a;\n".repeat(80),
    });
    project.git("commit", "-qm", "one");
    expect(await ask(serve(project), "create_code_report", { path: "out.html" })).toMatchObject({
      file: "out.html",
    });
    const page = readFileSync(join(project.root, "out.html"), "utf8");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|<img|https?:\/\//i);
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;.ts");
    expect(page).toContain("日本語");
    expect(page).toContain("Hot spots");
  });

  test("a report is replaced, another file is not", async () => {
    using project = makeProject({ "a.ts": "1\n", "page.html": "<p>mine</p>" });
    const server = serve(project);
    expect(await refused(server, "create_code_report", { path: "page.html" })).toContain(
      "exists and is no report",
    );
    expect(readFileSync(join(project.root, "page.html"), "utf8")).toBe("<p>mine</p>");
    await ask(server, "create_code_report", {});
    await ask(server, "create_code_report", {});
    expect(await refused(server, "create_code_report", { path: "../out.html" })).toContain(
      "Path traversal not allowed",
    );
    expect(await refused(server, "create_code_report", { path: "out.sh" })).toContain("should end in .html");
  });
});
