/** The first and the last bytes of something too long to keep, gathered while it passes: enough to tell whose it was. */
const END_BYTES = 4096;

export function headOf(parts: readonly Uint8Array[]): string {
  const head: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    head.push(part.subarray(0, END_BYTES - length));
    length += part.length;
    if (length >= END_BYTES) break;
  }
  return Buffer.concat(head).toString("utf8");
}

/** What the last bytes are when `part` has followed those of before. */
export function lastOf(before: Buffer, part: Uint8Array): Buffer {
  if (part.length >= END_BYTES) return Buffer.from(part.subarray(part.length - END_BYTES));
  return Buffer.concat([before, part]).subarray(-END_BYTES);
}
