/**
 * What a source file imports, found by the forms that imports have at the start of a line. Strings inside other
 * strings and commented code may be taken for imports now and then; parsing whole projects would take minutes.
 */
export interface FoundImport {
  /** As written, without quotes. */
  readonly target: string;
  /** `path`: relative to the file; `name`: to be looked up. */
  readonly form: "path" | "name";
}

interface ImportRule {
  readonly pattern: RegExp;
  /** Makes the targets of one match. */
  readonly targets: (match: RegExpExecArray) => readonly string[];
  readonly form?: FoundImport["form"];
}

const first = (match: RegExpExecArray) => [match[1] ?? ""];
const list = (match: RegExpExecArray) =>
  (match[1] ?? "").split(",").map((part) => part.trim().split(/\s+/)[0] ?? "");

const JS: readonly ImportRule[] = [
  { pattern: /^[ \t]*(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"'\n]+)["']/gm, targets: first },
  { pattern: /^[ \t]*import\s*["']([^"'\n]+)["']/gm, targets: first },
  { pattern: /\b(?:require|import)\s*\(\s*["']([^"'\n]+)["']\s*\)/g, targets: first },
];
const JVM: readonly ImportRule[] = [{ pattern: /^[ \t]*import\s+(?:static\s+)?([\w.]+)/gm, targets: first }];
const STYLE: readonly ImportRule[] = [
  {
    pattern: /^[ \t]*@(?:import|use|forward)\s+(?:url\()?["']([^"'\n]+)["']/gm,
    targets: first,
    form: "path",
  },
];
const C: readonly ImportRule[] = [
  { pattern: /^[ \t]*#[ \t]*(?:include|import)[ \t]*"([^"\n]+)"/gm, targets: first, form: "path" },
  { pattern: /^[ \t]*#[ \t]*(?:include|import)[ \t]*<([^>\n]+)>/gm, targets: first },
];

const RULES: Readonly<Record<string, readonly ImportRule[]>> = {
  javascript: JS,
  typescript: JS,
  vue: JS,
  svelte: JS,
  python: [
    { pattern: /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+\(?([^\n#)]*)/gm, targets: pythonFrom },
    { pattern: /^[ \t]*import[ \t]+([\w., \t]+)/gm, targets: list },
  ],
  java: JVM,
  kotlin: JVM,
  scala: JVM,
  groovy: JVM,
  go: [
    { pattern: /^import\s+(?:[\w.]+\s+)?"([^"\n]+)"/gm, targets: first },
    {
      pattern: /^import\s*\(([\s\S]*?)^\)/gm,
      targets: (match) => [...(match[1] ?? "").matchAll(/"([^"\n]+)"/g)].map((one) => one[1] ?? ""),
    },
  ],
  rust: [
    { pattern: /^[ \t]*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/gm, targets: (match) => [`mod ${match[1]}`] },
    { pattern: /^[ \t]*(?:pub(?:\([^)]*\))?\s+)?use\s+([\w:]+)/gm, targets: first },
  ],
  c: C,
  cpp: C,
  "objective-c": C,
  cuda: C,
  csharp: [
    { pattern: /^[ \t]*(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;/gm, targets: first },
  ],
  php: [
    { pattern: /^[ \t]*use\s+(?:function\s+|const\s+)?\\?([\w\\]+)/gm, targets: first },
    {
      pattern: /\b(?:require|include)(?:_once)?\s*\(?\s*(?:__DIR__\s*\.\s*)?["']([^"'\n]+)["']/g,
      targets: first,
      form: "path",
    },
  ],
  ruby: [
    { pattern: /^[ \t]*require_relative\s*\(?\s*["']([^"'\n]+)["']/gm, targets: first, form: "path" },
    { pattern: /^[ \t]*(?:require|load|autoload\s+:\w+\s*,)\s*\(?\s*["']([^"'\n]+)["']/gm, targets: first },
  ],
  shell: [
    { pattern: /^[ \t]*(?:source|\.)\s+["']?(?:\$\{?\w+\}?\/)?([\w./-]+)/gm, targets: first, form: "path" },
  ],
  css: STYLE,
  scss: STYLE,
  sass: STYLE,
  less: STYLE,
  lua: [{ pattern: /\brequire\s*\(?\s*["']([^"'\n]+)["']/g, targets: first }],
  dart: [{ pattern: /^[ \t]*(?:import|export|part)\s+["']([^"'\n]+)["']/gm, targets: first }],
  swift: [{ pattern: /^[ \t]*(?:@\w+\s+)?import\s+(?:\w+\s+)?(\w+)/gm, targets: first }],
  elixir: [{ pattern: /^[ \t]*(?:alias|import|use|require)\s+([\w.]+)/gm, targets: first }],
  protobuf: [{ pattern: /^[ \t]*import\s+(?:public\s+|weak\s+)?"([^"\n]+)"/gm, targets: first }],
};

export function hasImportRules(language: string): boolean {
  return RULES[language] !== undefined;
}

export function importLanguages(): string[] {
  return Object.keys(RULES).sort();
}

export function findImports(language: string, text: string): FoundImport[] {
  const found = new Map<string, FoundImport>();
  for (const { pattern, targets, form } of RULES[language] ?? []) {
    for (const match of text.matchAll(pattern)) {
      for (const target of targets(match)) {
        if (target !== "")
          found.set(target, {
            target,
            form: form ?? (target.startsWith(".") && language !== "python" ? "path" : "name"),
          });
      }
    }
  }
  return [...found.values()];
}

/** `from . import a, b` names modules; `from .x import y` names one module, or a name in it. */
function pythonFrom(match: RegExpExecArray): string[] {
  const module = match[1] ?? "";
  const names = list([match[0], match[2] ?? ""] as unknown as RegExpExecArray).filter((name) =>
    /^\w+$/.test(name),
  );
  const joined = names.map((name) => (module.endsWith(".") ? `${module}${name}` : `${module}.${name}`));
  return /^\.+$/.test(module) ? joined : [module, ...joined];
}
