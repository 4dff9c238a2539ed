/**
 * JSON as people and editors write it: with comments, trailing commas and a byte order mark. Comments are blanked out
 * in place, so that an error still names the right line.
 */
import { ConfigError } from "../config-error.ts";

/** Throws ConfigError with file and line. */
export function parseJsonc(text: string, file: string): unknown {
  const plain = blankComments(text.replace(/^\uFEFF/, " "));
  if (plain.trim() === "") throw new ConfigError("is empty", { file });
  try {
    return JSON.parse(plain);
  } catch (error) {
    throw new ConfigError("is not valid JSON", { file, line: lineOf(error, plain) });
  }
}

// Unrolled, so that a string of many megabytes costs no stack.
const STRING = '"[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*"';
const COMMENTS = new RegExp(`${STRING}|//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)`, "g");
const TRAILING_COMMAS = new RegExp(`${STRING}|,(?=\\s*[}\\]])`, "g");

/** What stands in a string is left alone; everything else outside of JSON becomes spaces. */
function blankComments(text: string): string {
  return text
    .replace(COMMENTS, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, " ")))
    .replace(TRAILING_COMMAS, (token) => (token === "," ? " " : token));
}

/** V8 says the position in words; without one the file ended too soon. */
function lineOf(error: unknown, text: string): number {
  const message = error instanceof Error ? error.message : "";
  const line = /\(line (\d+) column \d+\)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /at position (\d+)/.exec(message)?.[1];
  return text.slice(0, position === undefined ? text.length : Number(position)).split("\n").length;
}
