import { describe, expect, test } from "vitest";
import { findProgram, quoteArgument, windowsCommand } from "./windows-command.ts";

const files = new Set([
  "C:\\nodejs\\npx.cmd",
  "C:\\nodejs\\node.exe",
  "C:\\Program Files\\tool\\run.bat",
  "C:\\work\\node_modules\\.bin\\server.cmd",
  "C:\\work\\server.exe",
]);
const place = {
  env: {
    Path: 'C:\\nodejs;"C:\\Program Files\\tool"',
    PATHEXT: ".COM;.EXE;.BAT;.CMD",
    ComSpec: "C:\\Windows\\system32\\cmd.exe",
  },
  cwd: "C:\\work",
  isFile: (path: string) => files.has(path),
};

describe("finding a program", () => {
  test.each([
    ["node", "C:\\nodejs\\node.exe"],
    ["npx", "C:\\nodejs\\npx.cmd"],
    ["run", "C:\\Program Files\\tool\\run.bat"],
    ["server", "C:\\work\\server.exe"],
    [".\\server.exe", "C:\\work\\server.exe"],
    ["node_modules/.bin/server", "C:\\work\\node_modules\\.bin\\server.cmd"],
    ["missing", undefined],
  ])("%s is %s", (command, expected) => {
    expect(findProgram(command, place)).toBe(expected);
  });
});

describe("C10: starting a program", () => {
  test("an .exe gets its arguments as they are", () => {
    expect(windowsCommand("node", ["a b", "%PATH%"], place)).toEqual({
      command: "C:\\nodejs\\node.exe",
      args: ["a b", "%PATH%"],
      windowsVerbatimArguments: false,
    });
  });

  test("a .cmd goes through cmd.exe, and nothing in an argument is an operator or a variable", () => {
    const { command, args, windowsVerbatimArguments } = windowsCommand(
      "npx",
      ["-y", "a&b", "%PATH%", 'say "hi"'],
      place,
    );
    expect([command, windowsVerbatimArguments]).toEqual(["C:\\Windows\\system32\\cmd.exe", true]);
    expect(args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
    expect(args[3]).toBe('"C:\\nodejs\\npx.cmd ^"-y^" ^"a^&b^" ^"^%PATH^%^" ^"say^ \\^"hi\\^"^""');
  });

  test("a .bat in a folder with a blank is quoted", () => {
    expect(windowsCommand("run", [], place).args[3]).toBe('"^"C:\\Program^ Files\\tool\\run.bat^""');
  });

  test("a shim of npm is escaped twice: it hands its arguments on", () => {
    expect(windowsCommand("node_modules/.bin/server", ["a&b"], place).args[3]).toContain("^^^&");
  });

  test("a program that is not found is left to the system to complain about", () => {
    expect(windowsCommand("missing", ["x"], place)).toEqual({
      command: "missing",
      args: ["x"],
      windowsVerbatimArguments: false,
    });
  });

  test.each([
    ["plain", '"plain"'],
    ['a"b', '"a\\"b"'],
    ["C:\\dir\\", '"C:\\dir\\\\"'],
    ['back\\"slash', '"back\\\\\\"slash"'],
    ["", '""'],
    ["雁 が", '"雁 が"'],
  ])("%j is quoted as %j", (argument, expected) => {
    expect(quoteArgument(argument)).toBe(expected);
  });
});
