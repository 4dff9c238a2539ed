/**
 * A picture as what the terminal must be sent to show it, in whichever way it can. Never throws: what cannot be
 * drawn comes back as a reason in words. Nothing is written here.
 */
import { BLOCK_CELL, CELL, type Cells, fitToScreen, type Size } from "./fit.ts";
import { encodeHalfBlocks } from "./half-blocks.ts";
import { encodeIterm2 } from "./iterm2.ts";
import { encodeKitty } from "./kitty.ts";
import type { Protocol, Screen } from "./screen.ts";
import { encodeSixel } from "./sixel.ts";
import { roomInTmux, wrapForTmux } from "./tmux.ts";

export type Drawing =
  /** `text` ends on the picture's last line, without a line end. */
  | { readonly type: "drawn"; readonly text: string; readonly size: Size }
  | { readonly type: "not-drawn"; readonly reason: string };

/** Terminals with a protocol of their own often have two pixels where a cell is thought to have one. */
const DENSITY = 2;

export async function drawPicture(bytes: Buffer, screen: Screen): Promise<Drawing> {
  if (screen.protocol === "none") return { type: "not-drawn", reason: "this is no terminal for pictures" };
  try {
    const { openPicture } = await import("./decode.ts");
    const picture = await openPicture(bytes);
    const cells = fitToScreen(picture, screen, screen.protocol === "blocks" ? BLOCK_CELL : CELL);
    const text = await encode(picture, cells, screen.protocol, screen);
    return { type: "drawn", text, size: { width: picture.width, height: picture.height } };
  } catch (error) {
    return { type: "not-drawn", reason: error instanceof Error ? error.message : String(error) };
  }
}

async function encode(
  picture: import("./decode.ts").OpenedPicture,
  cells: Cells,
  protocol: Exclude<Protocol, "none">,
  { throughTmux, trueColour }: Screen,
): Promise<string> {
  const box = { width: cells.columns * CELL.width, height: cells.rows * CELL.height };
  const dense = { width: box.width * DENSITY, height: box.height * DENSITY };
  switch (protocol) {
    case "kitty": {
      const sequences = encodeKitty(await picture.png(dense), cells, { stay: throughTmux });
      return throughTmux ? roomInTmux(sequences.map(wrapForTmux).join(""), cells) : sequences.join("");
    }
    case "iterm2": {
      const sequence = encodeIterm2(await picture.png(dense), cells);
      return throughTmux ? roomInTmux(wrapForTmux(sequence), cells) : sequence;
    }
    case "sixel":
      // Newer versions of tmux draw sixel themselves: it is not wrapped.
      return encodeSixel(await picture.pixels(box));
    case "blocks": {
      const size = { width: cells.columns, height: cells.rows * 2 };
      return encodeHalfBlocks(await picture.exactPixels(size), { trueColour });
    }
    default:
      return protocol satisfies never;
  }
}
