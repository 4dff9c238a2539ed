/**
 * Which language a file is written in: by its whole name, its extension, or the interpreter in its first line.
 * Every language has a number, its place in `LANGUAGES`; caches and workers speak of languages by number and
 * are thrown away when the table changes.
 */
import { C_FAMILY } from "./c-family.ts";
import { OTHERS } from "./others.ts";
import { SCRIPTING } from "./scripting.ts";
import type { Language, Syntax } from "./syntax.ts";
import { WEB } from "./web.ts";

export const LANGUAGES: readonly Language[] = [...C_FAMILY, ...WEB, ...SCRIPTING, ...OTHERS];

/** All surfaces that `syntaxOf` can give, each once. */
export const SYNTAXES: readonly Syntax[] = [
  ...new Set(LANGUAGES.flatMap(({ syntax, dialects = {} }) => [syntax, ...Object.values(dialects)])),
];

const byName = new Map<string, number>();
const byExtension = new Map<string, number>();
const byFilename = new Map<string, number>();
const byInterpreter = new Map<string, number>();
for (const [number, language] of LANGUAGES.entries()) {
  byName.set(language.name, number);
  for (const extension of words(language.extensions)) claim(byExtension, extension, number);
  for (const filename of words(language.filenames)) claim(byFilename, filename, number);
  for (const interpreter of words(language.interpreters)) claim(byInterpreter, interpreter, number);
}

/** The language's number by the name of the file; -1 when the name says nothing. */
export function languageOfPath(path: string): number {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const known = byFilename.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf(".");
  if (dot >= 0) return byExtension.get(name.slice(dot + 1)) ?? -1;
  // `Dockerfile.build`, `Makefile.common`: the part before the dot names it.
  return -1;
}

/** The language's number by a first line `#!`; -1 when there is none that we know. */
export function languageOfShebang(bytes: Uint8Array, length: number): number {
  if (length < 3 || bytes[0] !== 0x23 || bytes[1] !== 0x21) return -1;
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(length, 256))
    .toString("latin1")
    .split("\n", 1)[0];
  const parts = (line ?? "").slice(2).trim().split(/\s+/);
  let program = baseName(parts[0] ?? "");
  if (program === "env")
    program = baseName(
      parts.find((part, at) => at > 0 && !part.startsWith("-") && !part.includes("=")) ?? "",
    );
  return (
    byInterpreter.get(program.toLowerCase().replace(/[\d.]+$/, "")) ??
    byInterpreter.get(program.toLowerCase()) ??
    -1
  );
}

/**
 * The language after a look inside the first `length` bytes, for extensions that several languages share: `.h` is C
 * or C++, and a `.ts` that begins with `<?` is a translation file of Qt.
 */
export function languageByContent(number: number, path: string, bytes: Buffer, length: number): number {
  if (
    number === C &&
    path.endsWith(".h") &&
    CPP_SIGNS.some((sign) => bytes.subarray(0, length).includes(sign))
  ) {
    return CPP;
  }
  if (number === TYPESCRIPT && length > 1 && bytes[0] === 0x3c && bytes[1] === 0x3f) return XML;
  return number;
}

const C = byName.get("c") as number;
const CPP = byName.get("cpp") as number;
const TYPESCRIPT = byName.get("typescript") as number;
const XML = byName.get("xml") as number;
/** What no C header contains outside its comments, as a rule. */
const CPP_SIGNS = [
  "\nclass ",
  "\nnamespace ",
  "\ntemplate<",
  "\ntemplate <",
  "std::",
  "\npublic:",
  "\nprivate:",
];

export function languageByName(name: string): Language | undefined {
  const number = byName.get(name);
  return number === undefined ? undefined : LANGUAGES[number];
}

export function languageName(number: number): string {
  return LANGUAGES[number]?.name ?? "unknown";
}

/** The surface to scan by: the language's own, or that of a dialect its extension names. */
export function syntaxOf(number: number, path: string): Syntax {
  const language = LANGUAGES[number] as Language;
  if (!language.dialects) return language.syntax;
  return language.dialects[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? language.syntax;
}

/** Whether its complexity means anything. */
export function isProgram(number: number): boolean {
  return programs[number] === true;
}

const programs = LANGUAGES.map(({ syntax }) => syntax.words !== undefined);

function claim(map: Map<string, number>, key: string, number: number): void {
  if (map.has(key)) throw new Error(`two languages claim ${key}`);
  map.set(key, number);
}

function words(list: string | undefined): string[] {
  return list === undefined ? [] : list.split(" ");
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
