/**
 * Puts an extension's question to the person at the terminal: a form field by field, or an address to open. It says
 * who asks, shows everything before anything is sent, and no is always possible. End of input is a no.
 */
import {
  type Elicitation,
  type ElicitationAnswer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../conversation/index.ts";
import { checkAgainstSchema } from "../lib/schema-check.ts";
import { terminalText } from "../lib/terminal-text.ts";

export interface Terminal {
  /** Undefined at the end of input. */
  ask(prompt: string): Promise<string | undefined>;
  say(text: string): void;
  /** Opens an address in the browser; rejects when there is none. */
  open(url: string): Promise<void>;
}

export const NOBODY_THERE: ElicitationAnswer = {
  type: "decline",
  reason: "nobody can be asked in this run; run it in a terminal to answer",
};

const MAX_TRIES = 3;

export async function askElicitation(
  elicitation: Elicitation,
  terminal: Terminal,
): Promise<ElicitationAnswer> {
  terminal.say(`\n${elicitation.extension} asks: ${terminalText(elicitation.message)}`);
  return elicitation.type === "url"
    ? await askToOpen(elicitation, terminal)
    : await askForm(elicitation, terminal);
}

async function askToOpen(
  { url, host }: Extract<Elicitation, { type: "url" }>,
  terminal: Terminal,
): Promise<ElicitationAnswer> {
  terminal.say(`It wants you to open a page at ${terminalText(host)}:\n  ${terminalText(url)}`);
  if (!isYes(await terminal.ask("Open it? [y]es, [n]o: "))) return { type: "decline" };
  await terminal
    .open(url)
    .catch((error: Error) => terminal.say(`${error.message}\nOpen the address yourself.`));
  return { type: "accept" };
}

async function askForm(
  { schema }: Extract<Elicitation, { type: "form" }>,
  terminal: Terminal,
): Promise<ElicitationAnswer> {
  const fields = Object.entries(isJsonObject(schema["properties"]) ? schema["properties"] : {});
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  if (fields.length === 0)
    return isYes(await terminal.ask("Agree? [y]es, [n]o: "))
      ? { type: "accept", content: {} }
      : { type: "decline" };
  terminal.say("(An empty line takes the default or leaves a field out; . declines.)");
  const content: Record<string, JsonValue> = {};
  for (const [name, field] of fields) {
    if (!isJsonObject(field)) continue;
    const answer = await askField(name, field, required.includes(name), terminal);
    if (answer.type === "decline") return answer;
    if (answer.value !== undefined) content[name] = answer.value;
  }
  terminal.say(`To be sent: ${terminalText(JSON.stringify(content))}`);
  return isYes(await terminal.ask("Send it? [y]es, [n]o: "))
    ? { type: "accept", content }
    : { type: "decline" };
}

type FieldAnswer = { readonly type: "value"; readonly value?: JsonValue } | { readonly type: "decline" };

async function askField(
  name: string,
  field: JsonObject,
  required: boolean,
  terminal: Terminal,
): Promise<FieldAnswer> {
  terminal.say(describeField(name, field, required));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const line = await terminal.ask("> ");
    if (line === undefined || line.trim() === ".") return { type: "decline" };
    if (line.trim() === "") {
      const fallback = field["default"];
      if (fallback !== undefined) return { type: "value", value: fallback };
      if (!required) return { type: "value" };
      terminal.say("This field is needed.");
      continue;
    }
    const value = readValue(line.trim(), field);
    const [problem] = checkAgainstSchema(field, value);
    if (!problem) return { type: "value", value };
    terminal.say(terminalText(`That ${problem.message}.`));
  }
  return { type: "decline" };
}

function describeField(name: string, field: JsonObject, required: boolean): string {
  const title = typeof field["title"] === "string" ? field["title"] : name;
  const description = typeof field["description"] === "string" ? `: ${field["description"]}` : "";
  const fallback = field["default"] === undefined ? "" : ` [${JSON.stringify(field["default"])}]`;
  const choices = choicesOf(field).map(({ label }, index) => `  ${index + 1}) ${label}`);
  const several = field["type"] === "array" ? " (several, with commas)" : "";
  const kind = field["type"] === "boolean" ? " (yes or no)" : "";
  const head = `${title}${required ? " *" : ""}${description}${several}${kind}${fallback}`;
  return terminalText([head, ...choices].join("\n"));
}

interface Choice {
  readonly value: JsonValue;
  readonly label: string;
}

/** Plain enums, enums with names of their own, and the same inside a list. */
function choicesOf(field: JsonObject): readonly Choice[] {
  const source = isJsonObject(field["items"]) ? field["items"] : field;
  const named = source["oneOf"] ?? source["anyOf"];
  if (Array.isArray(named)) {
    return named.filter(isJsonObject).flatMap((option) => {
      const value = option["const"];
      return value === undefined ? [] : [{ value, label: String(option["title"] ?? value) }];
    });
  }
  const names: readonly JsonValue[] = Array.isArray(source["enumNames"]) ? source["enumNames"] : [];
  const values: readonly JsonValue[] = Array.isArray(source["enum"]) ? source["enum"] : [];
  return values.map((value, index) => ({ value, label: String(names[index] ?? value) }));
}

function readValue(line: string, field: JsonObject): JsonValue {
  const plain = line.normalize("NFKC");
  const choices = choicesOf(field);
  if (field["type"] === "array") return plain.split(/[,、]/).map((part) => pick(part.trim(), choices));
  if (choices.length > 0) return pick(plain, choices);
  if (field["type"] === "boolean") return isYes(plain) ? true : isNo(plain) ? false : line;
  if (field["type"] === "number" || field["type"] === "integer")
    return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : line;
  return line;
}

function pick(text: string, choices: readonly Choice[]): JsonValue {
  const byNumber = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined;
  const byName = choices.find(({ value, label }) => String(value) === text || label === text);
  return (byName ?? byNumber)?.value ?? text;
}

function isYes(answer: string | undefined): boolean {
  return ["y", "yes", "true", "はい"].includes((answer ?? "").normalize("NFKC").trim().toLowerCase());
}

function isNo(answer: string): boolean {
  return ["n", "no", "false", "いいえ"].includes(answer.trim().toLowerCase());
}
