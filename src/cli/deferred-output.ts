/**
 * Writes a moment later, when what goes on now is done: a line on how the run goes must not hold up the run. What is
 * written stays in order. Before anything is written past it to the same screen, and at the end, `flush` is called.
 */
import type { ScreenStream } from "./pictures/screen.ts";

type WritableScreen = ScreenStream & { write(text: string): unknown };

export interface DeferredOutput extends ScreenStream {
  write(text: string): void;
  flush(): void;
}

export function createDeferredOutput(stream: WritableScreen): DeferredOutput {
  let pending = "";
  let scheduled: NodeJS.Immediate | undefined;
  const flush = () => {
    clearImmediate(scheduled);
    scheduled = undefined;
    const text = pending;
    pending = "";
    if (text !== "") stream.write(text);
  };
  // A process that is told to end in the middle of its work still says what it had to say.
  process.once("exit", flush);
  return {
    ...screenOf(stream),
    write(text) {
      pending += text;
      scheduled ??= setImmediate(flush);
    },
    flush,
  };
}

/** Another stream to what may be the same screen: whatever was said before stands before it. */
export function outputAfter(log: DeferredOutput, stream: WritableScreen): Omit<DeferredOutput, "flush"> {
  return {
    ...screenOf(stream),
    write(text) {
      log.flush();
      stream.write(text);
    },
  };
}

function screenOf({ isTTY, columns, rows }: ScreenStream): ScreenStream {
  return {
    ...(isTTY !== undefined && { isTTY }),
    ...(columns !== undefined && { columns }),
    ...(rows !== undefined && { rows }),
  };
}
