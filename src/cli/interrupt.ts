/** Ctrl-C, or being told to end, as an AbortSignal: a command stops what it does and closes what it opened. */
export function interruptSignal(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => interrupt.abort());
  return interrupt.signal;
}

export const EXIT_INTERRUPTED = 130;
