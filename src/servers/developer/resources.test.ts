import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { encodeText } from "../../lib/text-encode.ts";
import type { KitResource, KitResourceContents, ResourceProvider } from "../kit/resource.ts";
import { ENVIRONMENT_URI, gitBranch } from "./environment.ts";
import { startTemporaryServer, type TemporaryServer } from "./temporary-server.ts";

const { signal } = new AbortController();

function resourcesOf(server: TemporaryServer): ResourceProvider {
  const { resources } = server.definition;
  if (!resources) throw new Error("no resources");
  return resources;
}

async function read(server: TemporaryServer, uri: string): Promise<KitResourceContents> {
  const [contents] = await resourcesOf(server).read(uri, { signal });
  if (!contents) throw new Error("no contents");
  return contents;
}

describe("the listing", () => {
  test("has the environment and the top-level files, none of them so important that all is sent at once", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "秋 1.md"), "x");
    mkdirSync(join(server.folder, "folder"));
    symlinkSync("/etc/passwd", join(server.folder, "link"));
    const { resources, nextCursor } = await resourcesOf(server).list({ signal });
    expect(resources.map(({ uri }) => uri)).toEqual([
      ENVIRONMENT_URI,
      pathToFileURL(join(server.folder, "秋 1.md")).href,
    ]);
    expect(resources[1]).toMatchObject({ name: "秋 1.md", mimeType: "text/markdown", size: 1 });
    expect(resources.every(({ annotations }) => (annotations?.priority ?? 0) < 1)).toBe(true);
    expect(nextCursor).toBeUndefined();
  });

  test("comes in pages that hold together while files come and go", async () => {
    await using server = startTemporaryServer();
    const names = Array.from({ length: 250 }, (_, index) => `f${String(index).padStart(3, "0")}`);
    for (const name of names) writeFileSync(join(server.folder, name), "");
    const seen: KitResource[] = [];
    let cursor: string | undefined;
    do {
      const page = await resourcesOf(server).list({ signal, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.resources);
      cursor = page.nextCursor;
      writeFileSync(join(server.folder, "a-new-one"), "");
    } while (cursor !== undefined);
    expect(seen.map(({ name }) => name)).toEqual(["environment", ...names]);
  });
});

describe("reading", () => {
  test("any file under the working directory, by its percent-encoded URI, in any encoding", async () => {
    await using server = startTemporaryServer();
    mkdirSync(join(server.folder, "深い/場所"), { recursive: true });
    const path = join(server.folder, "深い/場所/100% #1?.txt");
    const encoded = encodeText("これは日本語の文章です。\n", "euc-jp");
    if (encoded.ok) writeFileSync(path, encoded.bytes);
    const uri = pathToFileURL(path).href;
    expect(await read(server, uri)).toEqual({
      uri,
      mimeType: "text/plain",
      text: "これは日本語の文章です。\n",
      _meta: { encoding: "euc-jp" },
    });
  });

  test("binary as a blob with the type that its bytes have", async () => {
    await using server = startTemporaryServer();
    const bytes = Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1");
    writeFileSync(join(server.folder, "a.txt"), bytes);
    const uri = pathToFileURL(join(server.folder, "a.txt")).href;
    expect(await read(server, uri)).toEqual({ uri, mimeType: "image/png", blob: bytes.toString("base64") });
  });

  test("P27: what is named a picture and is text is text", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "a.png"), "<script>1</script>");
    const uri = pathToFileURL(join(server.folder, "a.png")).href;
    expect(await read(server, uri)).toMatchObject({ mimeType: "text/plain", text: "<script>1</script>" });
  });

  test("P12: too large a file is refused with the way to read it", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "huge"), "");
    truncateSync(join(server.folder, "huge"), 10 * 2 ** 30);
    await expect(read(server, pathToFileURL(join(server.folder, "huge")).href)).rejects.toMatchObject({
      code: "refused",
      message: expect.stringMatching(/11 GB.*read_file/),
    });
  });

  test("the environment: where one is and what there is, and no secret", async () => {
    await using server = startTemporaryServer({ environment: { ...process.env, API_KEY: "canary-77" } });
    const contents = await read(server, ENVIRONMENT_URI);
    if (!("text" in contents)) throw new Error("no text");
    expect(contents.text).toContain(`Working directory: ${server.folder}`);
    expect(contents.text).toMatch(/Shell: bash/);
    expect(contents.text).toMatch(/node \d+\./);
    expect(contents.text).not.toContain("canary");
  });
});

describe("what is refused", () => {
  test.each([
    ["P1: a sibling whose name begins alike", (folder: string) => `file://${folder}_evil/x`, "refused"],
    ["P2: ..", (folder: string) => `file://${folder}/../x`, "refused"],
    ["P3: a symlink to a file outside", (folder: string) => `file://${folder}/link`, "refused"],
    ["P4: a symlink to a folder outside", (folder: string) => `file://${folder}/linked/passwd`, "refused"],
    ["P7: %2e%2e", (folder: string) => `file://${folder}/%2e%2e/x`, "refused"],
    ["P7: double-encoded", (folder: string) => `file://${folder}/%252e%252e/x`, "not-found"],
    ["P7: overlong UTF-8", (folder: string) => `file://${folder}/%c0%ae%c0%ae/x`, "invalid"],
    ["P7: an encoded slash", (folder: string) => `file://${folder}/..%2fx`, "invalid"],
    ["P8: NUL", (folder: string) => `file://${folder}/a%00b`, "invalid"],
    ["P9: another host", () => "file://host/share", "invalid"],
    ["P9: a drive", () => "file:///C:/Windows/win.ini", "refused"],
    [
      "P10: fullwidth dots are a name",
      (folder: string) => `file://${folder}/${encodeURIComponent("．．／x")}`,
      "not-found",
    ],
    ["P11: /proc", () => "file:///proc/self/environ", "refused"],
    ["P11: a device", () => "file:///dev/zero", "refused"],
    ["P11: a pipe", (folder: string) => `file://${folder}/pipe`, "refused"],
    ["P19: a megabyte", () => `file:///${"a".repeat(1_000_000)}`, "invalid"],
    ["P19: credentials", (folder: string) => `file://user:pass@${folder}/x`, "invalid"],
    ["P19: control characters", (folder: string) => `file://${folder}/a\u0007b`, "invalid"],
    ["P19: a direction override", (folder: string) => `file://${folder}/\u202ea`, "invalid"],
    ["a query", (folder: string) => `file://${folder}/a?b`, "refused"],
    ["another scheme", () => "http://localhost/x", "invalid"],
    ["a folder", (folder: string) => `file://${folder}/folder`, "refused"],
    ["what is not there", (folder: string) => `file://${folder}/nothing`, "not-found"],
  ])("%s", async (_name, uri, code) => {
    await using server = startTemporaryServer();
    symlinkSync("/etc/passwd", join(server.folder, "link"));
    symlinkSync("/etc", join(server.folder, "linked"));
    mkdirSync(join(server.folder, "folder"));
    execFileSync("mkfifo", [join(server.folder, "pipe")]);
    await expect(read(server, uri(server.folder))).rejects.toMatchObject({ name: "ResourceError", code });
  });
});

describe("completion", () => {
  test("offers the paths under the working directory, encoded, folders with a slash", async () => {
    await using server = startTemporaryServer();
    mkdirSync(join(server.folder, "src"));
    writeFileSync(join(server.folder, "src/秋.ts"), "");
    writeFileSync(join(server.folder, "src/空 白.ts"), "");
    const complete = (value: string) =>
      resourcesOf(server).complete?.({ template: "file:///{+path}", variable: "path", value, others: {} });
    const root = server.folder.slice(1);
    expect(await complete("")).toEqual([`${root}/src/`]);
    expect(await complete(`${root}/s`)).toEqual([`${root}/src/`]);
    expect(await complete(`${root}/src/`)).toEqual([
      `${root}/src/${encodeURIComponent("秋.ts")}`,
      `${root}/src/${encodeURIComponent("空 白.ts")}`,
    ]);
    const [uri] = (await complete(`${root}/src/秋`)) ?? [];
    expect(await read(server, `file:///${uri}`)).toMatchObject({ text: "" });
    expect(await complete(`${root}/../`)).toEqual([]);
  });

  test("offers nothing outside", async () => {
    await using server = startTemporaryServer();
    symlinkSync("/etc", join(server.folder, "linked"));
    const value = `${server.folder.slice(1)}/linked/`;
    expect(
      await resourcesOf(server).complete?.({
        template: "file:///{+path}",
        variable: "path",
        value,
        others: {},
      }),
    ).toEqual([]);
  });
});

test("B7: a change on disk is told after somebody subscribed", async () => {
  await using server = startTemporaryServer();
  const path = join(server.folder, "a.txt");
  writeFileSync(path, "1");
  const told = Promise.withResolvers<string>();
  server.definition.changes?.subscribe((change) => {
    if (change.type === "resource-updated") told.resolve(change.uri);
  });
  resourcesOf(server).startWatching?.();
  // The watch begins in its own time: write until it is noticed.
  let count = 2;
  const writer = setInterval(() => writeFileSync(path, String(count++)), 20);
  expect(await told.promise).toBe(pathToFileURL(path).href);
  clearInterval(writer);
});

test("the git branch is read without git, also in a worktree", () => {
  const folder = mkdtempSync(join(tmpdir(), "branch-"));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: folder,
      stdio: "ignore",
    });
  expect(gitBranch(folder)).toBeUndefined();
  git("init", "-q", "-b", "feature/秋", ".");
  expect(gitBranch(join(folder))).toBe("branch feature/秋");
  git("commit", "-q", "--allow-empty", "-m", "x");
  git("worktree", "add", "-q", "-b", "other", "tree");
  mkdirSync(join(folder, "tree/deep"));
  expect(gitBranch(join(folder, "tree/deep"))).toBe("branch other");
  git("checkout", "-q", "--detach");
  expect(gitBranch(folder)).toMatch(/^detached at [0-9a-f]{12}$/);
  rmSync(folder, { recursive: true });
});
