/** Reads bytes of an open file. Synchronous: the pieces are small and come from the disk cache more often than not. */
import { readSync } from "node:fs";

/** Fewer bytes than asked come back only at the end of the file. */
export function readBytes(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

/** A first part to judge the encoding by, ending where a line ends, so that no character is halved. */
export function readSample(fd: number, size: number): Buffer {
  const sample = readBytes(fd, 0, Math.min(size, SAMPLE_BYTES));
  if (sample.length >= size) return sample;
  const newline = sample.lastIndexOf(0x0a);
  // In UTF-16 the newline's other half follows or precedes: an even length keeps both.
  if (newline > 0) return sample.subarray(0, (newline + 2) & ~1);
  return sample;
}

const SAMPLE_BYTES = 256 * 1024;
