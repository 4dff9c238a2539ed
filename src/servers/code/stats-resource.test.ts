import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ResourceError, type ServerDefinition } from "../kit/index.ts";
import { createCodeServer } from "./index.ts";
import { makeProject, type TestProject } from "./test-project.ts";

const timestamp = z.iso.datetime({ precision: 3 }).refine((text) => text.endsWith("Z"));

/** The document's JSON, field by field; nothing else in it. */
const overview = z.strictObject({
  total_files: z.int(),
  total_lines: z.int(),
  languages: z.array(z.string()),
  project_path: z.string(),
  last_updated: timestamp,
});
const languages = z.strictObject({
  languages: z.array(
    z.strictObject({ name: z.string(), file_count: z.int(), line_count: z.int(), percentage: z.number() }),
  ),
  total_languages: z.int(),
  last_updated: timestamp,
});
const complexity = z.strictObject({
  average_complexity: z.number(),
  max_complexity: z.int(),
  total_files_analyzed: z.int(),
  files_by_complexity: z.array(
    z.strictObject({ file: z.string(), language: z.string(), complexity: z.int() }),
  ),
  last_updated: timestamp,
});
const files = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string(),
      language: z.string(),
      line_count: z.int(),
      size_bytes: z.int(),
      modified: timestamp,
    }),
  ),
  total_count: z.int(),
  last_updated: timestamp,
});
const SCHEMAS = { overview, languages, complexity, files };

const EXAMPLES = {
  overview: `{ "total_files": 150, "total_lines": 12500, "languages": ["java", "python", "javascript"],
    "project_path": "/path/to/project", "last_updated": "2025-10-12T13:00:00.000Z" }`,
  languages: `{ "languages": [ { "name": "java", "file_count": 45, "line_count": 8500, "percentage": 68.0 },
    { "name": "python", "file_count": 25, "line_count": 3000, "percentage": 24.0 } ],
    "total_languages": 2, "last_updated": "2025-10-12T13:00:00.000Z" }`,
  complexity: `{ "average_complexity": 12.5, "max_complexity": 45, "total_files_analyzed": 70, "files_by_complexity": [
    { "file": "src/complex/Service.java", "language": "java", "complexity": 45 } ], "last_updated": "2025-10-12T13:00:00.000Z" }`,
  files: `{ "files": [ { "path": "src/main/Service.java", "language": "java", "line_count": 250, "size_bytes": 8500,
    "modified": "2025-10-12T10:30:00.000Z" } ], "total_count": 150, "last_updated": "2025-10-12T13:00:00.000Z" }`,
};

function serve(project: TestProject): ServerDefinition {
  return createCodeServer({ projectPath: project.root, cacheDir: null });
}

async function read(server: ServerDefinition, uri: string): Promise<string> {
  const contents = await server.resources?.read(uri, { signal: new AbortController().signal });
  const [first] = contents ?? [];
  if (!first || !("text" in first)) throw new Error("no text");
  return first.text;
}

async function refusal(server: ServerDefinition, uri: string): Promise<{ code: string; message: string }> {
  const error = await read(server, uri).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ResourceError)) throw new Error(`${uri} was not refused: ${String(error)}`);
  return { code: error.code, message: error.message };
}

const SOURCES = {
  "src/a.ts": "function f(a) {\n  if (a && b) return 1;\n  return a ? 2 : 3;\n}\n",
  "src/b.py": "def g():\n    pass\n",
  "test/c.ts": "const x = 1;\n",
  "docs/d.md": "# Title\n",
};

describe("the document's JSON", () => {
  test.each(["overview", "languages", "complexity", "files"] as const)(
    "%s: example and answer have the same fields",
    async (type) => {
      using project = makeProject(SOURCES);
      SCHEMAS[type].parse(JSON.parse(EXAMPLES[type]));
      SCHEMAS[type].parse(JSON.parse(await read(serve(project), `code://stats/${type}`)));
    },
  );

  test("overview: totals, and the languages with most lines first", async () => {
    using project = makeProject(SOURCES);
    expect(JSON.parse(await read(serve(project), "code://stats/overview"))).toMatchObject({
      total_files: 4,
      total_lines: 8,
      languages: ["typescript", "python", "markdown"],
      project_path: project.root,
    });
  });

  test("languages: percentages of lines that add up to 100", async () => {
    using project = makeProject({
      "a.ts": "1\n",
      "b.py": "1\n",
      "c.go": "1\n",
      "d.rb": "1\n",
      "e.rs": "1\n",
      "f.c": "1\n",
      "g.java": "1\n",
    });
    const answer = languages.parse(JSON.parse(await read(serve(project), "code://stats/languages")));
    expect(answer.total_languages).toBe(7);
    expect(answer.languages.reduce((sum, { percentage }) => sum + Math.round(percentage * 100), 0)).toBe(
      10_000,
    );
  });

  test("complexity: decisions and functions, highest first, programs only", async () => {
    using project = makeProject(SOURCES);
    expect(JSON.parse(await read(serve(project), "code://stats/complexity"))).toMatchObject({
      average_complexity: 1.67,
      max_complexity: 4,
      total_files_analyzed: 3,
      files_by_complexity: [
        { file: "src/a.ts", language: "typescript", complexity: 4 },
        { file: "src/b.py", language: "python", complexity: 1 },
        { file: "test/c.ts", language: "typescript", complexity: 0 },
      ],
    });
  });

  test("an empty project has statistics too", async () => {
    using project = makeProject({});
    const server = serve(project);
    for (const type of ["overview", "languages", "complexity", "files"] as const) {
      SCHEMAS[type].parse(JSON.parse(await read(server, `code://stats/${type}`)));
    }
  });
});

describe("filters, pages and formats", () => {
  test("by language and by path, also together", async () => {
    using project = makeProject(SOURCES);
    const server = serve(project);
    const names = async (query: string) =>
      files
        .parse(JSON.parse(await read(server, `code://stats/files?${query}`)))
        .files.map(({ path }) => path);
    expect(await names("language=typescript")).toEqual(["src/a.ts", "test/c.ts"]);
    expect(await names("language=python,markdown")).toEqual(["docs/d.md", "src/b.py"]);
    expect(await names("path=src")).toEqual(["src/a.ts", "src/b.py"]);
    expect(await names("path=**%2F*.ts&language=typescript")).toEqual(["src/a.ts", "test/c.ts"]);
    expect(await names("path=src/*.py")).toEqual(["src/b.py"]);
    expect(JSON.parse(await read(server, "code://stats/overview?path=src"))).toMatchObject({
      total_files: 2,
    });
  });

  test("a list is given in pages that join without a gap", async () => {
    using project = makeProject(
      Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`f${String(i).padStart(2, "0")}.ts`, "1\n"])),
    );
    const server = serve(project);
    const seen: string[] = [];
    let uri: string | undefined = "code://stats/files?limit=10";
    let pages = 0;
    while (uri) {
      const answer = JSON.parse(await read(server, uri)) as {
        files: { path: string }[];
        total_count: number;
        next_uri?: string;
      };
      expect(answer.total_count).toBe(25);
      seen.push(...answer.files.map(({ path }) => path));
      uri = answer.next_uri;
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `f${String(i).padStart(2, "0")}.ts`));
  });

  test("complexity comes in pages too, highest first and equal ones by name", async () => {
    const source = (i: number) => "if (a) {}\n".repeat(i % 3);
    const names = Array.from({ length: 14 }, (_, i) => `f${String(i).padStart(2, "0")}.ts`);
    using project = makeProject(Object.fromEntries(names.map((name, i) => [name, source(i)])));
    const server = serve(project);
    const seen: string[] = [];
    for (let uri: string | undefined = "code://stats/complexity?limit=4"; uri; ) {
      const page = JSON.parse(await read(server, uri)) as {
        total_files_analyzed: number;
        files_by_complexity: { file: string; complexity: number }[];
        next_uri?: string;
      };
      expect(page.total_files_analyzed).toBe(14);
      seen.push(...page.files_by_complexity.map(({ file, complexity: number }) => `${number} ${file}`));
      uri = page.next_uri;
    }
    expect(seen).toEqual(
      [2, 1, 0].flatMap((n) => names.filter((_, i) => i % 3 === n).map((f) => `${n} ${f}`)),
    );
  });

  test("CSV quotes what needs it", async () => {
    using project = makeProject({ 'a,"b".ts': "1\n", "日本.ts": "1\n" });
    const lines = (await read(serve(project), "code://stats/files?format=csv")).split("\r\n");
    expect(lines[0]).toBe("path,language,line_count,size_bytes,modified");
    expect(lines[1]).toMatch(/^"a,""b""\.ts",typescript,1,2,\d{4}-/);
    expect(lines[2]).toMatch(/^日本\.ts,typescript,1,2,/);
  });

  test("more detail is there for those who ask", async () => {
    using project = makeProject({ "a.ts": "// c\n\nlet a;\n" });
    const { languages: found } = JSON.parse(
      await read(serve(project), "code://stats/languages?detail=full"),
    ) as { languages: object[] };
    expect(found).toEqual([
      {
        name: "typescript",
        file_count: 1,
        line_count: 3,
        percentage: 100,
        code_lines: 1,
        comment_lines: 1,
        blank_lines: 1,
      },
    ]);
  });

  test("what was left out is told with its reason, ignored folders too", async () => {
    using project = makeProject({ "a.ts": "1\n", "b.png": "x", ".gitignore": "out/\n" });
    project.write("out/c.ts", "");
    expect(JSON.parse(await read(serve(project), "code://stats/skipped"))).toMatchObject({
      skipped: [
        { path: "b.png", reason: "binary" },
        { path: "out/", reason: "ignored" },
      ],
      total_count: 2,
      by_reason: { binary: 1, ignored: 1 },
    });
  });
});

describe("errors", () => {
  test("an unsupported type has the document's words", async () => {
    using project = makeProject({});
    expect(await refusal(serve(project), "code://stats/invalid")).toEqual({
      code: "invalid",
      message:
        "Unsupported statistics type: invalid. Supported types: overview, languages, complexity, files",
    });
  });

  test("without a project the document's words", async () => {
    const server = createCodeServer({ projectPath: null, cacheDir: null });
    for (const uri of ["code://stats/overview", "code://file/a.ts"]) {
      expect(await refusal(server, uri)).toEqual({
        code: "invalid",
        message: "Project path not set. Call set_project_path() first.",
      });
    }
  });

  test.each([
    ["invalid://uri", "Invalid URI format: invalid://uri"],
    ["code:stats/overview", "Invalid URI format: code:stats/overview"],
    ["code://user:secret@file/a.ts", "Invalid URI format: code://user:secret@file/a.ts"],
    ["code://stats", "Invalid URI format: code://stats"],
    ["code://stats/files?limit=0", "Invalid limit: 0. Use a whole number from 1 to 10000"],
    ["code://stats/files?cursor=x&limit=1", "Invalid cursor: x. Read the first page again"],
    ["code://stats/files?format=xml", "Unsupported format: xml. Supported formats: json, csv"],
    [
      "code://stats/files?limit=1&colour=red",
      'Unknown parameter "colour". Known parameters: language, path, limit, cursor, format, detail',
    ],
  ])("%s", async (uri, message) => {
    using project = makeProject({});
    expect(await refusal(serve(project), uri)).toEqual({ code: "invalid", message });
  });

  test("P19: addresses with a megabyte, control characters or overrides are refused, and not repeated raw", async () => {
    using project = makeProject({});
    const server = serve(project);
    for (const uri of [
      `code://file/${"a".repeat(1024 * 1024)}`,
      "code://file/a\u001b[2J",
      "code://stats/\u0000",
      "x://\u202e",
    ]) {
      const { code, message } = await refusal(server, uri);
      expect(code).toBe("invalid");
      expect(message.length).toBeLessThan(300);
      expect(message).not.toMatch(/[\u0000-\u001f\u202e]/);
    }
  });
});
