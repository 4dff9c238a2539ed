/**
 * The outline of a file: its classes, functions and methods as a tree, each with its lines, its signature and,
 * for functions, its complexity. Definitions inside functions are left out; they can be read with the function.
 */
import type { Node } from "web-tree-sitter";
import { type DefinitionKind, type Grammar, grammarFor } from "./grammars.ts";
import { type Measured, measure } from "./measure.ts";
import { type LoadedGrammar, loadGrammar, withTree } from "./parse.ts";

export interface OutlineEntry {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly signature: string;
  readonly complexity?: number;
  readonly children?: readonly OutlineEntry[];
}

export interface Outline {
  readonly entries: readonly OutlineEntry[];
  readonly measured: Measured | undefined;
  /** The parser met something it could not read: parts may be missing. */
  readonly hasError: boolean;
}

const MAX_SIGNATURE = 200;

/** Undefined when there is no grammar for the language. */
export async function outlineOf(language: string, path: string, text: string): Promise<Outline | undefined> {
  if (language === "markdown") return { entries: headingsOf(text), measured: undefined, hasError: false };
  const grammar = grammarFor(language, path);
  if (!grammar) return undefined;
  const outline = await read(grammar, text);
  if (!outline.hasError || language !== "javascript") return outline;
  // JavaScript with types (Flow): the grammar of TypeScript reads most of it.
  const typed = grammarFor("typescript", "typed.tsx");
  const other = typed && (await read(typed, text));
  return other && !other.hasError ? other : outline;
}

async function read(grammar: Grammar, text: string): Promise<Outline> {
  const loaded = await loadGrammar(grammar.name);
  return await withTree(loaded, text, (root) => build(root, grammar, loaded));
}

function build(root: Node, grammar: Grammar, loaded: LoadedGrammar): Outline {
  const measured = loaded.decisions && measure(loaded.decisions, root);
  const byStart = new Map(measured?.functions.map((one) => [`${one.from}-${one.to}`, one.complexity]));
  const complexityAt = (node: Node) => byStart.get(`${node.startIndex}-${node.endIndex}`);
  return { entries: collect(root, grammar, complexityAt, false), measured, hasError: root.hasError };
}

function collect(
  node: Node,
  grammar: Grammar,
  complexityAt: (node: Node) => number | undefined,
  inClass: boolean,
): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (const child of node.namedChildren) {
    if (!child) continue;
    const definition = definitionOf(child, grammar);
    if (!definition) {
      entries.push(...collect(child, grammar, complexityAt, inClass));
      continue;
    }
    const { kind, name, body } = definition;
    const isFunction = kind === "function" || kind === "method";
    const complexity = isFunction ? (complexityAt(body) ?? complexityAt(child)) : undefined;
    const children = isFunction ? [] : collect(child, grammar, complexityAt, isType(kind));
    entries.push({
      kind: kind === "function" && inClass ? "method" : kind,
      name,
      start_line: child.startPosition.row + 1,
      end_line: child.endPosition.row + 1,
      signature: signatureOf(child),
      ...(complexity !== undefined && { complexity }),
      ...(children.length > 0 && { children }),
    });
  }
  return entries;
}

function isType(kind: DefinitionKind): boolean {
  return kind === "class" || kind === "struct" || kind === "trait" || kind === "interface" || kind === "enum";
}

/** `const f = () => …` and its like define a function only when that is what they hold. */
const HOLDERS = new Set(["variable_declarator", "pair", "field_definition", "public_field_definition"]);
const HELD = new Set(["arrow_function", "function_expression", "generator_function", "class"]);

function definitionOf(
  node: Node,
  grammar: Grammar,
): { kind: DefinitionKind; name: string; body: Node } | undefined {
  const kind = grammar.definitions[node.type];
  if (!kind) return undefined;
  if (HOLDERS.has(node.type)) {
    const value = node.childForFieldName("value");
    if (!value || !HELD.has(value.type)) return undefined;
    const name = (
      node.childForFieldName("name") ??
      node.childForFieldName("key") ??
      node.childForFieldName("property")
    )?.text;
    return { kind: value.type === "class" ? "class" : kind, name: shorten(name ?? "?"), body: value };
  }
  // A struct that is only mentioned, not defined.
  if (node.type.endsWith("_specifier") && !node.childForFieldName("body")) return undefined;
  const name = nameOf(node);
  return name === undefined ? undefined : { kind, name: shorten(name), body: node };
}

function nameOf(node: Node): string | undefined {
  const named = node.childForFieldName("name");
  if (named) {
    const receiver = node
      .childForFieldName("receiver")
      ?.text.replace(/^\(\s*\w*\s*/, "")
      .replace(/\)$/, "");
    return receiver ? `(${receiver}).${named.text}` : named.text;
  }
  if (node.type === "impl_item") {
    const trait = node.childForFieldName("trait")?.text;
    const type = node.childForFieldName("type")?.text ?? "?";
    return trait ? `${trait} for ${type}` : type;
  }
  const declarator = node.childForFieldName("declarator");
  if (declarator) return declaratorName(declarator);
  // Grammars without fields: the first child that looks like a name, selector or condition.
  const child = node.namedChildren.find(
    (one) => one && /name|selectors|simple_name|keyframes_name|query/.test(one.type),
  );
  return child?.text ?? (node.type === "media_statement" ? node.text.split("{")[0]?.trim() : undefined);
}

/** C wraps the name: pointers around parameters around the name. */
function declaratorName(node: Node): string | undefined {
  let current: Node | null = node;
  for (let depth = 0; current && depth < 12; depth += 1) {
    const inner: Node | null = current.childForFieldName("declarator");
    if (!inner) {
      if (current.type === "reference_declarator") current = current.namedChildren[0] ?? null;
      else return current.text;
    } else current = inner;
  }
  return current?.text;
}

/** The text up to the body, on one line. */
function signatureOf(node: Node): string {
  const body = node.childForFieldName("body") ?? node.childForFieldName("value")?.childForFieldName("body");
  const text =
    body && body.startIndex > node.startIndex
      ? node.text.slice(0, body.startIndex - node.startIndex)
      : (node.text.split("\n", 1)[0] ?? "");
  const code = text.split("\n").filter((line) => !/^\s*(#|\/\/)/.test(line));
  return shorten(
    code
      .join("\n")
      .replace(/\s+/g, " ")
      .replace(/[\s{:=]+$/, "")
      .trim(),
  );
}

function shorten(text: string): string {
  return text.length > MAX_SIGNATURE ? `${text.slice(0, MAX_SIGNATURE)}…` : text;
}

/** A document's headings; each runs to the next of its level or above. */
function headingsOf(text: string): OutlineEntry[] {
  const lines = text.split(/\r\n|\r|\n/);
  const found: { level: number; name: string; line: number }[] = [];
  let fenced = false;
  for (const [at, line] of lines.entries()) {
    if (/^\s{0,3}(```|~~~)/.test(line)) fenced = !fenced;
    const match = fenced ? null : /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    if (match?.[1]) found.push({ level: match[1].length, name: match[2] ?? "", line: at + 1 });
  }
  return found.map(({ level, name, line }, i) => {
    const next = found.slice(i + 1).find((other) => other.level <= level);
    const last = lines.at(-1) === "" ? lines.length - 1 : lines.length;
    return {
      kind: "section",
      name: shorten(name),
      start_line: line,
      end_line: next ? next.line - 1 : last,
      signature: shorten(`${"#".repeat(level)} ${name}`),
    };
  });
}
