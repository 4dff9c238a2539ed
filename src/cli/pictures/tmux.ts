/** Sequences for the terminal around tmux. tmux lets them through where `allow-passthrough` is on. */
import type { Cells } from "./fit.ts";

export function wrapForTmux(sequence: string): string {
  return `\u001BPtmux;${sequence.replaceAll("\u001B", "\u001B\u001B")}\u001B\\`;
}

/** tmux does not know how high the picture is: the lines are made first, and the picture is put over them. */
export function roomInTmux(sequences: string, { rows }: Cells): string {
  if (rows < 2) return sequences;
  const down = rows - 1;
  return `${"\n".repeat(down)}\u001B[${down}A${sequences}\u001B[${down}B`;
}
