/**
 * Compiled strings: those a language describes, and those whose end is known only where they begin (a Ruby
 * `%w(…)`, a here-document). The latter are made when first met and found again by what they are made of.
 */
import type { StringRule } from "../languages/syntax.ts";
import type { Lexicon } from "./lexicon.ts";

export interface CompiledString {
  readonly close: Uint8Array;
  readonly escape: "backslash" | "backquote" | "double" | "none";
  readonly multiline: boolean;
  /** What begins code, empty when nothing does. */
  readonly interpolate: Uint8Array;
  readonly documents: boolean;
  /** The opening bracket of a literal that counts its own brackets, -1 for others. */
  readonly nests: number;
  /** A here-document ends with a line that is the closing word; `indented`: white space may precede it. */
  readonly heredoc: "no" | "plain" | "indented";
  /** 1 at bytes where the reader must look. */
  readonly stops: Uint8Array;
}

export function compileString(rule: StringRule): CompiledString {
  return build({
    close: Buffer.from(rule.close ?? rule.open),
    escape: rule.escape ?? "backslash",
    multiline: rule.multiline === true,
    interpolate: Buffer.from(rule.interpolate ?? ""),
    documents: rule.documents === true,
    nests: -1,
    heredoc: rule.closesLine ? "plain" : "no",
  });
}

/** A literal between `open` and `close`; `open` is -1 when both are the same sign. */
export function dynamicString(lexicon: Lexicon, close: number, open: number, interpolate: string): number {
  return remember(lexicon, `${close} ${open} ${interpolate}`, () => ({
    close: Buffer.from([close]),
    escape: "backslash",
    multiline: true,
    interpolate: Buffer.from(interpolate),
    documents: false,
    nests: open,
    heredoc: "no",
  }));
}

export function heredocString(
  lexicon: Lexicon,
  label: Uint8Array,
  indented: boolean,
  interpolate: string,
): number {
  return remember(lexicon, `${Buffer.from(label).toString("latin1")}\n${indented} ${interpolate}`, () => ({
    close: label,
    escape: interpolate === "" ? "none" : "backslash",
    multiline: true,
    interpolate: Buffer.from(interpolate),
    documents: false,
    nests: -1,
    heredoc: indented ? "indented" : "plain",
  }));
}

/** Between files, so that the labels of a thousand files do not stay. */
export function forgetDynamicStrings(lexicon: Lexicon): void {
  if (lexicon.dynamic.size < 256) return;
  lexicon.strings.length -= lexicon.dynamic.size;
  lexicon.dynamic.clear();
}

function remember(lexicon: Lexicon, key: string, make: () => Omit<CompiledString, "stops">): number {
  const known = lexicon.dynamic.get(key);
  if (known !== undefined) return known;
  const index = lexicon.strings.push(build(make())) - 1;
  lexicon.dynamic.set(key, index);
  return index;
}

const stopTables = new Map<string, Uint8Array>();

/** Strings that stop at the same bytes share a table. */
function build(rule: Omit<CompiledString, "stops">): CompiledString {
  const key = [rule.heredoc === "no" && rule.close[0], rule.escape, rule.nests, rule.interpolate[0]].join();
  let stops = stopTables.get(key);
  if (!stops) {
    stops = stopTable(rule);
    stopTables.set(key, stops);
  }
  return { ...rule, stops };
}

function stopTable(rule: Omit<CompiledString, "stops">): Uint8Array {
  const stops = new Uint8Array(256);
  for (const byte of [0, 0x0a, 0x0d]) stops[byte] = 1;
  if (rule.heredoc === "no") stops[rule.close[0] as number] = 1;
  if (rule.escape === "backslash") stops[0x5c] = 1;
  if (rule.escape === "backquote") stops[0x60] = 1;
  if (rule.nests >= 0) stops[rule.nests] = 1;
  if (rule.interpolate.length > 0) stops[rule.interpolate[0] as number] = 1;
  return stops;
}
