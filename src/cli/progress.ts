/** Says on stderr what is being waited for, once a second has passed: silence looks like a hang. */
import { terminalText } from "../lib/terminal-text.ts";

export interface Progress {
  start(name: string): void;
  end(name: string): void;
  /** No more lines; the timer is gone. */
  close(): void;
}

/** Seconds after which a line is printed; later every ten. */
const MOMENTS = new Set([1, 3, 5]);

export function createProgress(log: { write(text: string): void }): Progress {
  const waiting = new Map<string, number>();
  const timer = setInterval(() => {
    for (const [name, seconds] of waiting) {
      waiting.set(name, seconds + 1);
      const now = seconds + 1;
      if (MOMENTS.has(now) || now % 10 === 0) log.write(`… ${terminalText(name)}: starting, ${now} s\n`);
    }
  }, 1000);
  timer.unref();
  return {
    start: (name) => void waiting.set(name, 0),
    end: (name) => void waiting.delete(name),
    close: () => clearInterval(timer),
  };
}
