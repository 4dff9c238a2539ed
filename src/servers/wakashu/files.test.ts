import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FileProblem, formatBytes, readHead, readLargeFile, readSmallFile } from "./files.ts";
import { RealRoot } from "./real-root.ts";
import { type TempCollection, tempCollection } from "./temp-collection.ts";

let temp: TempCollection;
let outside: TempCollection;
beforeEach(() => {
  temp = tempCollection();
  outside = tempCollection();
  temp.write("post/file", "inside");
  outside.write("file", "outside");
});
afterEach(() => {
  temp.remove();
  outside.remove();
});

describe("reading a file of the collection", () => {
  test("gives its bytes and its state, whole or the beginning", async () => {
    const root = new RealRoot(temp.root);
    expect(readSmallFile(root, "post/file", 100).bytes.toString()).toBe("inside");
    expect((await readLargeFile(root, "post/file", 100)).bytes.toString()).toBe("inside");
    expect(readHead(root, "post/file", 2)).toMatchObject({ bytes: Buffer.from("in"), stats: { size: 6 } });
  });

  test("P4: a folder on the way that is a link out of the root is refused, and nothing says where it leads", async () => {
    symlinkSync(outside.root, join(temp.root, "link"));
    const root = new RealRoot(temp.root);
    for (const read of [
      () => readSmallFile(root, "link/file", 100),
      () => readHead(root, "link/file", 100),
    ]) {
      expect(read).toThrow(FileProblem);
      expect(read).not.toThrow(outside.root);
    }
    await expect(readLargeFile(root, "link/file", 100)).rejects.toMatchObject({ code: "refused" });
  });

  test("P2, P8: a path that climbs or holds NUL is refused", () => {
    const root = new RealRoot(temp.root);
    for (const path of [
      `../${outside.root.split("/").at(-1)}/file`,
      "post/../../x",
      "post/file\0",
      "/etc/passwd",
    ]) {
      expect(() => readSmallFile(root, path, 100)).toThrow(FileProblem);
    }
  });

  test("a file over the limit is refused with both sizes, before it is read", () => {
    truncateSync(join(temp.root, "post/file"), 3 * 1024 ** 4);
    expect(() => readSmallFile(new RealRoot(temp.root), "post/file", 1024)).toThrow(
      "3.0 TiB あり、上限の 1.0 KiB",
    );
    expect([0, 1023, 1024, 1024 ** 2 * 15].map(formatBytes)).toEqual([
      "0 バイト",
      "1023 バイト",
      "1.0 KiB",
      "15 MiB",
    ]);
  });

  test("a root that is moved and replaced is another root", () => {
    const root = new RealRoot(temp.root);
    const before = root.real;
    expect(root.real).toBe(before);
    renameSync(temp.root, `${temp.root}-moved`);
    symlinkSync(outside.root, temp.root);
    expect(root.real).toBe(new RealRoot(outside.root).real);
    expect(readSmallFile(root, "file", 100).bytes.toString()).toBe("outside");
    renameSync(`${temp.root}-moved`, join(outside.root, "moved"));
  });

  test.skipIf(process.platform !== "linux")(
    "P5: a folder swapped for a link again and again never leads outside",
    async () => {
      const swapper = spawn(process.execPath, ["-e", SWAPPER, temp.root, outside.root], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(swapper.stdout, "data");
      const root = new RealRoot(temp.root);
      const seen = new Set<string>();
      for (let round = 0; round < 4000; round += 1) {
        try {
          seen.add(readSmallFile(root, "post/file", 100).bytes.toString());
        } catch (error) {
          if (!(error instanceof FileProblem)) throw error;
          seen.add(error.code);
        }
      }
      swapper.kill("SIGKILL");
      await once(swapper, "exit");
      expect(seen).not.toContain("outside");
      expect(seen).toContain("inside");
    },
  );
});

const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const [root, outside] = process.argv.slice(1);
process.stdout.write("go");
for (;;) {
  renameSync(root + "/post", root + "/away");
  symlinkSync(outside, root + "/post");
  unlinkSync(root + "/post");
  renameSync(root + "/away", root + "/post");
}
`;
