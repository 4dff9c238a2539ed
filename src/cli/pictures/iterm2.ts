/** Inline pictures as iTerm2 invented them (OSC 1337): the whole file in base64, its size in cells. */
import type { Cells } from "./fit.ts";

export function encodeIterm2(file: Buffer, { columns, rows }: Cells): string {
  const facts = [
    "inline=1",
    `size=${file.length}`,
    `width=${columns}`,
    `height=${rows}`,
    "preserveAspectRatio=1",
  ];
  return `\u001B]1337;File=${facts.join(";")}:${file.toString("base64")}\u0007`;
}
