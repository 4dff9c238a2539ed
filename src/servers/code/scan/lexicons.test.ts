import { expect, test } from "vitest";
import { LANGUAGES, SYNTAXES, syntaxOf } from "../languages/index.ts";
import type { Syntax } from "../languages/syntax.ts";
import { lexiconOf } from "./lexicon.ts";
import { lexiconImage } from "./lexicon-writer.ts";
import { makeLexicons } from "./lexicons.ts";
import { Scanner, scannerModule } from "./scanner.ts";
import { LEXICONS_AT } from "./tables.ts";

const made = makeLexicons(SYNTAXES);
const SOURCE = "if (a && b) { c(); } // d\n# e ? f : g\nx = 'h' /* i */; def j: \"k\"\n";

function count(scanner: Scanner, source: string, syntax: Syntax) {
  const bytes = Buffer.from(source);
  scanner.room(bytes.length).set(bytes);
  return scanner.scan(bytes.length, syntax);
}

test("lexicons made ahead are, byte for byte, those that are made when they are first used", () => {
  const addresses = new Int32Array(made.bytes.slice(0, 4 * SYNTAXES.length).buffer);
  let end = 4 * SYNTAXES.length;
  for (const [i, syntax] of SYNTAXES.entries()) {
    const address = addresses[i] as number;
    expect(address - LEXICONS_AT).toBe(end);
    const image = lexiconImage(lexiconOf(syntax), address);
    end += image.length;
    expect(image.every((byte, at) => byte === made.bytes[address - LEXICONS_AT + at])).toBe(true);
  }
  expect(made.bytes.length).toBe(end);
});

test("every syntax that a file can have is among them", () => {
  for (const [number, { extensions = "", dialects = {} }] of LANGUAGES.entries()) {
    for (const extension of [...extensions.split(" "), ...Object.keys(dialects)])
      expect(SYNTAXES).toContain(syntaxOf(number, `a.${extension}`));
  }
});

test("a scanner that has them counts as one that makes them", () => {
  const ahead = new Scanner(scannerModule(), made);
  const later = new Scanner(scannerModule());
  for (const syntax of SYNTAXES) expect(count(ahead, SOURCE, syntax)).toEqual(count(later, SOURCE, syntax));
});

test("other languages are written behind them, and when they are forgotten these stay", () => {
  const scanner = new Scanner(scannerModule(), made);
  for (let i = 0; i < 100; i += 1) {
    const syntax = { comments: ["//"], words: { decisions: `if${i}` } };
    expect(count(scanner, `if${i} if // if${i}\n`, syntax).decisions).toBe(1);
  }
  const later = new Scanner(scannerModule());
  for (const syntax of SYNTAXES) expect(count(scanner, SOURCE, syntax)).toEqual(count(later, SOURCE, syntax));
});

test("a language whose words leave out bytes that are not ASCII is refused", () => {
  expect(() => makeLexicons([{ comments: ["“"] }])).toThrow("not ASCII");
});

test("more than there is room for is refused when they are made", () => {
  expect(() => makeLexicons([...SYNTAXES, ...SYNTAXES])).toThrow("do not fit");
});
