/**
 * Estimates tokens without a tokenizer: four bytes of ASCII to one, one for each character of scripts that are
 * dense (kana, kanji, hangul, emoji), two bytes to one in between. Errs on the side of too many.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let middle = 0;
  let dense = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) ascii += 1;
    else if (code < 0x2e80) middle += 1;
    else dense += 1;
  }
  return Math.ceil(ascii / 4 + middle / 2 + dense);
}

/** The estimate for a size in bytes when the text itself is not there. */
export function estimateTokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / 4);
}
