/**
 * `kari extensions import`: shows what other hosts have and what would be added, then adds what was agreed to.
 * Exact commands are shown. `--yes` does not cover files in the project folder unless the file itself was named.
 */
import { readFileSync } from "node:fs";
import {
  applyImport,
  HOST_IDS,
  type ImportPlan,
  type ImportResult,
  type PlannedImport,
  planImport,
} from "../../app/import-extensions.ts";
import { ourSurroundings } from "../../app/surroundings.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { canAsk } from "../can-ask.ts";
import { choice, type Invocation, noMore } from "../command.ts";
import { InputEnded, openPrompter, type Prompter } from "../prompter.ts";
import { table } from "../table.ts";

export async function importExtensions({ values, positionals }: Invocation): Promise<number> {
  noMore(positionals, 2);
  const [, file] = positionals;
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const from = choice(values, "from", HOST_IDS);
  const place = ourSurroundings();
  const plan = await planImport(
    {
      ...(file !== undefined && { file }),
      ...(file === "-" && { text: readFileSync(0, "utf8") }),
      ...(from !== undefined && { from }),
    },
    place,
  );
  const toAdd = plan.entries.filter(({ action }) => action === "add");
  const agreed =
    values["yes"] === true ? toAdd.filter(({ scope }) => scope === "user" || file !== undefined) : [];
  if (format === "json") {
    const result = agreed.length > 0 ? await applyImport(agreed, {}, place) : undefined;
    console.log(JSON.stringify({ ...withoutSecrets(plan), ...(result && { written: result }) }, null, 2));
    return exitCode(plan);
  }
  console.log(showPlan(plan));
  for (const { problem } of plan.files)
    if (problem !== undefined) console.error(`kari: ${terminalText(problem)}`);
  if (toAdd.length === 0) return exitCode(plan);
  if (values["yes"] === true) {
    if (agreed.length > 0) console.log(showResult(await applyImport(agreed, {}, place)));
    const left = toAdd.filter((entry) => !agreed.includes(entry));
    if (left.length > 0) console.error(leftOut(left));
    return exitCode(plan);
  }
  if (!canAsk() || file === "-") {
    console.error("kari: nothing was written. Run it again with --yes to write this.");
    return exitCode(plan);
  }
  return await askAndApply(toAdd, plan);
}

async function askAndApply(toAdd: readonly PlannedImport[], plan: ImportPlan): Promise<number> {
  const prompter = openPrompter({ input: process.stdin, output: process.stderr });
  try {
    const what = toAdd.length === 1 ? "this extension" : `these ${toAdd.length} extensions`;
    if (!(await prompter.confirm(`Add ${what}?`, false))) {
      prompter.say("Nothing was written.");
      return exitCode(plan);
    }
    const answers = await askForInputs(toAdd, prompter);
    console.log(showResult(await applyImport(toAdd, answers, ourSurroundings())));
    return exitCode(plan);
  } catch (error) {
    if (!(error instanceof InputEnded)) throw error;
    throw new UsageError("Nobody answered. Nothing was written.");
  } finally {
    prompter.close();
  }
}

async function askForInputs(
  entries: readonly PlannedImport[],
  prompter: Prompter,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const { name, asks } of entries) {
    for (const { name: variable, description } of asks) {
      if (variable in answers || process.env[variable]) continue;
      const value = await prompter.secret(`${name} asks for: ${description} (not shown; empty: later)`);
      if (value !== "") answers[variable] = value;
    }
  }
  return answers;
}

function exitCode({ files }: ImportPlan): number {
  return files.some(({ problem }) => problem !== undefined) ? 1 : 0;
}

function withoutSecrets({ files, entries }: ImportPlan): object {
  return {
    files,
    entries: entries.map(({ secrets, ...entry }) => ({ ...entry, secrets: Object.keys(secrets) })),
  };
}

function showPlan({ files, entries }: ImportPlan): string {
  if (files.length === 0)
    return (
      "No file of another host was found. Name one: kari extensions import FILE. Hosts: " +
      HOST_IDS.join(", ")
    );
  const found = files.map(({ host, path, scope, servers, problem }) => [
    `  ${host ?? "file"}`,
    problem === undefined ? `${servers} server${servers === 1 ? "" : "s"}` : "not readable",
    scope === "project" ? `${path} (project file: others may have written it)` : path,
  ]);
  const added = entries.filter(({ action }) => action === "add");
  const rest = entries.filter(({ action }) => action !== "add");
  return [
    table(["Found:", "", ""], found),
    ...(added.length > 0 ? [`Would add:\n${added.map(showEntry).join("\n")}`] : []),
    ...(rest.length > 0 ? [table(["Left out:", "", ""], rest.map(showRest))] : []),
    ...(added.length === 0 ? ["There is nothing to add."] : []),
  ].join("\n\n");
}

function showEntry({ name, entry, target, notes, asks, path, scope }: PlannedImport): string {
  const values =
    entry?.type === "stdio" ? entry.envs : entry && "headers" in entry ? entry.headers : undefined;
  const details = [
    ...(scope === "project" ? [`from ${path}`] : []),
    ...(entry?.enabled === false ? ["switched off there, and here too"] : []),
    ...(entry?.type === "stdio" && entry.cwd ? [`in ${entry.cwd}`] : []),
    ...Object.entries(values ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(entry?.type === "stdio" && entry.env_keys ? [`takes ${entry.env_keys.join(", ")}`] : []),
    ...asks.map(
      ({ name: variable, description }) =>
        `asks for ${variable} (${description}): kari config secret ${variable}`,
    ),
    ...notes,
  ];
  const lines = [`  ${name}  ${entry?.type}  ${target}`, ...details.map((detail) => `      ${detail}`)];
  return lines.map((line) => terminalText(line).replace(/[\r\n]+/g, " ")).join("\n");
}

function showRest({ name, action, reason, path }: PlannedImport): readonly string[] {
  switch (action) {
    case "exists":
      return [`  ${name}`, "is there already", path];
    case "conflict":
      return [`  ${name}`, `the name is taken: ${reason}`, path];
    default:
      return [`  ${name}`, `cannot be taken over: ${reason}`, path];
  }
}

function showResult({ file, added, secrets, keptSecrets }: ImportResult): string {
  const kept = Object.entries(secrets).map(([name, place]) =>
    place === "keyring"
      ? `${name} is kept in the system's keyring.`
      : `${name} is kept in secrets.json, in clear, for you alone.`,
  );
  const old = keptSecrets.map((name) => `${name} was kept already with another value, and that one stays.`);
  return [`Added to ${file}: ${added.join(", ")}.`, ...kept, ...old, "To try them: kari doctor"].join("\n");
}

function leftOut(entries: readonly PlannedImport[]): string {
  const files = [...new Set(entries.map(({ path }) => path))];
  return (
    `kari: ${entries.map(({ name }) => name).join(", ")} stand in a project file and were not added: --yes alone does not cover those. ` +
    `Name the file: ${files.map((file) => `kari extensions import ${file} --yes`).join("; ")}`
  );
}
