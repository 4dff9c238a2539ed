import { describe, expect, test } from "vitest";
import { toWireCallId } from "./call-id.ts";
import { createPropertyNames } from "./property-name.ts";
import { createToolNames } from "./tool-name.ts";

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;

describe("tool names", () => {
  const names = [
    "developer__shell",
    "wakashu/getRanking",
    "a".repeat(90),
    "道具",
    "",
    "a b",
    "a_b",
    "x__y.z",
    "🦢",
  ];

  test("R22: every name fits the wire, none collides, and each comes back", () => {
    const table = createToolNames(names);
    const wired = names.map((name) => table.toWire(name));
    for (const name of wired) expect(name).toMatch(LEGAL);
    expect(new Set(wired).size).toBe(names.length);
    expect(wired.map((name) => table.fromWire(name))).toEqual(names);
  });

  test("a legal name stays as it is", () => {
    expect(createToolNames(names).toWire("developer__shell")).toBe("developer__shell");
  });

  test("a name has the same form whatever else is offered, so that the prefix stays the same", () => {
    const alone = createToolNames(["wakashu/getRanking"]).toWire("wakashu/getRanking");
    expect(createToolNames([...names].reverse()).toWire("wakashu/getRanking")).toBe(alone);
    expect(createToolNames([]).toWire("wakashu/getRanking")).toBe(alone);
  });

  test("names that differ only beyond what is kept stay apart", () => {
    const pair = [`${"a".repeat(80)}1`, `${"a".repeat(80)}2`, "a/b", "a.b", "a b"];
    const table = createToolNames(pair);
    expect(new Set(pair.map((name) => table.toWire(name))).size).toBe(pair.length);
  });

  test("a legal name that looks like the encoding of another keeps its form; the other gives way", () => {
    const encoded = createToolNames(["a/b"]).toWire("a/b");
    const table = createToolNames(["a/b", encoded]);
    expect(table.toWire(encoded)).toBe(encoded);
    expect(table.toWire("a/b")).not.toBe(encoded);
    expect(table.fromWire(table.toWire("a/b"))).toBe("a/b");
  });

  test("L1: a name that the model made up comes back as it is", () => {
    expect(createToolNames(names).fromWire("developer__shel")).toBe("developer__shel");
  });
});

describe("ids of calls", () => {
  test("a legal id stays; another model's odd id becomes a legal one, always the same", () => {
    expect(toWireCallId("toolu_01AbC", "any")).toBe("toolu_01AbC");
    const odd = "functions.find:0|fc_1/雁";
    expect(toWireCallId(odd, "any")).toMatch(LEGAL);
    expect(toWireCallId(odd, "any")).toBe(toWireCallId(odd, "any"));
    expect(toWireCallId("x".repeat(500), "any")).toMatch(LEGAL);
  });

  test("Mistral gets nine letters or digits", () => {
    expect(toWireCallId("D681PevKs", "nine")).toBe("D681PevKs");
    expect(toWireCallId("call_1", "nine")).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(toWireCallId("call_1", "nine")).not.toBe(toWireCallId("call_2", "nine"));
  });
});

describe("names of parameters", () => {
  test("are replaced on the way out and restored on the way back, at any depth", () => {
    const names = createPropertyNames();
    const value = { 都市名: "奈良", list: [{ 値: 1 }], plain: { ok: true } };
    const wired = names.renameToWire(value);
    expect(JSON.stringify(wired)).toMatch(/^[\x20-\x7e]*奈良[\x20-\x7e]*$/);
    expect(names.renameFromWire(wired)).toEqual(value);
  });

  test("R11: `__proto__` is a name like any other", () => {
    const names = createPropertyNames();
    const value = JSON.parse('{"__proto__":{"polluted":true},"名":1}');
    const wired = names.renameToWire(value);
    expect(JSON.stringify(names.renameFromWire(wired))).toBe(JSON.stringify(value));
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
