/** The exact bytes of each protocol, and pictures read back from them. */
import { describe, expect, test } from "vitest";
import { readSixel } from "../../../test/support/read-sixel.ts";
import { encodeHalfBlocks } from "./half-blocks.ts";
import { encodeIterm2 } from "./iterm2.ts";
import { encodeKitty } from "./kitty.ts";
import type { Pixels } from "./pixels.ts";
import { quantise, TRANSPARENT } from "./quantise.ts";
import { encodeSixel } from "./sixel.ts";
import { roomInTmux, wrapForTmux } from "./tmux.ts";

const ESC = "\u001B";
const cells = { columns: 40, rows: 12 };
const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const CLEAR = [9, 9, 9, 0];

function picture(width: number, ...colours: number[][]): Pixels {
  return { width, height: colours.length / width, data: Uint8Array.from(colours.flat()) };
}

/** Every pixel another colour. */
function gradient(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    data.set([(x * 255) / width, (y * 255) / height, (x * y) % 256, 255], at * 4);
  }
  return { width, height, data };
}

describe("kitty", () => {
  test("a small picture is one sequence", () => {
    expect(encodeKitty(Buffer.from("png"), cells)).toEqual([`${ESC}_Ga=T,f=100,q=2,c=40,m=0;cG5n${ESC}\\`]);
  });

  test("a large one is cut into pieces of 4096 characters, and nothing of it is lost", () => {
    const png = Buffer.from(Array.from({ length: 7000 }, (_, index) => index % 251));
    const sequences = encodeKitty(png, cells);
    expect(sequences.map((sequence) => /_G([^;]*);/.exec(sequence)?.[1])).toEqual([
      "a=T,f=100,q=2,c=40,m=1",
      "q=2,m=1",
      "q=2,m=0",
    ]);
    const pieces = sequences.map((sequence) => sequence.slice(sequence.indexOf(";") + 1, -2));
    expect(pieces.map(({ length }) => length)).toEqual([4096, 4096, 1144]);
    expect(Buffer.from(pieces.join(""), "base64")).toEqual(png);
  });

  test("through tmux every sequence is wrapped, its escapes doubled, over lines that were made first", () => {
    const [sequence = ""] = encodeKitty(Buffer.from("png"), cells, { stay: true });
    expect(wrapForTmux(sequence)).toBe(
      `${ESC}Ptmux;${ESC}${ESC}_Ga=T,f=100,q=2,c=40,C=1,m=0;cG5n${ESC}${ESC}\\${ESC}\\`,
    );
    expect(roomInTmux("X", { columns: 1, rows: 3 })).toBe(`\n\n${ESC}[2AX${ESC}[2B`);
    expect(roomInTmux("X", { columns: 1, rows: 1 })).toBe("X");
  });
});

test("iTerm2: the file with its size in bytes and in cells", () => {
  expect(encodeIterm2(Buffer.from("picture"), cells)).toBe(
    `${ESC}]1337;File=inline=1;size=7;width=40;height=12;preserveAspectRatio=1:cGljdHVyZQ==\u0007`,
  );
});

describe("half blocks", () => {
  test("the upper pixel is the ink and the lower one the paper; a colour is said once", () => {
    const pixels = picture(2, RED, RED, BLUE, BLUE);
    expect(encodeHalfBlocks(pixels, { trueColour: true })).toBe(
      `${ESC}[38;2;255;0;0;48;2;0;0;255m▀▀${ESC}[0m`,
    );
  });

  test("where one sees through, the terminal's background stays", () => {
    const pixels = picture(4, RED, CLEAR, CLEAR, RED, CLEAR, CLEAR, BLUE, BLUE);
    expect(encodeHalfBlocks(pixels, { trueColour: true })).toBe(
      `${ESC}[38;2;255;0;0m▀ ${ESC}[38;2;0;0;255m▄${ESC}[38;2;255;0;0;48;2;0;0;255m▀${ESC}[0m`,
    );
  });

  test("an odd row at the end has nothing below it", () => {
    expect(encodeHalfBlocks(picture(1, RED, BLUE, RED), { trueColour: true }).split("\n")).toEqual([
      `${ESC}[38;2;255;0;0;48;2;0;0;255m▀${ESC}[0m`,
      `${ESC}[38;2;255;0;0m▀${ESC}[0m`,
    ]);
  });

  test("256 colours: the cube for colours, the ramp for greys", () => {
    const pixels = picture(1, RED, [118, 118, 118, 255], [95, 135, 175, 255], [255, 255, 255, 255]);
    expect(encodeHalfBlocks(pixels, { trueColour: false }).split("\n")).toEqual([
      `${ESC}[38;5;196;48;5;243m▀${ESC}[0m`,
      `${ESC}[38;5;67;48;5;231m▀${ESC}[0m`,
    ]);
  });
});

describe("sixel", () => {
  test("raster attributes, colours in percent, a pass for each colour, runs as counts", () => {
    const row = [RED, RED, RED, RED, RED, BLUE];
    expect(encodeSixel(picture(6, ...row, ...row))).toBe(
      `${ESC}P0;1;0q"1;1;6;2#0;2;100;0;0#1;2;0;0;100#0!5B$#1!5?B${ESC}\\`,
    );
  });

  test("bands of six rows with a line between them and none after the last", () => {
    const encoded = encodeSixel(picture(1, RED, RED, RED, RED, RED, RED, BLUE, CLEAR));
    expect(encoded).toBe(`${ESC}P0;1;0q"1;1;1;8#0;2;100;0;0#1;2;0;0;100#0~-#1@${ESC}\\`);
  });

  test("a picture of few colours is read back as it was", () => {
    const colours = [RED, BLUE, CLEAR, [255, 255, 255, 255], [0, 0, 0, 255]];
    const pixels = picture(13, ...Array.from({ length: 13 * 17 }, (_, at) => colours[(at * 7) % 5] ?? RED));
    const read = readSixel(encodeSixel(pixels));
    expect({ width: read.width, height: read.height }).toEqual({ width: 13, height: 17 });
    for (let at = 0; at < 13 * 17; at++) {
      const original = [...pixels.data.subarray(at * 4, at * 4 + 4)];
      expect([...read.data.subarray(at * 4, at * 4 + 4)]).toEqual(
        original[3] === 0 ? [0, 0, 0, 0] : original,
      );
    }
  });

  test("a picture of thousands of colours is read back nearly as it was, in 256", () => {
    const pixels = gradient(120, 90);
    const encoded = encodeSixel(pixels);
    expect(new Set(encoded.match(/#\d+;2;/g)).size).toBe(256);
    const read = readSixel(encoded);
    let error = 0;
    pixels.data.forEach((value, index) => {
      error += Math.abs(value - (read.data[index] ?? 0));
    });
    expect(error / pixels.data.length).toBeLessThan(8);
  });
});

describe("the palette", () => {
  test("few colours are kept exactly, in the order of their appearance", () => {
    const { palette, indexes } = quantise(picture(2, BLUE, RED, CLEAR, BLUE), 2);
    expect(palette).toEqual([
      [0, 0, 255],
      [255, 0, 0],
    ]);
    expect([...indexes]).toEqual([0, 1, TRANSPARENT, 0]);
  });

  test("never more colours than asked for, and all pixels have one of them", () => {
    expect(quantise(picture(3, RED, BLUE, [0, 255, 0, 255]), 2).palette).toHaveLength(2);
    const { palette, indexes } = quantise(gradient(64, 64), 16);
    expect(palette).toHaveLength(16);
    expect(Math.max(...indexes)).toBeLessThan(16);
  });

  test("a picture that one sees through everywhere has no colours", () => {
    expect(quantise(picture(1, CLEAR, CLEAR), 16).palette).toEqual([]);
    expect(encodeSixel(picture(1, CLEAR))).toBe(`${ESC}P0;1;0q"1;1;1;1${ESC}\\`);
  });
});
