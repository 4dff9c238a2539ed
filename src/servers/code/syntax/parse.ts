/**
 * Parses source text with tree-sitter. The engine and each grammar are loaded when first needed and stay; a tree
 * lives only while its user works with it. A parse that takes too long is given up.
 */
import { createRequire } from "node:module";
import type { Language, Node, Parser, Query } from "web-tree-sitter";
import { DECISIONS } from "./decisions.ts";

const PARSE_LIMIT_MS = 5000;

export interface LoadedGrammar {
  readonly name: string;
  readonly language: Language;
  /** Undefined for what has no decisions: style sheets, settings. */
  readonly decisions: Query | undefined;
}

export class ParseError extends Error {
  override readonly name = "ParseError";
}

type TreeSitter = typeof import("web-tree-sitter");
let engine: Promise<TreeSitter> | undefined;
const grammars = new Map<string, Promise<LoadedGrammar>>();

export function loadGrammar(name: string): Promise<LoadedGrammar> {
  let loading = grammars.get(name);
  if (!loading) {
    loading = load(name);
    loading.catch(() => grammars.delete(name));
    grammars.set(name, loading);
  }
  return loading;
}

/** Parses, gives the root to `use`, and frees the tree whatever happens. */
export async function withTree<T>(grammar: LoadedGrammar, text: string, use: (root: Node) => T): Promise<T> {
  const { Parser: ParserClass } = await startEngine();
  const parser: Parser = new ParserClass();
  try {
    parser.setLanguage(grammar.language);
    const deadline = performance.now() + PARSE_LIMIT_MS;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
    if (!tree) throw new ParseError(`parsing took longer than ${PARSE_LIMIT_MS / 1000} s and was given up`);
    try {
      return use(tree.rootNode);
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}

/** A user's own query, checked against the grammar. */
export async function compileQuery(grammar: LoadedGrammar, source: string): Promise<Query> {
  const { Query: QueryClass } = await startEngine();
  return new QueryClass(grammar.language, source);
}

async function load(name: string): Promise<LoadedGrammar> {
  const { Language: LanguageClass, Query: QueryClass } = await startEngine();
  const require = createRequire(import.meta.url);
  const language = await LanguageClass.load(
    require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`),
  );
  const source = DECISIONS[name];
  return { name, language, decisions: source === undefined ? undefined : new QueryClass(language, source) };
}

function startEngine(): Promise<TreeSitter> {
  engine ??= import("web-tree-sitter").then(async (module) => {
    await module.Parser.init();
    return module;
  });
  return engine;
}
