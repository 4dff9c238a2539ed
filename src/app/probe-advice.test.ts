import { describe, expect, test } from "vitest";
import { ConfigError, type ExtensionSettings } from "../config/index.ts";
import { adviseOn, reasonOf } from "./probe-advice.ts";

const stdio = (command: string, args: string[] = []): ExtensionSettings => ({
  type: "stdio",
  name: "it",
  enabled: true,
  command,
  args,
  env: {},
  envKeys: [],
});
const http: ExtensionSettings = {
  type: "streamable_http",
  name: "it",
  enabled: true,
  url: "https://example.com:7/mcp",
  headers: {},
};
const failed = (message: string, cause?: unknown) => new Error(message, { cause });
const coded = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

describe("what to do about an extension that did not start", () => {
  test.each<[string, ExtensionSettings, unknown, RegExp]>([
    [
      "a program that is not there",
      stdio("npx"),
      failed("no", coded("ENOENT")),
      /Install Node\.js, which brings npx/,
    ],
    [
      "another one",
      stdio("frobnicate"),
      failed("no", coded("ENOENT")),
      /Install frobnicate, or check how it is spelt/,
    ],
    ["one that may not run", stdio("/a b/x"), failed("no", coded("EACCES")), /chmod \+x '\/a b\/x'/],
    [
      "one that says nothing",
      stdio("x", ["-y", "it's"]),
      failed("no answer within 30 s."),
      /by hand.*: x -y 'it'\\''s'$/,
    ],
    [
      "one that misses a variable",
      stdio("x"),
      failed("fatal: missing FOO_TOKEN"),
      /kari config secret FOO_TOKEN/,
    ],
    ["one that just ends", stdio("x"), failed("the process exited with code 3."), /^Run it by hand/],
    [
      "a setting that is missing",
      stdio("x"),
      new ConfigError("The extension it wants A_KEY, and it is not set in the environment."),
      /Set A_KEY in the environment, or keep it: kari config secret A_KEY\. Or do without it: kari extensions disable it/,
    ],
    [
      "a variable that is missing",
      http,
      failed("it uses ${HOST}, and that is not set in the environment"),
      /kari config secret HOST/,
    ],
    [
      "nobody at the port",
      http,
      failed("fetch failed", new TypeError("x", { cause: coded("ECONNREFUSED") })),
      /Nothing listens at example\.com:7/,
    ],
    [
      "a name nobody knows",
      http,
      failed("fetch failed", coded("ENOTFOUND")),
      /The name example\.com:7 is not known/,
    ],
    [
      "a certificate of one's own",
      http,
      failed("x", coded("DEPTH_ZERO_SELF_SIGNED_CERT")),
      /NODE_EXTRA_CA_CERTS/,
    ],
    [
      "a server that wants a key",
      http,
      failed("HTTP 401: Unauthorized"),
      /Authorization: "Bearer \$\{NAME\}"/,
    ],
    ["the wrong path", http, failed("Error POSTing to endpoint (HTTP 404)"), /Many are at \/mcp/],
    [
      "several causes at once",
      http,
      failed("x", new AggregateError([coded("EHOSTUNREACH"), coded("ECONNREFUSED")])),
      /Nothing listens/,
    ],
    ["anything else", http, "a text", /Check the address/],
  ])("%s", (_, settings, error, advice) => {
    expect(adviseOn(settings, error)).toMatch(advice);
  });

  test("the innermost cause is said where the words leave it out", () => {
    expect(reasonOf(failed("fetch failed", coded("ECONNREFUSED")))).toBe(
      "fetch failed (connect ECONNREFUSED)",
    );
    expect(reasonOf(failed("the process exited", new Error("closed")))).toBe("the process exited");
  });

  test("a cause that is its own cause is no endless search", () => {
    const error = failed("round");
    error.cause = error;
    expect(reasonOf(error)).toBe("round");
  });
});
