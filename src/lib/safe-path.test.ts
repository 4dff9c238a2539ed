import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkRelative, openInside, resolveInside, SafePathError } from "./safe-path.ts";

let base: string;
let root: string;

beforeEach(() => {
  base = fs.mkdtempSync(join(tmpdir(), "safe-path-"));
  root = join(base, "allowed");
  fs.mkdirSync(join(root, "src"), { recursive: true });
  fs.writeFileSync(join(root, "src", "main.ts"), "inside");
  fs.mkdirSync(join(base, "allowed_evil"));
  fs.writeFileSync(join(base, "allowed_evil", "x"), "SECRET");
  fs.writeFileSync(join(base, "x"), "SECRET");
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

/** The superuser may read anything, so that there a test of permissions acts as somebody else. */
function asNobody(action: () => void): void {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(65534);
  try {
    action();
  } finally {
    process.seteuid?.(0);
  }
}

function read(path: string, options: { absolute?: "inside" } = {}): string {
  const opened = openInside(root, path, options);
  try {
    return fs.readFileSync(opened.fd, "utf8");
  } finally {
    fs.closeSync(opened.fd);
  }
}

function refusal(path: string, options: { absolute?: "inside" } = {}): { code: string; message: string } {
  try {
    read(path, options);
  } catch (error) {
    if (error instanceof SafePathError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error(`${path} was opened`);
}

describe("what is inside", () => {
  test("a file is opened by its relative path and told where it is", () => {
    const opened = openInside(root, "src/main.ts");
    fs.closeSync(opened.fd);
    expect(opened.relative).toBe("src/main.ts");
    expect(opened.path).toBe(fs.realpathSync(join(root, "src", "main.ts")));
    expect(opened.stats.size).toBe(6);
  });

  test.each([
    "a..b.ts",
    "..a.ts",
    "a...",
    "with space.ts",
    "50%.ts",
    "a#b.ts",
    "a?b.ts",
    "日本語/表.ts",
    "aux.c",
    "ab:c.ts",
  ])("%s is a legal name", (name) => {
    fs.mkdirSync(join(root, "日本語"));
    fs.writeFileSync(join(root, name), name);
    expect(read(name)).toBe(name);
  });

  test("a symlink that stays inside is followed", () => {
    fs.symlinkSync("src/main.ts", join(root, "link.ts"));
    expect(read("link.ts")).toBe("inside");
    expect(resolveInside(root, "link.ts").relative).toBe("src/main.ts");
  });

  test("an absolute path inside the root passes only when asked for", () => {
    const absolute = join(root, "src/main.ts");
    expect(read(absolute, { absolute: "inside" })).toBe("inside");
    expect(refusal(absolute).code).toBe("outside");
  });

  test("a root that is itself a symlink works", () => {
    const link = join(base, "link-to-root");
    fs.symlinkSync(root, link);
    const opened = openInside(link, "src/main.ts");
    fs.closeSync(opened.fd);
    expect(opened.relative).toBe("src/main.ts");
  });
});

describe("what is refused by its letters", () => {
  test("an empty path is refused with the document's words", () => {
    expect(refusal("")).toEqual({ code: "empty", message: "File path cannot be empty" });
  });

  test("P8: NUL is refused", () => {
    expect(refusal("src/main.ts\0.png")).toEqual({
      code: "null-byte",
      message: "File path contains null bytes",
    });
  });

  test.each(["../x", "src/../../x", "src/../src/main.ts", "..", "src/..", "..\\x"])(
    "P2: %s is traversal, even where it would come back inside",
    (path) =>
      expect(refusal(path)).toEqual({ code: "traversal", message: `Path traversal not allowed: ${path}` }),
  );

  test.each(["C:rel", "C:\\x", "c:/x", "\\\\?\\C:\\x", "\\\\host\\share", "//host/share"])(
    "P9: %s is refused on every system",
    (path) => expect(refusal(path).code).toBe("outside"),
  );

  test.each(["NUL", "src/con.txt", "COM1", "lpt9.log", "x.txt:stream", "PROGRA~1/x", "a./b", "a /b"])(
    "P9: %s is refused on Windows",
    (path) => expect(() => checkRelative(path, "win32")).toThrow(SafePathError),
  );

  test.each(["NUL", "x.txt:stream", "PROGRA~1/x"])("P9: %s is only a missing file elsewhere", (path) =>
    expect(refusal(path).code).toBe("not-found"),
  );

  test("P9: a backslash climbs on Windows too", () => {
    expect(() => checkRelative("src\\..\\..\\x", "win32")).toThrow(/Path traversal not allowed/);
  });

  test("P19: a path of a megabyte is refused and not repeated", () => {
    const { code, message } = refusal("a".repeat(1024 * 1024));
    expect(code).toBe("too-long");
    expect(message.length).toBeLessThan(300);
  });

  test("P19: control characters and direction overrides come back as escapes", () => {
    expect(refusal("a\u001b[2J\u202egpj.exe").message).toBe("File not found: a\\u001b[2J\\u202egpj.exe");
  });
});

describe("what leads outside", () => {
  test("P1: a sibling whose name begins like the root is outside", () => {
    expect(refusal(join(base, "allowed_evil/x"), { absolute: "inside" }).code).toBe("outside");
    fs.symlinkSync("../allowed_evil", join(root, "twin"));
    expect(refusal("twin/x").code).toBe("outside");
  });

  test("P3: a symlink to a file outside is refused, and the target is not told", () => {
    fs.symlinkSync("/etc/passwd", join(root, "passwd.txt"));
    expect(refusal("passwd.txt")).toEqual({
      code: "outside",
      message: "Path is outside the root: passwd.txt",
    });
  });

  test("P4: a symlink to a folder outside is refused", () => {
    fs.symlinkSync("/etc", join(root, "etc"));
    expect(refusal("etc/passwd").code).toBe("outside");
    expect(refusal("etc/passwd").message).not.toContain("/etc/passwd");
  });

  test("an absolute path outside gives one answer, whether the file exists or not", () => {
    expect(refusal("/etc/passwd", { absolute: "inside" }).code).toBe("outside");
    expect(refusal("/etc/no-such-file", { absolute: "inside" }).code).toBe("outside");
  });

  test("P5: a link swapped between check and open never gives what lies outside", async () => {
    const file = join(root, "swap");
    fs.writeFileSync(file, "inside");
    const swapper = spawn(process.execPath, ["-e", SWAPPER, file, join(base, "x")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => swapper.stdout.once("data", resolve));
    const answers = new Map<string, number>();
    try {
      for (let round = 0; round < 10_000; round += 1) {
        let answer: string;
        try {
          answer = read("swap");
        } catch (error) {
          if (!(error instanceof SafePathError)) throw error;
          answer = error.code;
        }
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    } finally {
      swapper.kill("SIGKILL");
    }
    expect([...answers.keys()]).not.toContain("SECRET");
    expect(answers.get("inside")).toBeGreaterThan(0);
    expect(answers.get("outside")).toBeGreaterThan(0);
  });

  test("P5: a folder swapped for a link never gets a file created outside", async () => {
    const folder = join(root, "folder");
    const outside = join(base, "outside");
    fs.mkdirSync(outside);
    const swapper = spawn(process.execPath, ["-e", FOLDER_SWAPPER, folder, outside], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => swapper.stdout.once("data", resolve));
    const flags = fs.constants.O_CREAT | fs.constants.O_WRONLY;
    let created = 0;
    try {
      for (let round = 0; round < 3000; round += 1) {
        try {
          fs.closeSync(openInside(root, `folder/new-${round}`, { flags }).fd);
          created += 1;
        } catch (error) {
          if (!(error instanceof SafePathError)) throw error;
        }
      }
    } finally {
      swapper.kill("SIGKILL");
    }
    expect(fs.readdirSync(outside)).toEqual([]);
    expect(created).toBeGreaterThan(0);
  });
});

describe("names in other Unicode forms", () => {
  test("P10: NFC and NFD twins are two files, each read by its own name", () => {
    fs.writeFileSync(join(root, "が.ts".normalize("NFC")), "composed");
    fs.writeFileSync(join(root, "が.ts".normalize("NFD")), "decomposed");
    expect(read("が.ts".normalize("NFC"))).toBe("composed");
    expect(read("が.ts".normalize("NFD"))).toBe("decomposed");
  });

  test("P10: a single file is found by its other form, folders too", () => {
    fs.mkdirSync(join(root, "ガ".normalize("NFD")));
    fs.writeFileSync(join(root, "ガ".normalize("NFD"), "ぱ.ts".normalize("NFD")), "found");
    expect(read("ガ/ぱ.ts".normalize("NFC"))).toBe("found");
  });

  test("P10: fullwidth dots and slashes are ordinary letters", () => {
    expect(refusal("．．／x").code).toBe("not-found");
    fs.writeFileSync(join(root, "．．／x"), "a name");
    expect(read("．．／x")).toBe("a name");
  });

  test("P10: case is what the file system says", () => {
    fs.writeFileSync(join(root, "Readme"), "R");
    const sensitive = !fs.existsSync(join(root, "README"));
    expect(sensitive ? refusal("README").code : read("README")).toBe(sensitive ? "not-found" : "R");
  });
});

describe("what is not a regular file", () => {
  test("a folder is refused as one", () => {
    expect(refusal("src").code).toBe("not-a-file");
  });

  test("P11: a FIFO is refused without waiting for a writer", () => {
    expect(spawnSync("mkfifo", [join(root, "pipe")]).status).toBe(0);
    expect(refusal("pipe").code).toBe("special");
  });

  test("P11: a socket is refused", async () => {
    const server = createServer().listen(join(root, "sock"));
    await new Promise((resolve) => server.once("listening", resolve));
    expect(refusal("sock").code).toBe("special");
    await new Promise((resolve) => server.close(resolve));
  });

  test.each(["/dev/zero", "/proc/self/environ", "/proc/self/root/etc/passwd"])(
    "P11: a link to %s is refused",
    (target) => {
      fs.symlinkSync(target, join(root, "link"));
      expect(["outside", "special"]).toContain(refusal("link").code);
    },
  );

  test.each(["proc/self/environ", "dev/zero", "sys/kernel/uevent_seqnum"])(
    "P11: even with / as the root, %s is refused",
    (path) => {
      if (!fs.existsSync(`/${path}`)) return;
      expect(() => openInside("/", path)).toThrow(SafePathError);
    },
  );

  test("a file without permission says so", () => {
    fs.chmodSync(base, 0o755);
    fs.chmodSync(join(root, "src/main.ts"), 0);
    asNobody(() => expect(refusal("src/main.ts").code).toBe("permission"));
  });
});

describe("what does not exist yet", () => {
  test("a missing file is not found", () => {
    expect(refusal("nonexistent.py")).toEqual({
      code: "not-found",
      message: "File not found: nonexistent.py",
    });
  });

  test("it may be named when asked for, with the folders above it checked", () => {
    expect(resolveInside(root, "src/new/deep.ts", { missing: "allow" })).toEqual({
      path: join(fs.realpathSync(root), "src/new/deep.ts"),
      relative: "src/new/deep.ts",
      exists: false,
    });
    fs.symlinkSync(base, join(root, "up"));
    expect(() => resolveInside(root, "up/new.ts", { missing: "allow" })).toThrow(/outside/);
  });

  test("a dangling link is not a missing name", () => {
    fs.symlinkSync(join(base, "not-yet"), join(root, "dangling"));
    expect(() => resolveInside(root, "dangling", { missing: "allow" })).toThrow(/outside/);
    expect(() =>
      openInside(root, "dangling", { flags: fs.constants.O_CREAT | fs.constants.O_WRONLY }),
    ).toThrow(SafePathError);
    expect(fs.existsSync(join(base, "not-yet"))).toBe(false);
  });

  test("O_CREAT makes the file inside", () => {
    const opened = openInside(root, "src/new.ts", {
      flags: fs.constants.O_CREAT | fs.constants.O_WRONLY,
      mode: 0o600,
    });
    fs.writeSync(opened.fd, "made");
    fs.closeSync(opened.fd);
    expect(read("src/new.ts")).toBe("made");
  });
});

const SWAPPER = `
const fs = require("node:fs");
const [, file, secret] = process.argv;
process.stdout.write("ready");
for (;;) {
  try { fs.symlinkSync(secret, file + ".link"); fs.renameSync(file + ".link", file); } catch {}
  try { fs.writeFileSync(file + ".plain", "inside"); fs.renameSync(file + ".plain", file); } catch {}
}`;

const FOLDER_SWAPPER = `
const fs = require("node:fs");
const [, folder, outside] = process.argv;
fs.mkdirSync(folder);
process.stdout.write("ready");
for (;;) {
  try { fs.renameSync(folder, folder + ".real"); fs.symlinkSync(outside, folder); } catch {}
  try { fs.unlinkSync(folder); fs.renameSync(folder + ".real", folder); } catch {}
}`;
