/** Twelve letters and digits that stand for a text: two FNV-1a runs from different seeds. Not for secrets. */
export function stableHash(text: string): string {
  return run(text, 0x811c9dc5) + run(text, 0x9747b28c);
}

function run(text: string, seed: number): string {
  let value = seed;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, "0").slice(-6);
}
