/** The code server through the whole street: words → agent → LLM → tools and resources → the built executable. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshHome, type Home, kari, root } from "../support/kari.ts";
import { type MockLlm, type MockRequest, startMockLlm } from "../support/mock-llm.ts";

let home: Home;
let llm: MockLlm;

beforeEach(async () => {
  home = freshHome();
  llm = await startMockLlm();
});

afterEach(async () => {
  await llm.close();
  home.remove();
});

/** A project beside the working directory, so that only set_project_path leads to it. */
function makeProject(files: Readonly<Record<string, string>>): string {
  const folder = join(home.path, "プロジェクト");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

async function run(text: string, extension = ["--with-builtin", "code"]) {
  return await kari(["run", "--no-profile", "--approve", "all", ...extension, "-t", text], {
    home,
    env: {
      KARI_PROVIDER: "openai-compatible",
      KARI_MODEL: "mock-model",
      OPENAI_BASE_URL: `${llm.url}/v1`,
      OPENAI_API_KEY: "sk-canary",
    },
  });
}

/** What the tool said last, as the model gets it. */
function lastResult({ body }: MockRequest): string {
  const messages = (body as { messages: readonly { role: string; content: unknown }[] }).messages;
  return String(messages.findLast(({ role }) => role === "tool")?.content);
}

const call = (name: string, args: object) => ({
  calls: [{ name, arguments: args as Record<string, string> }],
});

describe("the flow of the source document", () => {
  test("set_project_path → code://stats/overview → find_and_grep → code://file", async () => {
    const project = makeProject({
      "src/渡り鳥.ts": "export function 渡る(a: number) {\n  return a > 1 ? 2 : 3; // 雁\n}\n",
      "lib/b.py": "x = 1\n",
    });
    const heard: string[] = [];
    llm.script([
      call("code__set_project_path", { path: project }),
      (request) => {
        heard.push(lastResult(request));
        return call("platform__read_resource", { uri: "code://stats/overview" });
      },
      (request) => {
        heard.push(lastResult(request));
        return call("code__find_and_grep", { query: "渡る" });
      },
      (request) => {
        heard.push(lastResult(request));
        // The model takes the address from the answer, as it is told to.
        const uri = /code:\/\/file\/[^\s"?]+/.exec(lastResult(request))?.[0] ?? "none";
        return call("platform__read_resource", { uri });
      },
      (request) => {
        heard.push(lastResult(request));
        return { text: "読みました" };
      },
    ]);
    const result = await run("プロジェクトを調べて");
    expect(result).toMatchObject({ code: 0, stdout: "読みました\n" });
    const [set, overview, found, file] = heard;
    expect(set).toContain(project);
    expect(overview).toContain('"total_files": 2');
    expect(overview).toContain('"total_lines": 4');
    expect(overview).toContain(`"project_path": "${project}"`);
    expect(found).toContain("src/渡り鳥.ts");
    expect(found).toContain(`code://file/src/${encodeURIComponent("渡り鳥")}.ts`);
    expect(file).toContain("export function 渡る(a: number) {\n  return a > 1 ? 2 : 3; // 雁\n}");
  });

  test("before a project is set the model is told what to do, in the document's words", async () => {
    llm.script([
      call("platform__read_resource", { uri: "code://stats/overview" }),
      call("platform__read_resource", { uri: "code://file//etc/passwd" }),
      call("platform__read_resource", { uri: "code://stats/everything" }),
      { text: "x" },
    ]);
    const server = `code:${process.execPath} ${root}bin/kari.js mcp code --no-project`;
    await run("x", ["--with-extension", server]);
    const said = llm.requests.slice(1).map(lastResult);
    expect(said[0]).toContain("Project path not set. Call set_project_path() first.");
    expect(said[1]).not.toContain("root:");
    expect(said[2]).toContain(
      "Unsupported statistics type: everything. Supported types: overview, languages, complexity, files",
    );
  });

  test("the overview is active: it reaches the model without being asked for", async () => {
    home.file("a.ts", "const a = 1;\nconst b = 2;\n");
    llm.script([{ text: "x" }]);
    await run("x");
    const body = llm.requests[0]?.body as { messages: readonly unknown[] } | undefined;
    const shared = JSON.stringify(body?.messages.at(-1));
    expect(shared).toContain("code://stats/overview");
    expect(shared).toContain(String.raw`\"total_lines\": 2`);
  });
});
