import { expect, test } from "vitest";
import { createChangeBus } from "../kit/index.ts";
import { Project } from "./project.ts";
import { readStats } from "./stats-resource.ts";
import { makeProject } from "./test-project.ts";

const URI = "code://stats/overview";

async function overview(project: Project): Promise<unknown> {
  const signal = new AbortController().signal;
  const [contents] = await readStats(project, URI, "overview", new URLSearchParams(), { signal });
  return JSON.parse(contents && "text" in contents ? contents.text : "");
}

test("a question that came before the project was another is answered for the one it was about", async () => {
  using one = makeProject({ "a.ts": "1\n" });
  using other = makeProject({ "a.ts": "1\n", "b.ts": "2\n" });
  const project = new Project({ path: one.root, cacheFolder: undefined, changes: createChangeBus() });
  try {
    const before = overview(project);
    project.set(other.root);
    const after = overview(project);
    expect(await before).toMatchObject({ total_files: 1, project_path: one.root });
    expect(await after).toMatchObject({ total_files: 2, project_path: other.root });
    expect(await overview(project)).toMatchObject({ total_files: 2, project_path: other.root });
  } finally {
    project.close();
  }
});
