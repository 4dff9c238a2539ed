/**
 * Sixel, the picture format of DEC's terminals: bands of six rows, a pass over each band for each colour in it.
 * Runs are written as counts. What one sees through is not drawn (the second parameter is 1).
 */
import type { Pixels, Rgb } from "./pixels.ts";
import { quantise, TRANSPARENT } from "./quantise.ts";

const MAX_COLOURS = 256;
const BAND = 6;

export function encodeSixel(pixels: Pixels): string {
  const { width, height, palette, indexes } = quantise(pixels, MAX_COLOURS);
  const registers = palette.map((colour, index) => `#${index};2;${percentages(colour)}`).join("");
  const bands: string[] = [];
  for (let top = 0; top < height; top += BAND) {
    bands.push(encodeBand(indexes, width, top, Math.min(BAND, height - top)));
  }
  // No line feed after the last band: the cursor stays in the picture's last row.
  return `\u001BP0;1;0q"1;1;${width};${height}${registers}${bands.join("-")}\u001B\\`;
}

function encodeBand(indexes: Uint16Array, width: number, top: number, rows: number): string {
  const columns = new Map<number, Uint8Array>();
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < width; x++) {
      const colour = indexes[(top + row) * width + x] ?? TRANSPARENT;
      if (colour === TRANSPARENT) continue;
      const bits = columns.get(colour) ?? new Uint8Array(width);
      if (!columns.has(colour)) columns.set(colour, bits);
      bits[x] = (bits[x] ?? 0) | (1 << row);
    }
  }
  return [...columns].map(([colour, bits]) => `#${colour}${runs(bits)}`).join("$");
}

const EMPTY = 63;
/** `!4?` is as long as `????`. */
const SHORTEST_COUNT = 4;

function runs(bits: Uint8Array): string {
  let end = bits.length;
  while (end > 0 && bits[end - 1] === 0) end--;
  let text = "";
  for (let start = 0; start < end; ) {
    let stop = start + 1;
    while (stop < end && bits[stop] === bits[start]) stop++;
    const character = String.fromCharCode(EMPTY + (bits[start] ?? 0));
    const length = stop - start;
    text += length >= SHORTEST_COUNT ? `!${length}${character}` : character.repeat(length);
    start = stop;
  }
  return text;
}

function percentages(colour: Rgb): string {
  return colour.map((value) => Math.round((value * 100) / 255)).join(";");
}
