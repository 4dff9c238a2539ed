/**
 * Checks JSON values against a JSON Schema well enough to tell a model what to correct before a call is sent.
 * Bounded on purpose: schemas and values come from strangers. It follows local `$ref`s only, never fetches, never
 * runs a `pattern` (a hostile one can run for ever), and gives up quietly on keywords it does not know: the
 * server remains the judge.
 */
export interface SchemaProblem {
  /** `/a/0/b`, or `` for the value itself. */
  readonly path: string;
  readonly message: string;
}

type Schema = Readonly<Record<string, unknown>>;

const MAX_PROBLEMS = 10;
const MAX_STEPS = 20_000;
const MAX_SHOWN = 80;

export function checkAgainstSchema(schema: unknown, value: unknown): readonly SchemaProblem[] {
  const check = new Check(schema);
  check.visit(schema, value, "", 0);
  return check.problems;
}

class Check {
  readonly problems: SchemaProblem[] = [];
  readonly #root: unknown;
  #steps = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  visit(rawSchema: unknown, value: unknown, path: string, depth: number): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS || depth > 64 || this.problems.length >= MAX_PROBLEMS) return;
    if (rawSchema === false) return this.#report(path, "is not allowed here");
    const schema = this.#resolve(rawSchema);
    if (!schema) return;
    if (!this.#checkType(schema, value, path)) return;
    this.#checkValue(schema, value, path);
    this.#checkUnions(schema, value, path, depth);
    if (isObject(value)) this.#checkObject(schema, value, path, depth);
    else if (Array.isArray(value)) this.#checkArray(schema, value, path, depth);
  }

  #checkType(schema: Schema, value: unknown, path: string): boolean {
    const wanted = schema["type"];
    if (wanted === undefined) return true;
    const types = Array.isArray(wanted) ? wanted : [wanted];
    if (types.some((type) => hasType(value, type))) return true;
    this.#report(path, `must be ${types.join(" or ")}, and is ${typeName(value)} ${show(value)}`);
    return false;
  }

  #checkValue(schema: Schema, value: unknown, path: string): void {
    const options = schema["enum"];
    if (Array.isArray(options) && !options.some((option) => sameJson(option, value))) {
      this.#report(
        path,
        `must be one of ${options.slice(0, 12).map(show).join(", ")}, and is ${show(value)}`,
      );
    }
    if ("const" in schema && !sameJson(schema["const"], value))
      this.#report(path, `must be ${show(schema["const"])}`);
    if (typeof value === "number") {
      const { minimum, maximum } = schema;
      if (typeof minimum === "number" && value < minimum)
        this.#report(path, `must be at least ${minimum}, and is ${value}`);
      if (typeof maximum === "number" && value > maximum)
        this.#report(path, `must be at most ${maximum}, and is ${value}`);
    }
    if (typeof value === "string") {
      const { minLength, maxLength } = schema;
      if (typeof minLength === "number" && value.length < minLength)
        this.#report(path, `must have at least ${minLength} characters`);
      if (typeof maxLength === "number" && [...value].length > maxLength)
        this.#report(path, `must have at most ${maxLength} characters`);
    }
  }

  #checkUnions(schema: Schema, value: unknown, path: string, depth: number): void {
    const all = schema["allOf"];
    if (Array.isArray(all)) for (const part of all) this.visit(part, value, path, depth + 1);
    for (const keyword of ["anyOf", "oneOf"]) {
      const options = schema[keyword];
      if (!Array.isArray(options) || options.length === 0) continue;
      const attempts = options.map((option) => {
        const attempt = new Check(this.#root);
        attempt.#steps = this.#steps;
        attempt.visit(option, value, path, depth + 1);
        this.#steps = attempt.#steps;
        return attempt.problems;
      });
      if (attempts.some((problems) => problems.length === 0)) continue;
      const best = attempts.reduce((a, b) => (b.length < a.length ? b : a));
      for (const problem of best) this.#report(problem.path, problem.message);
    }
  }

  #checkObject(schema: Schema, value: Readonly<Record<string, unknown>>, path: string, depth: number): void {
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const required = Array.isArray(schema["required"]) ? schema["required"] : [];
    for (const name of required) {
      if (typeof name === "string" && !Object.hasOwn(value, name))
        this.#report(`${path}/${name}`, "is required and missing");
    }
    const additional = schema["additionalProperties"];
    for (const [name, child] of Object.entries(value)) {
      if (Object.hasOwn(properties, name)) this.visit(properties[name], child, `${path}/${name}`, depth + 1);
      else if (additional === false && schema["patternProperties"] === undefined) {
        const known = Object.keys(properties).slice(0, 12).join(", ");
        this.#report(`${path}/${name}`, `is not a parameter. Parameters: ${known || "none"}`);
      } else if (isObject(additional)) this.visit(additional, child, `${path}/${name}`, depth + 1);
    }
  }

  #checkArray(schema: Schema, value: readonly unknown[], path: string, depth: number): void {
    const { minItems, maxItems, items, prefixItems } = schema;
    if (typeof minItems === "number" && value.length < minItems)
      this.#report(path, `must have at least ${minItems} items`);
    if (typeof maxItems === "number" && value.length > maxItems)
      this.#report(path, `must have at most ${maxItems} items`);
    const prefix = Array.isArray(prefixItems) ? prefixItems : [];
    value.forEach((item, index) => {
      const itemSchema = prefix[index] ?? items;
      if (itemSchema !== undefined) this.visit(itemSchema, item, `${path}/${index}`, depth + 1);
    });
  }

  /** Follows local references, a few at most: a cycle of references says nothing. */
  #resolve(schema: unknown): Schema | undefined {
    let current = schema;
    for (let hops = 0; hops < 16; hops++) {
      if (!isObject(current)) return undefined;
      const reference = current["$ref"];
      if (typeof reference !== "string") return current;
      if (!reference.startsWith("#")) return undefined;
      current = lookUp(this.#root, reference);
    }
    return undefined;
  }

  #report(path: string, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ path, message });
  }
}

function lookUp(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let current = root;
  for (const step of reference.slice(2).split("/")) {
    const key = safeDecode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    case "number":
    case "string":
    case "boolean":
      return typeof value === type;
    default:
      return true;
  }
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function sameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
