/**
 * Program output as plain text for a model: decoded, without terminal escapes and control characters.
 * Progress that a terminal would have overwritten is folded, and the fold is said.
 */
import { isUtf8 } from "node:buffer";
import { decodeText } from "../../../lib/text-encoding.ts";

const CSI = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
const STRINGS =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
const SHORT_ESCAPES = /\u001b[ -/]*[0-~]?/g;
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** More rewrites of one line than this are progress, not text. */
const MAX_REWRITES = 3;

export function toPlainText(bytes: Buffer): string {
  return cleanText(decodeOutput(bytes));
}

export function cleanText(text: string): string {
  // Most output has nothing to clean; looking is much cheaper than replacing.
  if (!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return text;
  return foldRewrites(
    text
      .replaceAll("\r\n", "\n")
      .replace(STRINGS, "")
      .replace(CSI, "")
      .replace(SHORT_ESCAPES, "")
      .replace(CONTROLS, ""),
  );
}

function decodeOutput(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  // NULs in output are separators far more often than they are halves of UTF-16, unless it says so.
  const letters = isMarked ? bytes : bytes.filter((byte) => byte !== 0);
  return decodeText(letters)?.text ?? Buffer.from(letters).toString("utf8");
}

function foldRewrites(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => {
      const states = line.split("\r").filter((state) => state !== "");
      if (states.length <= MAX_REWRITES) return states.join("\n");
      const note = `[${states.length - 2} rewrites of this line are not shown]`;
      return [states[0], note, states.at(-1)].join("\n");
    })
    .join("\n");
}
