/**
 * BFCL's matching rules for one call, after `ast_checker.py` of the benchmark: the name, every required
 * parameter, no parameter that is not expected, types, and values among the acceptable ones. "" among the
 * acceptable values means that the parameter may be left out. One difference: JSON numbers have no int/float
 * distinction, so 12 passes where the benchmark's Python wants 12.0.
 */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface FunctionDescription {
  readonly name: string;
  readonly description?: string;
  readonly parameters: {
    readonly properties: Readonly<Record<string, ParameterDescription>>;
    readonly required?: readonly string[];
  };
}

export interface ParameterDescription {
  readonly type: string;
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly items?: ParameterDescription;
  readonly properties?: Readonly<Record<string, ParameterDescription>>;
  readonly required?: readonly string[];
}

/** Parameter name → acceptable values. */
export type Acceptable = Readonly<Record<string, readonly Json[]>>;
export type Arguments = Readonly<Record<string, Json>>;

export interface MatchResult {
  /** undefined when the call matches, else the first thing that is wrong. */
  readonly error: string | undefined;
  /** Over the parameters that the answer or the call names: how many are right. */
  readonly right: number;
  readonly total: number;
}

type Kind = "string" | "integer" | "float" | "boolean" | "array" | "dict" | "other";

export function matchArguments(
  description: FunctionDescription,
  call: Arguments,
  acceptable: Acceptable,
): MatchResult {
  const errors: string[] = [];
  const names = new Set([...Object.keys(acceptable), ...Object.keys(call)]);
  for (const name of names) {
    const error = parameterError(description, name, call[name], acceptable[name]);
    if (error !== undefined) errors.push(error);
  }
  for (const name of description.parameters.required ?? [])
    if (!(name in call) && !errors.some((error) => error.startsWith(`${name}:`)))
      errors.push(`${name}: required, missing`);
  return { error: errors[0], right: Math.max(0, names.size - errors.length), total: names.size };
}

function parameterError(
  description: FunctionDescription,
  name: string,
  value: Json | undefined,
  answers: readonly Json[] | undefined,
): string | undefined {
  if (value === undefined) {
    if (answers?.includes("") && !description.parameters.required?.includes(name)) return undefined;
    return `${name}: missing, expected one of ${JSON.stringify(answers)}`;
  }
  const parameter = description.parameters.properties[name];
  if (parameter === undefined || answers === undefined) return `${name}: unexpected`;
  const kind = kindOf(parameter.type);
  if (valueMatches(kind, parameter, value, answers)) return undefined;
  return `${name}: ${JSON.stringify(value)}, expected one of ${JSON.stringify(answers)}`;
}

function valueMatches(
  kind: Kind,
  parameter: ParameterDescription,
  value: Json,
  answers: readonly Json[],
): boolean {
  // An answer of another type than the description's stands for a variable: then the answer's type counts.
  const answerKind = kindOfValue(answers.find((answer) => answer !== ""));
  if (!hasKind(value, kind)) {
    if (answerKind === undefined || !hasKind(value, answerKind)) return false;
    return answers.some((answer) => deepEqual(standard(value), standard(answer)));
  }
  if (kind === "dict") return answers.some((answer) => dictMatches(value, answer));
  if (kind === "array" && kindOf(parameter.items?.type ?? "") === "dict")
    return answers.some((answer) => listOfDictsMatches(value, answer));
  return answers.some((answer) => deepEqual(standard(value), standard(answer)));
}

function dictMatches(value: Json, answer: Json): boolean {
  if (!isDict(value) || !isDict(answer)) return false;
  for (const [key, item] of Object.entries(value)) {
    const possible = answer[key];
    if (!Array.isArray(possible)) return false;
    if (!possible.some((one: Json) => deepEqual(standard(item), standard(one)))) return false;
  }
  return Object.entries(answer).every(
    ([key, possible]) => key in value || (Array.isArray(possible) && possible.includes("")),
  );
}

function listOfDictsMatches(value: Json, answer: Json): boolean {
  if (!Array.isArray(value) || !Array.isArray(answer) || value.length !== answer.length) return false;
  return value.every((item: Json, index: number) => dictMatches(item, answer[index] ?? null));
}

function kindOf(type: string): Kind {
  if (type === "string" || type === "any") return "string";
  if (type === "integer" || type === "boolean") return type;
  if (type === "float" || type === "number") return "float";
  if (type === "array" || type === "tuple") return "array";
  if (type === "dict" || type === "object") return "dict";
  return "other";
}

function kindOfValue(value: Json | undefined): Kind | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "float";
  if (typeof value === "object") return "dict";
  return typeof value === "boolean" ? "boolean" : "string";
}

function hasKind(value: Json, kind: Kind): boolean {
  const actual = kindOfValue(value);
  return actual === kind || (kind === "float" && actual === "integer");
}

/** BFCL compares strings without spaces, some punctuation and case. */
function standard(value: Json): Json {
  if (typeof value === "string")
    return value
      .replace(/[ ,./\-_*^]/g, "")
      .toLowerCase()
      .replaceAll("'", '"');
  if (Array.isArray(value)) return value.map(standard);
  return value;
}

function deepEqual(left: Json, right: Json): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => deepEqual(item, right[index] ?? null));
  if (isDict(left) && isDict(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => key in right && deepEqual(left[key] ?? null, right[key] ?? null))
    );
  }
  return left === right;
}

function isDict(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
