/** How many cells of the terminal a picture takes: its shape kept, never enlarged, never more than two thirds of a screen. */
import type { Screen } from "./screen.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Cells {
  readonly columns: number;
  readonly rows: number;
}

/** What a cell is taken for where nobody says: twice as high as wide, as nearly every font has it. */
export const CELL: Size = { width: 8, height: 16 };
/** A cell of half blocks holds two pixels and no more: they are not thrown away before the screen is full. */
export const BLOCK_CELL: Size = { width: 1, height: 2 };
const MIN_ROWS = 8;
const MAX_COLUMNS = 120;

export function fitToScreen(
  { width, height }: Size,
  { columns, rows }: Pick<Screen, "columns" | "rows">,
  cell: Size,
): Cells {
  const maxColumns = Math.max(1, Math.min(columns - 1, MAX_COLUMNS));
  const maxRows = Math.max(MIN_ROWS, Math.floor((rows * 2) / 3));
  const scale = Math.min(1, (maxColumns * cell.width) / width, (maxRows * cell.height) / height);
  return {
    columns: atLeastOne((width * scale) / cell.width),
    rows: atLeastOne((height * scale) / cell.height),
  };
}

/** Rounding up must not turn 40.0000001 into 41. */
function atLeastOne(cells: number): number {
  return Math.max(1, Math.ceil(cells - 1e-6));
}
