/**
 * The addresses that servers give their resources, which may be anything: which of them can be used, and how one is
 * shown to a model or a person without its length, its secrets or its hidden characters doing harm.
 */
const MAX_LENGTH = 8192;
const MAX_SHOWN = 200;
const CONTROLS = /[\u0000-\u0020\u007F-\u009F\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/;
const PASSWORD = /^([A-Za-z][\w+.-]*:\/\/[^/?#:@]*):[^/?#@]*@/;

/** In words, or undefined for one that is fine. */
export function whyUnusable(uri: string): string | undefined {
  if (uri === "") return "its URI is empty";
  if (uri.length > MAX_LENGTH) return `its URI has ${uri.length} characters, at most ${MAX_LENGTH} are taken`;
  if (CONTROLS.test(uri)) return "its URI holds spaces or control characters";
  if (PASSWORD.test(uri)) return "its URI holds a password";
  return undefined;
}

/** On one line, without passwords, cut. */
export function shownUri(uri: string): string {
  return shownName(uri.slice(0, MAX_LENGTH).replace(PASSWORD, "$1:…@"));
}

/** Anything that a server calls something: one line of bounded length. */
export function shownName(name: string): string {
  const cut = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN).toWellFormed()}…` : name;
  return cut.replace(
    new RegExp(CONTROLS.source.replace("\\u0020", "\\u001F"), "g"),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
