/**
 * How a server tells its host that a text is not the whole, and where the whole is: a sentence in the block's
 * `_meta`. A host that shortens the text once more can then say the way to the real rest, instead of keeping what
 * is cut already as if it were all. Others see nothing of it.
 */
const KEY = "kari/cut";
const MAX_SENTENCE = 500;

/** `whereTheRestIs` is a sentence for the model that stays true however much of the text is shown. */
export function markCut(whereTheRestIs: string): { readonly [KEY]: string } {
  return { [KEY]: whereTheRestIs };
}

export function readCutMark(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const sentence = meta?.[KEY];
  return typeof sentence === "string" && sentence !== "" ? sentence.slice(0, MAX_SENTENCE) : undefined;
}
