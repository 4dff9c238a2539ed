/**
 * The kitty graphics protocol: a PNG in base64, in pieces of 4096 characters, each an APC sequence. `q=2` keeps the
 * terminal from answering into the person's input. Only the columns are given: the terminal knows its cells.
 */
import type { Cells } from "./fit.ts";

const PIECE = 4096;

export function encodeKitty(png: Buffer, { columns }: Cells, options: { stay?: boolean } = {}): string[] {
  const data = png.toString("base64");
  const pieces = data.match(new RegExp(`.{1,${PIECE}}`, "g")) ?? [""];
  return pieces.map((piece, index) => {
    const more = index < pieces.length - 1 ? 1 : 0;
    const keys =
      index === 0 ? `a=T,f=100,q=2,c=${columns}${options.stay ? ",C=1" : ""},m=${more}` : `q=2,m=${more}`;
    return `\u001B_G${keys};${piece}\u001B\\`;
  });
}
