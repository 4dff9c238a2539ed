/**
 * Seals what a server wants back from its client in the next round of a request. The client carries it and may
 * do anything to it, so it is encrypted and authenticated (AES-256-GCM) with a key that lives as long as this
 * process, runs out, and opens only for the same method, name, arguments and caller it was made for.
 */

/** The request a state belongs to. */
export interface StateBinding {
  readonly method: string;
  readonly name: string;
  readonly args: unknown;
  /** Who asks: the authorization of the request, where there is one. */
  readonly caller: string;
}

const TTL_MS = 30 * 60_000;
const MAX_SEALED_LENGTH = 64 * 1024;
const VERSION = "k1.";
const IV_BYTES = 12;
const TAG_BYTES = 16;

let key: Buffer | undefined;

export function sealState(value: unknown, binding: StateBinding): string {
  const iv = crypto().randomBytes(IV_BYTES);
  const cipher = crypto().createCipheriv("aes-256-gcm", processKey(), iv).setAAD(digest(binding));
  const plain = JSON.stringify({ expires: Date.now() + TTL_MS, value });
  const body = Buffer.concat([iv, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
  const sealed = VERSION + body.toString("base64url");
  if (sealed.length > MAX_SEALED_LENGTH) {
    throw new Error(
      `The state of ${binding.name} is too large: ${sealed.length} of ${MAX_SEALED_LENGTH} characters`,
    );
  }
  return sealed;
}

/** Throws for anything but an unchanged, unexpired state of the same request; the message names no detail. */
export function openState(sealed: string, binding: StateBinding): unknown {
  const fits = sealed.length <= MAX_SEALED_LENGTH && sealed.startsWith(VERSION);
  const body = fits ? Buffer.from(sealed.slice(VERSION.length), "base64url") : Buffer.alloc(0);
  if (body.length <= IV_BYTES + TAG_BYTES) throw invalid();
  try {
    const decipher = crypto()
      .createDecipheriv("aes-256-gcm", processKey(), body.subarray(0, IV_BYTES))
      .setAAD(digest(binding))
      .setAuthTag(body.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(body.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    const { expires, value } = JSON.parse(plain.toString("utf8")) as { expires: number; value: unknown };
    if (expires >= Date.now()) return value;
  } catch {
    throw invalid();
  }
  throw invalid();
}

/** Loaded when first needed: most calls ask for nothing, and crypto costs every start several milliseconds. */
function crypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto");
}

function processKey(): Buffer {
  key ??= crypto().randomBytes(32);
  return key;
}

function invalid(): Error {
  return new Error("Invalid or expired requestState: make the request again without it");
}

function digest(binding: StateBinding): Buffer {
  const { method, name, args, caller } = binding;
  return crypto()
    .createHash("sha256")
    .update(canonicalJson([method, name, args, caller]))
    .digest();
}

/** The same text for the same value: a client may write the keys of its retry in another order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
