/** A decoded picture: four bytes a pixel (red, green, blue, alpha), row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export type Rgb = readonly [red: number, green: number, blue: number];

const HALF_OPAQUE = 128;

/** Undefined where one sees through it: the terminal's own background stays. */
export function colourAt({ width, height, data }: Pixels, x: number, y: number): Rgb | undefined {
  if (x >= width || y >= height) return undefined;
  const at = (y * width + x) * 4;
  if ((data[at + 3] ?? 0) < HALF_OPAQUE) return undefined;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}
