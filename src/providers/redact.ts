/** Keeps keys out of every message: the ones we know by value, and whatever looks like one. */
/** A known prefix and at least one digit: `key-value-separator` is no key. */
const LOOKS_LIKE_A_KEY =
  /\b(?:sk|pk|rk|xai|gsk|csk|hf|key)[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{12,}|\bAIza[A-Za-z0-9_-]{20,}|\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, "[redacted]");
  return clean.replace(LOOKS_LIKE_A_KEY, (_match, scheme?: string) =>
    scheme ? `${scheme} [redacted]` : "[redacted]",
  );
}
