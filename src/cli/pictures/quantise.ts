/**
 * A palette for a picture: its own colours when they are few, else by median cut over a histogram of 32 levels a
 * channel. Deterministic. What one sees through has no colour.
 */
import { colourAt, type Pixels, type Rgb } from "./pixels.ts";

export interface Indexed {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly Rgb[];
  /** One a pixel; TRANSPARENT where there is none. */
  readonly indexes: Uint16Array;
}

export const TRANSPARENT = 0xffff;

export function quantise(pixels: Pixels, maxColours: number): Indexed {
  return exact(pixels, maxColours) ?? medianCut(pixels, maxColours);
}

function exact(pixels: Pixels, maxColours: number): Indexed | undefined {
  const known = new Map<number, number>();
  const indexes = new Uint16Array(pixels.width * pixels.height);
  for (let at = 0; at < indexes.length; at++) {
    const colour = colourOf(pixels, at);
    if (!colour) {
      indexes[at] = TRANSPARENT;
      continue;
    }
    const key = (colour[0] << 16) | (colour[1] << 8) | colour[2];
    let index = known.get(key);
    if (index === undefined) {
      if (known.size >= maxColours) return undefined;
      index = known.size;
      known.set(key, index);
    }
    indexes[at] = index;
  }
  const palette = [...known.keys()].map((key): Rgb => [key >> 16, (key >> 8) & 0xff, key & 0xff]);
  return { width: pixels.width, height: pixels.height, palette, indexes };
}

/** A colour of the histogram: how many pixels, and their sums, so that averages are exact. */
interface Bin {
  readonly key: number;
  count: number;
  readonly sums: [number, number, number];
}

function medianCut(pixels: Pixels, maxColours: number): Indexed {
  const bins = new Map<number, Bin>();
  const size = pixels.width * pixels.height;
  for (let at = 0; at < size; at++) {
    const colour = colourOf(pixels, at);
    if (!colour) continue;
    const key = binKey(colour);
    const bin: Bin = bins.get(key) ?? { key, count: 0, sums: [0, 0, 0] };
    if (bin.count === 0) bins.set(key, bin);
    bin.count += 1;
    bin.sums[0] += colour[0];
    bin.sums[1] += colour[1];
    bin.sums[2] += colour[2];
  }
  const boxes = split([...bins.values()], maxColours);
  const owner = new Map(boxes.flatMap((box, index) => box.map(({ key }) => [key, index] as const)));
  const indexes = new Uint16Array(size);
  for (let at = 0; at < size; at++) {
    const colour = colourOf(pixels, at);
    indexes[at] = colour ? (owner.get(binKey(colour)) ?? 0) : TRANSPARENT;
  }
  return { width: pixels.width, height: pixels.height, palette: boxes.map(average), indexes };
}

/** Splits the box that has most to lose, at its middle pixel along its longest side, until there are enough. */
function split(bins: Bin[], wanted: number): Bin[][] {
  const boxes = [measure(bins)];
  while (boxes.length < wanted) {
    let worst = 0;
    boxes.forEach((box, index) => {
      if (box.loss > (boxes[worst]?.loss ?? 0)) worst = index;
    });
    const box = boxes[worst];
    if (!box || box.loss === 0) break;
    const sorted = box.bins.sort((a, b) => channel(a, box.side) - channel(b, box.side) || a.key - b.key);
    let seen = 0;
    const middle = sorted.findIndex(({ count }) => {
      seen += count;
      return seen * 2 >= box.count;
    });
    const cut = Math.min(Math.max(1, middle + 1), sorted.length - 1);
    boxes.splice(worst, 1, measure(sorted.slice(0, cut)), measure(sorted.slice(cut)));
  }
  return boxes.map((box) => box.bins);
}

interface Box {
  readonly bins: Bin[];
  readonly count: number;
  readonly side: 0 | 1 | 2;
  /** Nothing for a box of one colour. */
  readonly loss: number;
}

function measure(bins: Bin[]): Box {
  const spans = ([0, 1, 2] as const).map((side) => {
    let [low, high] = [255, 0];
    for (const bin of bins) {
      const value = channel(bin, side);
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high - low;
  });
  const longest = Math.max(...spans);
  const side = spans.indexOf(longest) as 0 | 1 | 2;
  const count = bins.reduce((sum, bin) => sum + bin.count, 0);
  return { bins, count, side, loss: bins.length < 2 ? 0 : longest * Math.sqrt(count) };
}

function channel({ sums, count }: Bin, side: 0 | 1 | 2): number {
  return sums[side] / count;
}

function average(bins: readonly Bin[]): Rgb {
  const count = bins.reduce((sum, bin) => sum + bin.count, 0);
  const mean = (side: 0 | 1 | 2) => Math.round(bins.reduce((sum, bin) => sum + bin.sums[side], 0) / count);
  return [mean(0), mean(1), mean(2)];
}

function binKey([red, green, blue]: Rgb): number {
  return ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
}

function colourOf(pixels: Pixels, at: number): Rgb | undefined {
  return colourAt(pixels, at % pixels.width, Math.floor(at / pixels.width));
}
