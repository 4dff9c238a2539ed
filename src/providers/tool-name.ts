/**
 * Tool names as every provider accepts them, `^[a-zA-Z0-9_-]{1,64}$`, and the way back by table.
 * A legal name stays as it is; any other becomes a readable stem with a hash of the whole name, so that the
 * same name has the same wire form in every turn. Names are never split or guessed.
 */
import { stableHash } from "./stable-hash.ts";

export interface ToolNames {
  toWire(name: string): string;
  /** A name that the model made up comes back as it is: whoever dispatches says that there is no such tool. */
  fromWire(wireName: string): string;
}

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_STEM = 51;

export function createToolNames(names: Iterable<string>): ToolNames {
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  const add = (name: string, wireName: string) => {
    toWire.set(name, wireName);
    fromWire.set(wireName, name);
    return wireName;
  };
  // Legal names come first, so that none of them loses its form to the encoding of another.
  const encode = (name: string) => {
    for (let salt = 0; ; salt++) {
      const wireName = encodeName(name, salt);
      if (!fromWire.has(wireName)) return add(name, wireName);
    }
  };

  const all = [...new Set(names)];
  for (const name of all) if (LEGAL.test(name)) add(name, name);
  for (const name of all) if (!LEGAL.test(name)) encode(name);
  return {
    toWire: (name) =>
      toWire.get(name) ?? (LEGAL.test(name) && !fromWire.has(name) ? add(name, name) : encode(name)),
    fromWire: (wireName) => fromWire.get(wireName) ?? wireName,
  };
}

function encodeName(name: string, salt: number): string {
  const stem = name.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, MAX_STEM);
  return `${stem}_${stableHash(salt === 0 ? name : `${salt}:${name}`)}`;
}
