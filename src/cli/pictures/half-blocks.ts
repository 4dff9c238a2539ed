/**
 * A picture as text: each cell shows two pixels, the upper one as the colour of ▀ and the lower one as its
 * background. Works wherever there are colours. Where one sees through, the terminal's own background stays.
 */
import { colourAt, type Pixels, type Rgb } from "./pixels.ts";

export interface BlockOptions {
  readonly trueColour: boolean;
}

/** One line for each two rows of pixels; every line ends with its colours reset. */
export function encodeHalfBlocks(pixels: Pixels, { trueColour }: BlockOptions): string {
  const code = trueColour ? trueColourCode : cubeCode;
  const lines: string[] = [];
  for (let y = 0; y < pixels.height; y += 2) lines.push(encodeLine(pixels, y, code));
  return lines.join("\n");
}

function encodeLine(pixels: Pixels, y: number, code: (colour: Rgb) => string): string {
  let line = "";
  let [foreground, background] = ["39", "49"];
  for (let x = 0; x < pixels.width; x++) {
    const top = colourAt(pixels, x, y);
    const bottom = colourAt(pixels, x, y + 1);
    const [ink, paper] = top ? [top, bottom] : [bottom, undefined];
    const wantedInk = ink ? `38;${code(ink)}` : foreground;
    const wantedPaper = paper ? `48;${code(paper)}` : "49";
    const changes = [
      ...(wantedInk === foreground ? [] : [wantedInk]),
      ...(wantedPaper === background ? [] : [wantedPaper]),
    ];
    if (changes.length > 0) line += `\u001B[${changes.join(";")}m`;
    [foreground, background] = [wantedInk, wantedPaper];
    line += top ? "▀" : bottom ? "▄" : " ";
  }
  return `${line}\u001B[0m`;
}

function trueColourCode([red, green, blue]: Rgb): string {
  return `2;${red};${green};${blue}`;
}

/** The 6 × 6 × 6 cube and the 24 greys of 256-colour terminals; whichever is nearer. */
const STEPS = [0, 95, 135, 175, 215, 255];

function cubeCode(colour: Rgb): string {
  const [red, green, blue] = colour.map(nearestStep) as [number, number, number];
  const cube: Rgb = [STEPS[red] ?? 0, STEPS[green] ?? 0, STEPS[blue] ?? 0];
  const level = (colour[0] + colour[1] + colour[2]) / 3;
  const grey = Math.min(23, Math.max(0, Math.round((level - 8) / 10)));
  const value = 8 + grey * 10;
  return distance(colour, [value, value, value]) < distance(colour, cube)
    ? `5;${232 + grey}`
    : `5;${16 + 36 * red + 6 * green + blue}`;
}

function nearestStep(value: number): number {
  let best = 0;
  STEPS.forEach((step, index) => {
    if (Math.abs(step - value) < Math.abs((STEPS[best] ?? 0) - value)) best = index;
  });
  return best;
}

function distance(a: Rgb, b: Rgb): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}
