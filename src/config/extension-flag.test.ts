import { describe, expect, test } from "vitest";
import { parseExtensionFlag, parseRemoteFlag, splitWords } from "./extension-flag.ts";

describe("--with-extension", () => {
  test("reads a name, variables, a command and its arguments", () => {
    expect(parseExtensionFlag(`files:TOKEN=a=b LANG=C npx -y "@scope/server files" '/a b'`)).toMatchObject({
      name: "files",
      env: { TOKEN: "a=b", LANG: "C" },
      command: "npx",
      args: ["-y", "@scope/server files", "/a b"],
    });
  });

  test("without a name it is called after the program, or after what a launcher starts", () => {
    const name = (flag: string) => parseExtensionFlag(flag).name;
    expect(name("/usr/bin/weather --x")).toBe("weather");
    expect(name("npx -y @modelcontextprotocol/server-memory@1.2.3")).toBe("server-memory");
    expect(name("node ./tools/my-server.mjs stdio")).toBe("my-server");
    expect(name("http://host")).toBe("host");
    expect(name("broken:/usr/bin/node x.js")).toBe("broken");
  });

  test("C10: quotes, spaces and specials reach the program as one argument each", () => {
    expect(splitWords(`a "b \\"c\\"" 'd $(e)' f\\ g "" ^%`)).toEqual([
      "a",
      'b "c"',
      "d $(e)",
      "f g",
      "",
      "^%",
    ]);
  });

  test("what cannot be read is an error that says how it is written", () => {
    expect(() => parseExtensionFlag("name:")).toThrow(/command/);
    expect(() => parseExtensionFlag("A=b")).toThrow(/has no command/);
    expect(() => parseExtensionFlag(`x "y`)).toThrow(/never closed/);
  });
});

describe("--with-http and --with-sse", () => {
  test("take name=URL, or a URL whose host is the name", () => {
    expect(parseRemoteFlag("docs=https://example.com/mcp?a=b", "streamable_http")).toMatchObject({
      name: "docs",
      url: "https://example.com/mcp?a=b",
    });
    expect(parseRemoteFlag("http://localhost:1/sse", "sse")).toMatchObject({
      name: "localhost",
      type: "sse",
    });
  });

  test("refuse what is no http address", () => {
    expect(() => parseRemoteFlag("x=file:///etc/passwd", "sse")).toThrow(/not an http or https address/);
  });
});
