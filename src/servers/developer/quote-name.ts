/** A name as itself where it is plain, else quoted with escapes: a newline in a name must not make a line. */
export function quoteName(name: string): string {
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069"\\]|^\s|\s$/.test(name))
    return name;
  return JSON.stringify(name).replace(
    /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
