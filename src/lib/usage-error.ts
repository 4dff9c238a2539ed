/** The person asked for something that cannot be: exit code 2, one clear message, no stack. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
