/** Reads sixel as a terminal does, so that a test can compare what was meant with what would be seen. */
import type { Pixels } from "../../src/cli/pictures/pixels.ts";

export function readSixel(sequence: string): Pixels {
  const [, body = ""] = /^\u001BP[\d;]*q([\s\S]*)\u001B\\$/.exec(sequence) ?? [];
  const [header = "", w = "0", h = "0"] = /^"1;1;(\d+);(\d+)/.exec(body) ?? [];
  const [width, height] = [Number(w), Number(h)];
  const data = new Uint8Array(width * height * 4);
  const registers = new Map<number, number[]>();
  let colour = 0;
  let x = 0;
  let top = 0;
  const tokens = body
    .slice(header.length)
    .matchAll(/#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)([?-~])|([?-~])|([$-])/g);
  for (const [, register, red, green, blue, count, counted, single, move] of tokens) {
    if (register !== undefined) {
      colour = Number(register);
      if (red !== undefined)
        registers.set(
          colour,
          [red, green, blue].map((part) => Math.round((Number(part) * 255) / 100)),
        );
    } else if (move !== undefined) {
      x = 0;
      if (move === "-") top += 6;
    } else {
      const bits = (counted ?? single ?? "?").charCodeAt(0) - 63;
      for (let repeat = Number(count ?? 1); repeat > 0; repeat--, x++) {
        for (let row = 0; row < 6; row++) {
          if (!(bits & (1 << row))) continue;
          if (x >= width || top + row >= height) throw new Error(`a pixel outside: ${x}, ${top + row}`);
          data.set([...(registers.get(colour) ?? []), 255], ((top + row) * width + x) * 4);
        }
      }
    }
  }
  return { width, height, data };
}
