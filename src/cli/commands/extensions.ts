/** `kari extensions`: which extensions there are, and changing that. `add` and `import` have files of their own. */
import {
  type ExtensionRow,
  listExtensions,
  removeExtension,
  setExtensionEnabled,
} from "../../app/manage-extensions.ts";
import type { Probe } from "../../app/probe-extensions.ts";
import { ourSurroundings } from "../../app/surroundings.ts";
import { nearest } from "../../lib/nearest.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { type Command, choice, type Invocation, noMore } from "../command.ts";
import { createProgress } from "../progress.ts";
import { table } from "../table.ts";

const VERBS = ["list", "add", "remove", "enable", "disable", "import"] as const;

export const extensionsCommand: Command = {
  summary: "Show, add, remove, switch on and off, or import extensions. Changes go to config.yaml.",
  usage:
    "kari extensions list [--probe]\n" +
    '       kari extensions add NAME (--builtin B | --stdio "cmd args" | -- cmd args | --http URL | --sse URL) [options]\n' +
    "       kari extensions (remove | enable | disable) NAME\n" +
    "       kari extensions import [FILE | -] [--from HOST] [--yes]",
  options: {
    format: { type: "string", value: "F", help: "list, import: text (the default) or json" },
    probe: { type: "boolean", help: "list: start each enabled one and ask it" },
    builtin: { type: "string", value: "B", help: "add: one of Kari's own servers (see kari mcp --help)" },
    stdio: { type: "string", value: "CMD", help: "add: a command with its arguments, quoted as in a shell" },
    http: { type: "string", value: "URL", help: "add: a server over streamable HTTP" },
    sse: { type: "string", value: "URL", help: "add: a server over the older HTTP+SSE" },
    env: { type: "string", multiple: true, value: "K=V", help: "add: a variable of its environment" },
    "env-key": {
      type: "string",
      multiple: true,
      value: "NAME",
      help: "add: a variable it takes from your environment or the secret store",
    },
    header: { type: "string", multiple: true, value: "K=V", help: "add: a header of each request" },
    tool: { type: "string", multiple: true, value: "NAME", help: "add: only these tools of it" },
    cwd: { type: "string", value: "DIR", help: "add: the folder it is started in" },
    description: { type: "string", value: "TEXT", help: "add: what it is for" },
    timeout: { type: "string", value: "S", help: "add: seconds of silence before a call is given up (300)" },
    required: { type: "boolean", help: "add: a first question waits for it" },
    disabled: { type: "boolean", help: "add: switched off for now" },
    from: {
      type: "string",
      value: "HOST",
      help: "import: claude-desktop, claude-code, vscode, cursor, gemini, opencode or goose",
    },
    yes: { type: "boolean", short: "y", help: "import: write it without asking" },
  },
  examples: [
    "kari extensions list --probe",
    'kari extensions add memory --stdio "npx -y @modelcontextprotocol/server-memory"',
    "kari extensions add github --env-key GITHUB_TOKEN -- npx -y @modelcontextprotocol/server-github",
    "kari extensions add docs --http https://example.com/mcp --header 'Authorization=Bearer ${DOCS_TOKEN}'",
    "kari extensions disable developer",
    "kari extensions import --from claude-desktop",
    "kari extensions import .mcp.json",
  ],
  async run(invocation) {
    const [verb] = invocation.positionals;
    switch (VERBS.find((candidate) => candidate === verb)) {
      case "list":
        return await list(invocation);
      case "add":
        return await (await import("./extensions-add.ts")).addFromFlags(invocation);
      case "remove":
        return await remove(invocation);
      case "enable":
        return await toggle(invocation, true);
      case "disable":
        return await toggle(invocation, false);
      case "import":
        return await (await import("./extensions-import.ts")).importExtensions(invocation);
      case undefined: {
        const near = verb === undefined ? undefined : nearest(verb, VERBS, 1)[0];
        throw new UsageError(
          `kari extensions ${verb ?? ""}: it is ${VERBS.join(", ")}.${near ? ` Did you mean ${near}?` : ""}`,
        );
      }
    }
  },
};

async function list({ values, positionals }: Invocation): Promise<number> {
  noMore(positionals, 1);
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const place = ourSurroundings();
  const rows = await listExtensions(place);
  const probes = values["probe"] === true ? await probe(rows) : new Map<string, Probe>();
  if (format === "json") {
    const extensions = rows.map((row) => ({
      ...row,
      ...(probes.has(row.name) && { probe: probes.get(row.name) }),
    }));
    console.log(JSON.stringify({ extensions }, null, 2));
  } else console.log(values["probe"] === true ? probeTable(rows, probes) : plainTable(rows));
  for (const { name, problem } of rows)
    if (problem !== undefined && !probes.has(name))
      console.error(`kari: ${terminalText(`${name}: ${problem}`)}`);
  const failed = [...probes.values()].filter((one) => one.state === "failed");
  for (const { error, advice } of failed)
    console.error(`kari: ${terminalText(error)}\n  → ${terminalText(advice)}`);
  return failed.length > 0 ? 1 : 0;
}

async function probe(rows: readonly ExtensionRow[]): Promise<Map<string, Probe>> {
  const place = ourSurroundings();
  const { probeEnabled } = await import("../../app/probe-extensions.ts");
  const progress = createProgress(process.stderr);
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  try {
    const probes = await probeEnabled({
      ...place,
      signal: interrupt.signal,
      onStart: (name) => progress.start(name),
      onEnd: ({ name }) => progress.end(name),
    });
    return new Map(
      probes.filter(({ name }) => rows.some((row) => row.name === name)).map((one) => [one.name, one]),
    );
  } finally {
    progress.close();
  }
}

function plainTable(rows: readonly ExtensionRow[]): string {
  const cells = rows.map(({ name, kind, enabled, tools, target }) => [
    name,
    kind,
    enabled ? "yes" : "no",
    tools === undefined ? "?" : String(tools),
    target,
  ]);
  return table(["NAME", "KIND", "ENABLED", "TOOLS", "WHAT"], cells);
}

function probeTable(rows: readonly ExtensionRow[], probes: ReadonlyMap<string, Probe>): string {
  const cells = rows.map(({ name, kind, enabled, target }) => {
    const found = probes.get(name);
    if (!found) return [name, kind, enabled ? "not probed" : "disabled", "", "", "", "", target];
    if (found.state === "failed") return [name, kind, "failed", "", "", `${found.afterMs} ms`, "", target];
    const { era, tools, startMs, pid } = found;
    return [
      name,
      kind,
      "ready",
      era,
      String(tools),
      `${startMs} ms`,
      pid === undefined ? "" : String(pid),
      target,
    ];
  });
  return table(["NAME", "KIND", "STATE", "ERA", "TOOLS", "START", "PID", "WHAT"], cells);
}

async function remove(invocation: Invocation): Promise<number> {
  const { file, removed, isDefault } = await removeExtension(nameFrom(invocation), ourSurroundings());
  console.log(`Removed from ${file}:\n${terminalText(removed)}`);
  if (isDefault)
    console.log("It is one of Kari's own, and on again now. To do without it: kari extensions disable.");
  return 0;
}

async function toggle(invocation: Invocation, enabled: boolean): Promise<number> {
  const { file, name, changed } = await setExtensionEnabled(nameFrom(invocation), enabled, ourSurroundings());
  const state = enabled ? "enabled" : "disabled";
  console.log(changed ? `${name} is ${state} now (${file}).` : `${name} was ${state} already.`);
  return 0;
}

function nameFrom({ positionals }: Invocation): string {
  const [verb, name] = positionals;
  if (name === undefined)
    throw new UsageError(`Which extension? kari extensions ${verb} NAME; kari extensions list shows them.`);
  noMore(positionals, 2);
  return name;
}
