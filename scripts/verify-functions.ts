/**
 * The half of `verify:code` that ESLint judges: the complexity of every JavaScript and TypeScript function beside its
 * `complexity` rule. ESLint 9 also counts optional chaining and default values, which decide nothing here; those two
 * handlers are left out, the rest of the rule runs as it is. ESLint and its parser for TypeScript are no
 * dependencies: the folder in whose node_modules they are is named on the command line.
 */
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Query, Node as SyntaxNode } from "web-tree-sitter";
import { measure } from "../src/servers/code/syntax/measure.ts";

export interface FunctionCheck {
  readonly functions: number;
  readonly equal: number;
  /** What differs, one line each. */
  readonly wrong: readonly string[];
}

/** A function and its complexity; it is known by where it ends and how many others that end there are inside. */
interface Found {
  readonly from: number;
  readonly to: number;
  readonly complexity: number;
}

interface RuleContext {
  report(problem: {
    node: { range: [number, number]; type: string };
    data: { name: string; complexity: number };
  }): void;
}
interface Rule {
  create(context: RuleContext): Record<string, unknown>;
}
interface Linter {
  verify(
    text: string,
    config: readonly object[],
    options: { filename: string },
  ): { fatal?: boolean; message: string }[];
}

/** Handlers of the rule for what is no decision here. */
const NOT_DECISIONS = new Set(["AssignmentPattern", "MemberExpression", "CallExpression"]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** Undefined for a file that ESLint cannot read. */
export type CheckFunctions = (
  path: string,
  text: string,
  root: SyntaxNode,
  query: Query,
) => FunctionCheck | undefined;

export function functionChecker(folder: string): CheckFunctions {
  const require = createRequire(join(resolve(folder), "x.js"));
  const { Linter: LinterClass } = require("eslint") as { Linter: new () => Linter };
  const { builtinRules } = require("eslint/use-at-your-own-risk") as { builtinRules: Map<string, Rule> };
  const parser: unknown = require("@typescript-eslint/parser");
  const rule = builtinRules.get("complexity");
  if (!rule) throw new Error(`The ESLint in ${folder} has no complexity rule.`);
  let found: Found[] = [];
  const listening = {
    ...rule,
    create(context: RuleContext) {
      const report: RuleContext["report"] = ({ node, data }) => {
        // `field = () => …`: the field's initializer is reported at the same place, beside the function.
        if (!FUNCTIONS.has(node.type) || data.name.startsWith("Class field")) return;
        found.push({ from: node.range[0], to: node.range[1], complexity: data.complexity });
      };
      const handlers = rule.create(Object.create(context, { report: { value: report } }) as RuleContext);
      return Object.fromEntries(Object.entries(handlers).filter(([name]) => !NOT_DECISIONS.has(name)));
    },
  };
  const linter = new LinterClass();
  const config = (path: string) => [
    {
      files: ["**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,es6}"],
      languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: !path.endsWith(".ts") } } },
      linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" },
      plugins: { kari: { rules: { complexity: listening } } },
      rules: { "kari/complexity": ["error", 0] },
    },
  ];
  return (path, text, root, query) => {
    found = [];
    const messages = linter.verify(text, config(path), { filename: path });
    if (messages.some(({ fatal }) => fatal)) return undefined;
    return compare(found, measure(query, root).functions, text);
  };
}

function compare(theirs: readonly Found[], ours: readonly Found[], text: string): FunctionCheck {
  const mine = byEnd(ours);
  // The grammar sometimes ends a declaration behind the comment that follows it.
  const byStart = new Map(ours.map((one) => [one.from, one]));
  const wrong: string[] = [];
  for (const [key, one] of byEnd(theirs)) {
    const complexity = (mine.get(key) ?? byStart.get(one.from))?.complexity;
    if (complexity === one.complexity) continue;
    const line = text.slice(0, one.from).split("\n").length;
    wrong.push(`line ${line}: ours ${complexity ?? "no function"}, ESLint ${one.complexity}`);
  }
  return { functions: theirs.length, equal: theirs.length - wrong.length, wrong };
}

/** The two place a method's start differently (its name, its parenthesis), but never its end. */
function byEnd(functions: readonly Found[]): Map<string, Found> {
  const seen = new Map<number, number>();
  const keyed = new Map<string, Found>();
  for (const one of [...functions].sort((a, b) => a.from - b.from)) {
    const inside = seen.get(one.to) ?? 0;
    seen.set(one.to, inside + 1);
    keyed.set(`${one.to}/${inside}`, one);
  }
  return keyed;
}
