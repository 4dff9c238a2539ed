/** Clocks of file systems tick slowly: what changed within one tick of our look may have changed after it. */
const COARSE_TICK_MS = 2000;
const FINE_TICK_MS = 50;

/** Whether a file with this time may have changed after it was seen, without a change of its time. */
export function mayHaveChangedSince(time: number, seen: number): boolean {
  return seen - time < (Number.isInteger(time / 1000) ? COARSE_TICK_MS : FINE_TICK_MS);
}
