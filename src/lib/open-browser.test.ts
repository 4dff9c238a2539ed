import { describe, expect, test } from "vitest";
import { browserCommand } from "./open-browser.ts";

describe("opening a browser", () => {
  test.each([
    ["linux", {}, { command: "xdg-open", args: ["https://example.com/a?b=c"] }],
    ["linux", { BROWSER: "firefox:lynx" }, { command: "firefox", args: ["https://example.com/a?b=c"] }],
    ["darwin", {}, { command: "open", args: ["https://example.com/a?b=c"] }],
    [
      "win32",
      { BROWSER: "ignored" },
      { command: "rundll32.exe", args: ["url.dll,FileProtocolHandler", "https://example.com/a?b=c"] },
    ],
  ] as const)("on %s with %o", (platform, environment, expected) => {
    expect(browserCommand("https://example.com/a?b=c", platform, environment)).toEqual(expected);
  });

  test.each([
    "file:///etc/passwd",
    "javascript:alert(1)",
    "--flag",
    "$(calc)",
    "calc.exe",
    "ms-settings:privacy",
    "",
  ])("N12: %j is not opened", (address) => {
    expect(() => browserCommand(address, "linux", {})).toThrow(/not a web address/);
  });

  test("N12: what a shell would read is escaped or one argument", () => {
    const { args } = browserCommand('https://example.com/$(calc)?a=b&c="d" e', "linux", {});
    expect(args).toEqual(["https://example.com/$(calc)?a=b&c=%22d%22%20e"]);
  });
});
