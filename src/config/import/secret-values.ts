/** Which values are most likely secrets: by the name they stand under, or by the look of well-known keys. Pure. */
const NAMES =
  /(^|[_-])(token|secret|passw(or)?d|pass|pwd|pat|credentials?|auth|authorization|cookie|bearer|(api|access|private|secret|auth)?[_-]?key)([_-]|$)/i;
/** The beginnings that issuers give their keys, so that scanners find them. */
const LOOKS =
  /\b(sk-[\w-]{16,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abposr]-[\w-]{10,}|AIza[\w-]{30,}|AKIA[A-Z0-9]{12,}|hf_\w{16,}|npm_\w{20,}|eyJ[\w-]{10,}\.[\w-]{10,}\.)/;

/** A variable, or nothing at all, is no secret, whatever its name. */
export function isSecret(name: string, value: string): boolean {
  if (value === "" || /\$\{[^}]+\}/.test(value)) return false;
  return isSecretName(name) || LOOKS.test(value);
}

export function isSecretName(name: string): boolean {
  // camelCase and plain words alike: apiKey, API_KEY, x-api-key.
  return NAMES.test(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

/** For words of a command line and addresses: `--token=…`, `NAME_KEY=…`, `?api_key=…`, `Authorization: Bearer …`. */
export function holdsSecret(word: string, previous = ""): boolean {
  if (/\$\{[^}]+\}/.test(word)) return false;
  if (LOOKS.test(word) || /:\s*(Bearer|Basic)\s+\S/i.test(word)) return true;
  if (/:\/\/[^/\s:@]+:[^/\s@]+@/.test(word)) return true;
  for (const [, name = "", value = ""] of word.matchAll(/([\w.-]+)=([^&\s]+)/g))
    if (isSecretName(name.replace(/^-+/, "")) && value !== "") return true;
  return (
    previous.startsWith("-") &&
    !previous.includes("=") &&
    !word.startsWith("-") &&
    isSecretName(previous.replace(/^-+/, ""))
  );
}
