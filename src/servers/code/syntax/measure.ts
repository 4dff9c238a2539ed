/**
 * Decisions and functions of a syntax tree. A function's complexity is one plus the decisions in it that are not
 * in a function of their own; how deep its blocks nest is counted in decisions too.
 */
import type { Node, Query } from "web-tree-sitter";

export interface MeasuredFunction {
  readonly from: number;
  readonly to: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly type: string;
  complexity: number;
  /** The deepest chain of nested statements that decide. */
  nesting: number;
}

export interface Measured {
  readonly functions: readonly MeasuredFunction[];
  /** Decisions in the whole file. */
  readonly decisions: number;
  /** The document's measure of a file: its functions and all its decisions. */
  readonly complexity: number;
}

/** Nodes that are one decision but open no block of their own. */
const FLAT = new Set([
  "binary_expression",
  "boolean_operator",
  "binary",
  "&&",
  "||",
  "-and",
  "-or",
  "let_chain",
  "operator_assignment",
  "augmented_assignment_expression",
  "elif_clause",
  "else_if_clause",
  "elsif",
]);

export function measure(query: Query, root: Node): Measured {
  const functions: MeasuredFunction[] = [];
  const decisions: Decision[] = [];
  const skips: Decision[] = [];
  const defaults: number[] = [];
  for (const { name, node } of query.captures(root)) {
    if (name === "function") functions.push(functionOf(node));
    else if (name === "decision") decisions.push(decisionOf(node));
    else if (name === "operator" && isOperand(node.previousSibling)) decisions.push(decisionOf(node));
    else if (name === "skip") skips.push(decisionOf(node));
    else if (name === "default") defaults.push(node.startIndex);
  }
  const real = withoutDefaults(decisions, defaults).filter(
    ({ from }) => !skips.some((skip) => from >= skip.from && from < skip.to),
  );
  for (const { inner, chain } of placeInFunctions(functions, real)) {
    inner.complexity += 1;
    inner.nesting = Math.max(inner.nesting, chain);
  }
  return { functions, decisions: real.length, complexity: real.length + functions.length };
}

interface Decision {
  readonly from: number;
  readonly to: number;
  readonly flat: boolean;
}

function functionOf(node: Node): MeasuredFunction {
  return {
    from: node.startIndex,
    to: node.endIndex,
    startLine: node.startPosition.row + 1,
    endLine: node.endPosition.row + 1,
    type: node.type,
    complexity: 1,
    nesting: 0,
  };
}

function decisionOf(node: Node): Decision {
  return { from: node.startIndex, to: node.endIndex, flat: FLAT.has(node.type) };
}

/** In a macro's arguments there are only tokens: behind a name, a literal or a bracket stands an operator. */
function isOperand(node: Node | null): boolean {
  return node?.isNamed === true && !["move", "return"].includes(node.text);
}

/** A case that takes the rest is the innermost decision around its mark. */
function withoutDefaults(decisions: readonly Decision[], defaults: readonly number[]): Decision[] {
  const dropped = new Set<Decision>();
  for (const at of defaults) {
    const around = decisions.filter(({ from, to }) => from <= at && at < to);
    const innermost = around.sort((a, b) => a.to - a.from - (b.to - b.from))[0];
    if (innermost) dropped.add(innermost);
  }
  return decisions.filter((decision) => !dropped.has(decision));
}

/** For each decision its innermost function, and how many statements of that function it is inside of. */
function* placeInFunctions(
  functions: readonly MeasuredFunction[],
  decisions: readonly Decision[],
): Iterable<{ inner: MeasuredFunction; chain: number }> {
  const sorted = [...functions].sort((a, b) => a.from - b.from || b.to - a.to);
  const ordered = [...decisions].sort((a, b) => a.from - b.from || b.to - a.to);
  const open: MeasuredFunction[] = [];
  const statements: Decision[] = [];
  let next = 0;
  for (const decision of ordered) {
    while (next < sorted.length && (sorted[next] as MeasuredFunction).from <= decision.from) {
      open.push(sorted[next] as MeasuredFunction);
      next += 1;
    }
    while (open.length > 0 && (open.at(-1) as MeasuredFunction).to <= decision.from) open.pop();
    // Whole: `function () {} && b` begins where the function does, and is not in it.
    const inner = open.findLast(({ from, to }) => from <= decision.from && decision.to <= to);
    if (!inner) continue;
    while (statements.length > 0 && (statements.at(-1) as Decision).to <= decision.from) statements.pop();
    const inside = statements.filter(({ from, to }) => from >= inner.from && to >= decision.to).length;
    if (!decision.flat) statements.push(decision);
    yield { inner, chain: inside + (decision.flat ? 0 : 1) };
  }
}
