/**
 * A light stemmer for English: enough that "calculates", "calculating", "calculation" and "calculator" meet.
 * Two words that meet need not be spelled right; the stem is a key, never shown. Anything that is not plain
 * a-z comes back unchanged, so other languages pass through untouched.
 */
const PLAIN = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;

/** Words that would fall together with others: new, generate, state. */
const WHOLE = new Set(["news", "general", "stats", "series", "species"]);

/** Longest first: the first that fits is cut. `least` is how many letters must remain. */
const SUFFIXES: readonly (readonly [suffix: string, replacement: string, least: number])[] = [
  ["ational", "", 4],
  ["ization", "", 4],
  ["isation", "", 4],
  ["ations", "", 3],
  ["ation", "", 3],
  ["ators", "", 3],
  ["ator", "", 3],
  ["ative", "", 4],
  ["ating", "", 3],
  ["ated", "", 3],
  ["ates", "", 3],
  ["ate", "", 3],
  ["ments", "", 4],
  ["ment", "", 4],
  ["ness", "", 4],
  ["ities", "", 4],
  ["ity", "", 4],
  ["izing", "", 4],
  ["ising", "", 4],
  ["izer", "", 4],
  ["ized", "", 4],
  ["izes", "", 4],
  ["ize", "", 4],
  ["ise", "", 4],
  ["ances", "", 4],
  ["ance", "", 4],
  ["ences", "", 4],
  ["ence", "", 4],
  ["able", "", 4],
  ["ible", "", 4],
  ["ical", "", 4],
  ["ial", "", 4],
  ["al", "", 4],
  ["ful", "", 4],
  ["ively", "", 4],
  ["ive", "", 4],
  ["ions", "", 3],
  ["ion", "", 3],
  ["ings", "", 3],
  ["ing", "", 3],
  ["ers", "", 4],
  ["ors", "", 4],
  ["er", "", 4],
  ["or", "", 4],
  ["ied", "y", 2],
  ["ies", "y", 2],
  ["ed", "", 3],
  ["ly", "", 4],
];

export function stem(word: string): string {
  if (word.length < 4 || !PLAIN.test(word) || WHOLE.has(word)) return word;
  return finish(cutSuffix(singular(word)));
}

function singular(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function cutSuffix(word: string): string {
  for (const [suffix, replacement, least] of SUFFIXES) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (rest.length < least || !VOWEL.test(rest)) continue;
    return rest + replacement;
  }
  return word;
}

/** "planning" → "plann" → "plan"; "make" and "mak" meet as "mak"; "y" and "i" endings meet. */
function finish(word: string): string {
  let result = word;
  if (/([bdfgklmnprt])\1$/.test(result) && result.length > 3) result = result.slice(0, -1);
  if (result.length > 3 && result.endsWith("e")) result = result.slice(0, -1);
  if (result.length > 3 && result.endsWith("y")) result = `${result.slice(0, -1)}i`;
  return result;
}
