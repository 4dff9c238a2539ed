/** Reads bytes of an open file. Synchronous: the pieces are small and come from the disk cache more often than not. */
import { isUtf8 } from "node:buffer";
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
  // In UTF-16 a newline has two halves: an even length keeps both.
  if (sample.includes(0) || (sample[0] ?? 0) >= 0xfe) return sample.subarray(0, sample.length & ~1);
  const newline = sample.lastIndexOf(0x0a);
  if (newline > 0) return sample.subarray(0, newline + 1);
  const whole = [0, 1, 2, 3].find((cut) => isUtf8(sample.subarray(0, sample.length - cut)));
  return sample.subarray(0, sample.length - (whole ?? 0));
}

const SAMPLE_BYTES = 256 * 1024;
