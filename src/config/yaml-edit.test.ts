import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { editYaml, type YamlEdit, type YamlValue } from "./yaml-edit.ts";

const set = (path: string, value: YamlValue): YamlEdit => ({ type: "set", path: path.split("."), value });
const remove = (path: string): YamlEdit => ({ type: "delete", path: path.split(".") });

const FILE = `# 雁の設定 (my settings)
provider:   anthropic   # the good one
model: "m"

extensions:
  # --- mine ---
  developer:
    type: builtin
    enabled: false   # slow on this machine
    # about developer

  # weather needs the VPN
  weather:
    type: stdio
    cmd: npx
    args:
    - -y
    - 'weather server'   # quoted
  # more to come
max_turns: 5
`;

describe("editing leaves every other byte alone", () => {
  test("a value is replaced in its place, its comment stays", () => {
    expect(editYaml(FILE, [set("extensions.developer.enabled", true)])).toBe(
      FILE.replace("enabled: false ", "enabled: true "),
    );
    expect(editYaml(FILE, [set("provider", "openai")])).toBe(FILE.replace("anthropic", "openai"));
    expect(editYaml(FILE, [set("model", "gpt: 5 # x")])).toBe(FILE.replace('"m"', '"gpt: 5 # x"'));
  });

  test("a new extension is added behind the last one, with the file's own indentation and lists", () => {
    const value = { type: "stdio", cmd: "node", args: ["a", "b c"] };
    expect(editYaml(FILE, [set("extensions.新しい", value)])).toBe(
      FILE.replace(
        "  # more to come\n",
        "  新しい:\n    type: stdio\n    cmd: node\n    args:\n    - a\n    - b c\n  # more to come\n",
      ),
    );
  });

  test("a new setting at the top goes to the end", () => {
    expect(editYaml(FILE, [set("approve", "ask")])).toBe(`${FILE}approve: ask\n`);
  });

  test("a new key of an extension goes behind its others", () => {
    expect(editYaml(FILE, [set("extensions.weather.timeout", 60)])).toBe(
      FILE.replace("  # more to come", "    timeout: 60\n  # more to come"),
    );
  });

  test("what is removed takes its own comments with it and no others", () => {
    expect(editYaml(FILE, [remove("extensions.weather")])).toBe(
      FILE.replace(/ {2}# weather needs[\s\S]*quoted\n/, ""),
    );
    expect(editYaml(FILE, [remove("extensions.developer")])).toBe(
      FILE.replace(/ {2}developer:[\s\S]*about developer\n/, ""),
    );
    expect(editYaml(FILE, [remove("model")])).toBe(FILE.replace('model: "m"\n', ""));
  });

  test("the last extension leaves an empty map that can be filled again", () => {
    const text = "extensions: # mine\n  # first\n  a:\n    type: builtin\n";
    const empty = editYaml(text, [remove("extensions.a")]);
    expect(empty).toBe("extensions: {} # mine\n  # first\n");
    expect(editYaml(empty, [set("extensions.b", { type: "builtin" })])).toBe(
      "extensions: # mine\n  b:\n    type: builtin\n  # first\n",
    );
  });

  test("Windows line ends and a byte order mark stay", () => {
    const text = "\uFEFF# c\r\nprovider: a\r\nextensions:\r\n    x:\r\n        type: builtin\r\n";
    expect(editYaml(text, [set("extensions.y", { type: "builtin" }), set("provider", "b")])).toBe(
      `${text.replace("provider: a", "provider: b")}    y:\r\n        type: builtin\r\n`,
    );
  });

  test("a file without a line end at its end gets one before what is added", () => {
    expect(editYaml("provider: a", [set("model", "m")])).toBe("provider: a\nmodel: m\n");
  });
});

describe("any way of writing it", () => {
  test.each([
    ["nothing", ""],
    ["only comments", "# hello\n# there\n"],
    ["an empty map", "extensions: {}\n"],
    ["an empty key", "extensions:\nmodel: m\n"],
    ["an empty key with a comment", "extensions: # none yet\n  # here\nmodel: m\n"],
    ["flow maps", "extensions: {a: {type: builtin}, b: {type: sse, uri: 'http://x'}}\n"],
    ["a flow document", '{"extensions": {"a": {"type": "builtin"}}}\n'],
    ["a document start", "---\nextensions:\n  a: {type: builtin}\n...\n"],
    ["a block text", "extensions:\n  a:\n    type: builtin\n    description: |\n      two\n      lines\n"],
    ["a number as a name", "extensions:\n  123:\n    type: builtin\n"],
    ["quoted names", "extensions:\n  'a b':\n    type: builtin\n"],
    ["tabs behind values", "extensions:\t\n  a:\t\n    type: builtin\t\n"],
    ["no spaces in the list", "extensions:\n  a:\n    type: stdio\n    args: []\n"],
  ])("%s: added, read back, removed, read back", (_, text) => {
    const before = (parse(text) ?? {}) as { extensions?: Record<string, unknown> };
    const value = { type: "stdio", cmd: "x", args: ["1", "yes", "a: b", "#c", "", "多", "two\nlines"] };
    const added = editYaml(text, [set("extensions.ne w", value)]);
    expect(parse(added)).toEqual({ ...before, extensions: { ...before.extensions, "ne w": value } });
    const removed = editYaml(added, [remove("extensions.ne w")]);
    expect(parse(removed)).toEqual({ ...before, extensions: before.extensions ?? {} });
    for (const comment of text.match(/#.*/g) ?? []) expect(removed).toContain(comment);
    for (const name of Object.keys(before.extensions ?? {})) {
      const off = editYaml(text, [set(`extensions.${name}.enabled`, false)]);
      expect(parse(off)).toMatchObject({ extensions: { [name]: { enabled: false } } });
      const gone = parse(editYaml(text, [remove(`extensions.${name}`)])) as typeof before;
      expect(gone.extensions).not.toHaveProperty([name]);
    }
  });

  test("lists are replaced whole, and what is not there is not removed", () => {
    const text = "extensions:\n  a:\n    args:\n      - x # old\n    type: stdio\n";
    expect(editYaml(text, [set("extensions.a.args", ["y"])])).toBe(
      "extensions:\n  a:\n    args:\n      - y\n    type: stdio\n",
    );
    expect(editYaml(text, [remove("extensions.b.args"), remove("model")])).toBe(text);
  });

  test("an alias in the way is an error, and what does not touch it can be edited", () => {
    const text = "extensions:\n  a: &x\n    type: builtin\n  b: *x\n";
    expect(editYaml(text, [set("extensions.c", { type: "builtin" })])).toBe(
      `${text}  c:\n    type: builtin\n`,
    );
    expect(editYaml(text, [remove("extensions.b")])).toBe(text.replace("  b: *x\n", ""));
    expect(() => editYaml(text, [remove("extensions.a")])).toThrow(/extensions\.a is shared by an alias/);
    expect(() => editYaml(text, [set("extensions.b.enabled", false)])).toThrow(/by hand/);
  });

  test("R11: a name such as __proto__ is only a name", () => {
    const added = editYaml("", [set("extensions.__proto__", { type: "builtin" })]);
    expect(({} as { type?: string }).type).toBeUndefined();
    expect(added).toContain("__proto__:");
  });
});
