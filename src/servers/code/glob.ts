/**
 * File patterns as in .gitignore and ripgrep: `*` within a folder, `**` over folders, `?`, `[a-z]`, `{a,b}`.
 * A pattern without a slash matches in every folder. Compiled to a RegExp that has no nested repetition, so that
 * no name makes it slow.
 */
const MAX_PATTERN = 512;

export class GlobError extends Error {
  override readonly name = "GlobError";
}

export function globToRegExp(pattern: string): RegExp {
  if (pattern.length > MAX_PATTERN) throw new GlobError(`Pattern is longer than ${MAX_PATTERN} characters`);
  const anchored = pattern.includes("/");
  let source = anchored ? "" : "(?:[^\\0]*/)?";
  let braces = 0;
  for (let i = 0; i < pattern.length; i += 1) {
    const character = pattern[i] as string;
    if (character === "*") {
      if (pattern[i + 1] !== "*") {
        source += "[^/]*";
        continue;
      }
      while (pattern[i + 1] === "*") i += 1;
      if (pattern[i + 1] === "/") {
        i += 1;
        source += "(?:[^\\0]*/)?";
      } else source += "[^\\0]*";
    } else if (character === "?") source += "[^/]";
    else if (character === "[") {
      const end = pattern.indexOf("]", i + 2);
      if (end < 0) source += "\\[";
      else {
        const body = pattern
          .slice(i + 1, end)
          .replace(/^!/, "^")
          .replace(/[\\[\]]/g, "\\$&");
        source += `[${body}]`;
        i = end;
      }
    } else if (character === "{") {
      braces += 1;
      source += "(?:";
    } else if (character === "}" && braces > 0) {
      braces -= 1;
      source += ")";
    } else if (character === "," && braces > 0) source += "|";
    else source += character.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  }
  if (braces > 0) throw new GlobError(`Pattern has an open brace: ${pattern}`);
  try {
    return new RegExp(`^${source}$`, "u");
  } catch {
    throw new GlobError(`Not a valid pattern: ${pattern}`);
  }
}
