/**
 * Compiles the strings that a language describes. Those whose end is known only where they begin (a Ruby `%w(…)`,
 * a here-document) are the scanner's own business: wasm/string-rules.ts.
 */
import type { StringRule } from "../languages/syntax.ts";
import { HEREDOC_NO, HEREDOC_PLAIN } from "./tables.ts";

export interface CompiledString {
  readonly open: Uint8Array;
  readonly close: Uint8Array;
  readonly escape: "backslash" | "backquote" | "double" | "none";
  readonly multiline: boolean;
  /** What begins code, empty when nothing does. */
  readonly interpolate: Uint8Array;
  readonly documents: boolean;
  /** A here-document ends with a line that is the closing word: `HEREDOC_…`. */
  readonly heredoc: number;
  /** 1 at bytes where the reader must look. */
  readonly stops: Uint8Array;
}

export function compileString(rule: StringRule): CompiledString {
  const described = {
    open: Buffer.from(rule.open),
    close: Buffer.from(rule.close ?? rule.open),
    escape: rule.escape ?? "backslash",
    multiline: rule.multiline === true,
    interpolate: Buffer.from(rule.interpolate ?? ""),
    documents: rule.documents === true,
    heredoc: rule.closesLine ? HEREDOC_PLAIN : HEREDOC_NO,
  };
  return { ...described, stops: stopTable(described) };
}

function stopTable(rule: Omit<CompiledString, "stops">): Uint8Array {
  const stops = new Uint8Array(256);
  for (const byte of [0, 0x0a, 0x0d]) stops[byte] = 1;
  if (rule.heredoc === HEREDOC_NO) stops[rule.close[0] as number] = 1;
  if (rule.escape === "backslash") stops[0x5c] = 1;
  if (rule.escape === "backquote") stops[0x60] = 1;
  if (rule.interpolate.length > 0) stops[rule.interpolate[0] as number] = 1;
  return stops;
}
