/**
 * From what a file imports to the file that is meant, by each language's habits: relative paths with their
 * extensions left out, packages as folders, modules as files. What is not in the project is external.
 */
import { dirname, join, normalize } from "node:path/posix";
import type { FoundImport } from "./imports.ts";

export interface Resolver {
  /** The file meant; undefined when it is not one of the project's. */
  resolve(from: string, language: string, found: FoundImport): string | undefined;
}

const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  javascript: [
    "",
    ".js",
    ".ts",
    ".tsx",
    ".jsx",
    ".mjs",
    ".cjs",
    ".json",
    "/index.js",
    "/index.ts",
    "/index.tsx",
    "/index.jsx",
  ],
  python: [".py", "/__init__.py", ".pyi"],
  ruby: ["", ".rb"],
  php: ["", ".php"],
  css: ["", ".css", ".scss", ".sass", ".less", "/_index.scss", "/index.scss"],
  lua: [".lua", "/init.lua"],
  shell: ["", ".sh"],
  dart: ["", ".dart"],
};
const SAME_AS: Readonly<Record<string, string>> = {
  typescript: "javascript",
  vue: "javascript",
  svelte: "javascript",
  scss: "css",
  sass: "css",
  less: "css",
};

/** Names under which parts of the project import each other, and the folders that are meant. */
export interface ModuleNames {
  /** From each go.mod, longest first. */
  readonly go: ReadonlyMap<string, string>;
  /** From each package.json. */
  readonly npm: ReadonlyMap<string, string>;
}

export function createResolver(
  paths: readonly string[],
  modules: ModuleNames = { go: new Map(), npm: new Map() },
): Resolver {
  const files = new Set(paths);
  const suffixes = new SuffixIndex(paths);
  const pick = (base: string, language: string): string | undefined => {
    const clean = normalize(base);
    if (clean.startsWith("..")) return undefined;
    const endings = EXTENSIONS[SAME_AS[language] ?? language] ?? [""];
    const direct = endings.map((ending) => clean + ending).find((path) => files.has(path));
    if (direct) return direct;
    // TypeScript names what will be compiled: `./x.js` is `./x.ts`.
    const source = clean.replace(/\.(m|c)?js$/, ".$1ts").replace(/\.jsx$/, ".tsx");
    if (source !== clean) return [source, source.replace(/ts$/, "tsx")].find((path) => files.has(path));
    // A Sass partial.
    const partial = join(dirname(clean), `_${clean.slice(clean.lastIndexOf("/") + 1)}.scss`);
    return files.has(partial) ? partial : undefined;
  };
  return {
    resolve(from, language, { target, form }) {
      const folder = dirname(from);
      if (language === "python") return resolvePython(from, target, pick, suffixes);
      if (language === "rust") return resolveRust(from, target, files);
      if (form === "path")
        return pick(join(folder, target), language) ?? bySuffix(target, language, suffixes);
      switch (language) {
        case "java":
        case "kotlin":
        case "scala":
        case "groovy":
          return resolveJvm(target, suffixes);
        case "go":
          return resolveGo(target, modules.go, suffixes);
        case "javascript":
        case "typescript":
        case "vue":
        case "svelte":
          return resolveWorkspace(target, modules.npm, pick);
        case "php":
          return resolvePhp(target, suffixes);
        case "ruby":
          return suffixes.find(`${target}.rb`);
        case "lua":
          return suffixes.find(`${target.replaceAll(".", "/")}.lua`);
        case "dart":
          return target.startsWith("package:")
            ? suffixes.find(`lib/${target.slice(target.indexOf("/") + 1)}`)
            : pick(join(folder, target), language);
        case "c":
        case "cpp":
        case "protobuf":
          return suffixes.find(target);
        default:
          return undefined;
      }
    },
  };
}

function bySuffix(target: string, language: string, suffixes: SuffixIndex): string | undefined {
  return language === "c" || language === "cpp" || language === "protobuf"
    ? suffixes.find(target)
    : undefined;
}

function resolvePython(
  from: string,
  target: string,
  pick: (base: string, language: string) => string | undefined,
  suffixes: SuffixIndex,
): string | undefined {
  const dots = /^\.*/.exec(target)?.[0].length ?? 0;
  const module = target.slice(dots).replaceAll(".", "/");
  if (dots > 0) {
    let folder = dirname(from);
    for (let up = 1; up < dots; up += 1) folder = dirname(folder);
    return pick(join(folder, module), "python");
  }
  return suffixes.find(`${module}.py`) ?? suffixes.find(`${module}/__init__.py`);
}

function resolveRust(from: string, target: string, files: ReadonlySet<string>): string | undefined {
  const folder = dirname(from);
  const stem = from.slice(from.lastIndexOf("/") + 1).replace(/\.rs$/, "");
  const own = stem === "mod" || stem === "lib" || stem === "main" ? folder : join(folder, stem);
  if (target.startsWith("mod ")) return moduleFile(own, target.slice(4), files);
  const parts = target.split("::").filter(Boolean);
  const base =
    parts[0] === "crate"
      ? crateRoot(from)
      : parts[0] === "self"
        ? own
        : parts[0] === "super"
          ? dirname(own)
          : undefined;
  if (base === undefined) return undefined;
  const names = parts.slice(1);
  // The longest part of the path that is a module.
  for (let length = names.length; length > 0; length -= 1) {
    const file = moduleFile(join(base, ...names.slice(0, length - 1)), names[length - 1] as string, files);
    if (file) return file;
  }
  return undefined;
}

function crateRoot(from: string): string {
  const at = from.lastIndexOf("src/");
  return at < 0 ? dirname(from) : from.slice(0, at + 3);
}

function moduleFile(folder: string, name: string, files: ReadonlySet<string>): string | undefined {
  return [join(folder, `${name}.rs`), join(folder, name, "mod.rs")].find((path) => files.has(path));
}

/** `a.b.C` is a class, `a.b.C.D` or a static member something in one. */
function resolveJvm(target: string, suffixes: SuffixIndex): string | undefined {
  const parts = target.split(".").filter((part) => part !== "*");
  for (let length = parts.length; length > 1; length -= 1) {
    const base = parts.slice(0, length).join("/");
    for (const extension of ["java", "kt", "scala", "groovy"]) {
      const file = suffixes.find(`${base}.${extension}`);
      if (file) return file;
    }
  }
  return undefined;
}

/** A package of the same repository: its folder, or a file in it, in the places where sources lie. */
function resolveWorkspace(
  target: string,
  packages: ReadonlyMap<string, string>,
  pick: (base: string, language: string) => string | undefined,
): string | undefined {
  const depth = target.startsWith("@") ? 2 : 1;
  const parts = target.split("/");
  const folder = packages.get(parts.slice(0, depth).join("/"));
  if (folder === undefined) return undefined;
  const rest = parts.slice(depth).join("/");
  return [join(folder, rest), join(folder, "src", rest), join(folder, "lib", rest)]
    .flatMap((base) => [pick(base, "typescript"), pick(join(base, "index"), "typescript")])
    .find((path) => path !== undefined && /\.[cm]?[jt]sx?$/.test(path));
}

/** A Go import names a folder; its first file stands for it. */
function resolveGo(
  target: string,
  modules: ReadonlyMap<string, string>,
  suffixes: SuffixIndex,
): string | undefined {
  for (const [module, folder] of modules) {
    if (target !== module && !target.startsWith(`${module}/`)) continue;
    return suffixes.firstIn(join(folder, target.slice(module.length + 1)), ".go");
  }
  return undefined;
}

/** Namespaces follow folders from some root on (PSR-4): the longest tail that is a file. */
function resolvePhp(target: string, suffixes: SuffixIndex): string | undefined {
  const parts = target.split("\\").filter(Boolean);
  for (let skip = 0; skip < parts.length - 1; skip += 1) {
    const file = suffixes.find(`${parts.slice(skip).join("/")}.php`);
    if (file) return file;
  }
  return undefined;
}

/** Finds a file by the end of its path. Where several end so, the one nearest to the root is meant. */
class SuffixIndex {
  readonly #byName = new Map<string, string[]>();
  readonly #byFolder = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    for (const path of paths) {
      const slash = path.lastIndexOf("/");
      add(this.#byName, path.slice(slash + 1), path);
      add(this.#byFolder, slash < 0 ? "." : path.slice(0, slash), path);
    }
  }

  find(suffix: string): string | undefined {
    const candidates = this.#byName.get(suffix.slice(suffix.lastIndexOf("/") + 1)) ?? [];
    let best: string | undefined;
    for (const path of candidates) {
      if (path !== suffix && !path.endsWith(`/${suffix}`)) continue;
      if (best === undefined || path.length < best.length) best = path;
    }
    return best;
  }

  firstIn(folder: string, extension: string): string | undefined {
    const files = this.#byFolder.get(folder === "" ? "." : folder) ?? [];
    return (
      files.find((path) => path.endsWith(extension) && !path.endsWith(`_test${extension}`)) ??
      files.find((path) => path.endsWith(extension))
    );
  }
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
