/** Each limit is run into by a real process. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { call, openManager, textOf } from "../../../test/support/open-manager.ts";
import type { ProcessLimits } from "../config.ts";
import { limitedCommand } from "./limits.ts";

const server = fileURLToPath(new URL("../../../test/fixtures/misbehaving-server.ts", import.meta.url));
const open = (limits: ProcessLimits, key = "held") =>
  openManager().add({ type: "stdio", key, command: process.execPath, args: [server], env: {}, limits });

describe("the command line", () => {
  test("limits are set by a shell that becomes the program", () => {
    const { command, args } = limitedCommand(
      "prog",
      ["a b", "$(x)"],
      { cpuSeconds: 5, openFiles: 64 },
      "linux",
    );
    expect(command).toBe("/bin/sh");
    expect(args[1]).toMatch(
      /^\{ ulimit -S -t 5 && ulimit -H -t 6; \} \|\| [\s\S]*\nulimit -n 64 \|\| [\s\S]*\nexec "\$@"$/,
    );
    expect(args.slice(2)).toEqual(["kari-limits", "prog", "a b", "$(x)"]);
  });

  test("without limits, and elsewhere than on Linux, nothing is put around it", () => {
    expect(limitedCommand("prog", ["x"], undefined, "linux")).toEqual({ command: "prog", args: ["x"] });
    expect(limitedCommand("prog", ["x"], {}, "linux")).toEqual({ command: "prog", args: ["x"] });
    expect(limitedCommand("prog", ["x"], { cpuSeconds: 5 }, "darwin")).toEqual({
      command: "prog",
      args: ["x"],
    });
  });
});

describe.runIf(process.platform === "linux")("C9: an extension that takes too much", () => {
  test("memory: it is ended with the figure, and the next call starts it again", async () => {
    const extension = open({ memoryMegabytes: 300 });
    await expect(call(extension, "hog")).rejects.toThrow(/used \d+ MB of memory \(limits\.memory: 300 MB\)/);
    expect(textOf(await call(extension, "ok"))).toBe("fine");
  });

  test("processor time: it is ended with the reason", async () => {
    const extension = open({ cpuSeconds: 2 });
    await expect(call(extension, "spin")).rejects.toThrow(/used up its processor time \(limits\.cpu: 2 s\)/);
  });

  test("open files: it cannot open more", async () => {
    expect(textOf(await call(open({ openFiles: 64 }), "open-files"))).toMatch(/^opened \d{1,2} then EMFILE$/);
  });

  test("C7: one that multiplies is ended with all its processes; others go on", async () => {
    const other = open({}, "other");
    await other.start();
    const extension = open({ processes: 10 });
    await extension.start();
    const pid = extension.state.type === "ready" ? extension.state.pid : 0;
    await expect(call(extension, "multiply", { processes: 40 })).rejects.toThrow(/limits\.processes: 10/);
    expect(textOf(await call(other, "ok"))).toBe("fine");
    await expect.poll(() => groupSize(Number(pid))).toBe(0);
  });
});

function groupSize(group: number): number {
  return readdirSync("/proc").filter((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(fields[2]) === group && fields[0] !== "Z";
    } catch {
      return false;
    }
  }).length;
}
