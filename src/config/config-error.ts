import { UsageError } from "../lib/usage-error.ts";

/** The one error class of this room: a setting that cannot be used, with the place where it stands. */
export class ConfigError extends UsageError {
  override readonly name = "ConfigError";
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly key: string | undefined;
  /** The message without its place. */
  readonly reason: string;
  constructor(
    message: string,
    place: { readonly file?: string; readonly line?: number | undefined; readonly key?: string } = {},
  ) {
    const where = [place.file, place.line].filter((part) => part !== undefined).join(":");
    const key = place.key ? `${place.key}: ` : "";
    super(where ? `${where}: ${key}${message}` : `${key}${message}`);
    this.file = place.file;
    this.line = place.line;
    this.key = place.key;
    this.reason = message;
  }
}
