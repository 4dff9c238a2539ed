/**
 * Passes an event stream on line by line. The parser behind it joins and searches every chunk of an unfinished line
 * anew, which takes minutes for a line of 64 MB; whole lines take it milliseconds. A line over the limit is replaced,
 * so that one answer too long costs one call and not the stream.
 */
import { headOf, lastOf } from "../../lib/message-ends.ts";
import type { MessageEnds } from "../message-guard.ts";

export interface EventLineOptions {
  readonly maxLineBytes: number;
  /** What the reader gets in place of a line too long. */
  replace(ends: MessageEnds, bytes: number): string;
}

const NEWLINE = 0x0a;

export function wholeLines(options: EventLineOptions): TransformStream<Uint8Array, Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let dropped: { readonly head: string; tail: Buffer; bytes: number } | undefined;

  const keep = (part: Uint8Array) => {
    if (dropped) {
      dropped.bytes += part.length;
      dropped.tail = lastOf(dropped.tail, part);
      return;
    }
    parts.push(part);
    length += part.length;
    if (length <= options.maxLineBytes) return;
    dropped = { head: headOf(parts), tail: lastOf(Buffer.alloc(0), part), bytes: length };
    parts = [];
    length = 0;
  };
  const take = (): Uint8Array => {
    const whole = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts, length);
    parts = [];
    length = 0;
    return whole;
  };

  return new TransformStream({
    transform(chunk, controller) {
      const last = chunk.lastIndexOf(NEWLINE);
      if (last < 0) return keep(chunk);
      let start = 0;
      if (dropped) {
        // The rest of the line that is being dropped; what follows it is kept.
        start = chunk.indexOf(NEWLINE) + 1;
        keep(chunk.subarray(0, start - 1));
        const { head, tail, bytes } = dropped;
        dropped = undefined;
        controller.enqueue(Buffer.from(`${options.replace({ head, tail: tail.toString("utf8") }, bytes)}\n`));
      }
      if (start <= last) {
        parts.push(chunk.subarray(start, last + 1));
        length += last + 1 - start;
        controller.enqueue(take());
      }
      if (last + 1 < chunk.length) keep(chunk.subarray(last + 1));
    },
    flush(controller) {
      if (length > 0) controller.enqueue(take());
    },
  });
}
