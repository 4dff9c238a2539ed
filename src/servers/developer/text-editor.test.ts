import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodeText } from "../../lib/text-encode.ts";
import { startTemporaryServer, type TemporaryServer, textOf } from "./temporary-server.ts";

function edit(server: TemporaryServer, command: string, path: string, rest: object = {}): Promise<string> {
  return server.say("text_editor", { command, path, ...rest });
}

describe("write", () => {
  test("makes a file, with its folders", async () => {
    await using server = startTemporaryServer();
    expect(await edit(server, "write", "春/a.txt", { file_text: "x\r\ny" })).toBe(
      "Wrote 春/a.txt, a new file of 4 bytes.",
    );
    expect(readFileSync(join(server.folder, "春/a.txt"), "utf8")).toBe("x\r\ny");
  });

  test("keeps the encoding, the mark and the line ends of a file that is there", async () => {
    await using server = startTemporaryServer();
    const path = join(server.folder, "a.txt");
    const before = encodeText("これは日本語の文章です。\r\n秋の田の\r\n", "shift_jis");
    if (before.ok) writeFileSync(path, before.bytes);
    expect(
      await edit(server, "write", "a.txt", { file_text: "これは日本語の文章です。\n春の野の\n" }),
    ).toMatch(/as shift_jis, which it was before/);
    const expected = encodeText("これは日本語の文章です。\r\n春の野の\r\n", "shift_jis");
    expect(expected.ok && readFileSync(path).equals(expected.bytes)).toBe(true);

    writeFileSync(path, "\ufeffa\r\n");
    await edit(server, "write", "a.txt", { file_text: "\ufeffb\n" });
    expect(readFileSync(path, "utf8")).toBe("\ufeffb\r\n");
  });

  test("replaces a file that is no text as a whole, and undo brings it back", async () => {
    await using server = startTemporaryServer();
    const path = join(server.folder, "a.bin");
    const bytes = Buffer.from([0, 1, 2, 0xff, 0, 0]);
    writeFileSync(path, bytes);
    await edit(server, "write", "a.bin", { file_text: "text" });
    expect(readFileSync(path, "utf8")).toBe("text");
    await edit(server, "undo_edit", "a.bin");
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test("of the same content writes nothing", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "a.txt"), "a\r\n");
    expect(await edit(server, "write", "a.txt", { file_text: "a\n" })).toMatch(/nothing was written/);
  });
});

describe("an edit", () => {
  test("says what came of it, with the lines around", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "a.txt"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    expect(await edit(server, "str_replace", "a.txt", { old_str: "5\n", new_str: "five\n" })).toBe(
      "Edited a.txt at 1 place, line 5.\n2\t2\n3\t3\n4\t4\n5\tfive\n6\t6\n7\t7\n8\t8\n9\t9",
    );
  });

  test("through a symlink writes the file and keeps the link", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "real.txt"), "a");
    symlinkSync("real.txt", join(server.folder, "link.txt"));
    await edit(server, "str_replace", "link.txt", { old_str: "a", new_str: "b" });
    expect(readFileSync(join(server.folder, "real.txt"), "utf8")).toBe("b");
    expect(readlinkSync(join(server.folder, "link.txt"))).toBe("real.txt");
  });

  test("P10: of a name in another Unicode form finds the file", async () => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "が.txt".normalize("NFD")), "a");
    await edit(server, "str_replace", "が.txt".normalize("NFC"), { old_str: "a", new_str: "b" });
    expect(readFileSync(join(server.folder, "が.txt".normalize("NFD")), "utf8")).toBe("b");
  });

  test("may be outside of the working directory: a yes was given", async () => {
    await using server = startTemporaryServer();
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "outside-")));
    await edit(server, "write", join(outside, "a.txt"), { file_text: "x" });
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("x");
    expect(await edit(server, "view", join(outside, "a.txt"))).toContain("1\tx");
    rmSync(outside, { recursive: true });
  });

  test.each([
    ["str_replace", { new_str: "x" }, /needs old_str/],
    ["str_replace", { old_str: "x" }, /needs new_str/],
    ["insert", { new_str: "x" }, /needs insert_line/],
    ["write", {}, /needs file_text/],
    ["view", { view_range: [3, 2] }, /no range/],
    ["str_replace", { old_str: "absent", new_str: "x" }, /old_str is not in a\.txt/],
  ] as const)("%s with %o is refused with the reason", async (command, rest, reason) => {
    await using server = startTemporaryServer();
    writeFileSync(join(server.folder, "a.txt"), "a\n");
    const result = await server.call("text_editor", { command, path: "a.txt", ...rest });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(reason);
    expect(readFileSync(join(server.folder, "a.txt"), "utf8")).toBe("a\n");
  });

  test.each([
    ["missing.txt", /File not found/],
    ["folder", /directory/],
    ["pipe", /Not a regular file/],
    ["/dev/zero", /Not a regular file/],
    ["/proc/self/environ", /Not a regular file/],
    ["a\0b", /null bytes/],
  ])("P8, P11: of %j is refused", async (path, reason) => {
    await using server = startTemporaryServer();
    mkdirSync(join(server.folder, "folder"));
    execFileSync("mkfifo", [join(server.folder, "pipe")]);
    for (const command of ["str_replace", "view"]) {
      const result = await server.call("text_editor", { command, path, old_str: "a", new_str: "b" });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(reason);
    }
  });

  test("P18: mixed line ends and a missing last one come through a whole edit", async () => {
    await using server = startTemporaryServer();
    const path = join(server.folder, "a.txt");
    writeFileSync(path, "one\r\ntwo\nthree\r\nfour");
    await edit(server, "str_replace", "a.txt", { old_str: "two\nthree", new_str: "two\n2.5\nthree" });
    await edit(server, "insert", "a.txt", { insert_line: 5, new_str: "five\n" });
    expect(readFileSync(path, "utf8")).toBe("one\r\ntwo\n2.5\r\nthree\r\nfour\r\nfive");
  });
});

describe("undo_edit", () => {
  test("takes edits back one by one, to the file's first bytes, and removes what an edit made", async () => {
    await using server = startTemporaryServer();
    const path = join(server.folder, "a.txt");
    await edit(server, "write", "a.txt", { file_text: "a" });
    await edit(server, "str_replace", "a.txt", { old_str: "a", new_str: "b" });
    await edit(server, "insert", "a.txt", { insert_line: 0, new_str: "c" });
    expect(await edit(server, "undo_edit", "a.txt")).toBe(
      "Undid the last edit of a.txt. 2 more edits of it can be undone.",
    );
    expect(readFileSync(path, "utf8")).toBe("b");
    await edit(server, "undo_edit", "a.txt");
    expect(readFileSync(path, "utf8")).toBe("a");
    expect(await edit(server, "undo_edit", "a.txt")).toMatch(/Removed a\.txt/);
    expect(existsSync(path)).toBe(false);
    expect(await edit(server, "undo_edit", "a.txt")).toMatch(/no edit of a\.txt to undo/);
  });

  test("refuses when somebody else changed the file since", async () => {
    await using server = startTemporaryServer();
    const path = join(server.folder, "a.txt");
    await edit(server, "write", "a.txt", { file_text: "a" });
    writeFileSync(path, "mine");
    expect(await edit(server, "undo_edit", "a.txt")).toMatch(
      /changed after the last edit.*Nothing was written/,
    );
    expect(readFileSync(path, "utf8")).toBe("mine");
  });
});

test("edits are told to those who subscribed", async () => {
  await using server = startTemporaryServer();
  const told: unknown[] = [];
  server.definition.changes?.subscribe((change) => told.push(change));
  await edit(server, "write", "a b.txt", { file_text: "a" });
  expect(told).toEqual([{ type: "resource-updated", uri: `file://${server.folder}/a%20b.txt` }]);
});
