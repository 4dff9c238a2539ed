/** `kari doctor`: everything looked over, one line each, and what to do about what is wrong. */
import { type Check, type Diagnosis, diagnose, type Probe } from "../../app/doctor.ts";
import { ourSurroundings } from "../../app/surroundings.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import { padToWidth } from "../../lib/text-width.ts";
import { type Command, choice, noMore, positiveInteger } from "../command.ts";
import { type Style, styleFor } from "../print-events.ts";
import { createProgress } from "../progress.ts";

export const doctorCommand: Command = {
  summary:
    "Check the installation: Node, configuration, folders, provider; then start each enabled extension,\n" +
    "ask it what it offers, and time it. Exit code 1 when something failed.",
  usage: "kari doctor [EXTENSION] [--format json]",
  options: {
    format: { type: "string", value: "F", help: "text (the default) or json" },
    timeout: { type: "string", value: "S", help: "seconds an extension may take to start (30)" },
  },
  examples: ["kari doctor", "kari doctor github", "kari doctor --format json --timeout 5"],
  async run({ values, positionals }) {
    noMore(positionals, 1);
    const [extension] = positionals;
    const format = choice(values, "format", ["text", "json"]) ?? "text";
    const timeout = positiveInteger(values, "timeout");
    const progress = createProgress(process.stderr);
    const interrupt = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => interrupt.abort());
    const style = styleFor(process.stdout, process.env);
    const say = (line: string) => format === "text" && console.log(line);
    try {
      const diagnosis = await diagnose({
        ...ourSurroundings(),
        ...(extension !== undefined && { extension }),
        ...(timeout !== undefined && { startupTimeoutMs: timeout * 1000 }),
        signal: interrupt.signal,
        onCheck: (check) => say(showCheck(check, style)),
        onStart: (name) => progress.start(name),
        onEnd: (probe) => {
          progress.end(probe.name);
          say(showProbe(probe, style));
        },
      });
      if (interrupt.signal.aborted) return 130;
      if (format === "json") console.log(JSON.stringify(diagnosis, null, 2));
      say(conclusion(diagnosis));
      return diagnosis.ok ? 0 : 1;
    } finally {
      progress.close();
    }
  },
};

const NAME_WIDTH = 22;

function showCheck({ name, status, detail, advice }: Check, style: Style): string {
  return block(status, name, detail, advice === undefined ? [] : [`→ ${advice}`], style);
}

export function showProbe(probe: Probe, style: Style): string {
  if (probe.state === "failed") {
    const detail = `${probe.kind}, failed after ${probe.afterMs} ms\n${probe.error}`;
    return block("failed", probe.name, detail, [`→ ${probe.advice}`], style);
  }
  const { kind, era, startMs, tools, resources, templates, stray, problems } = probe;
  const offers = [
    amount(tools, "tool"),
    ...(resources > 0 ? [amount(resources, "resource")] : []),
    ...(templates > 0 ? [amount(templates, "resource template")] : []),
  ];
  const detail = `${kind}, ${era}, ${startMs} ms, ${offers.join(", ")}`;
  const noise =
    stray.count > 0
      ? [
          `It printed ${amount(stray.count, "line")} on stdout that ${stray.count === 1 ? "is no message" : "are no messages"}, such as: ${stray.samples[0] ?? ""}`,
          "→ They are skipped. Whoever wrote it should print such lines on stderr.",
        ]
      : [];
  const status = noise.length + problems.length > 0 ? "warning" : "ok";
  return block(status, probe.name, detail, [...noise, ...problems], style);
}

function block(
  status: Check["status"],
  name: string,
  detail: string,
  more: readonly string[],
  style: Style,
): string {
  const [first = "", ...rest] = terminalText([detail, ...more].join("\n")).split("\n");
  const head = `${padToWidth(status, 8)} ${padToWidth(terminalText(name), NAME_WIDTH)} ${first}`;
  const lines = [head, ...rest.map((line) => `${" ".repeat(9)}${line}`)];
  return status === "ok" ? lines.join("\n") : style.warn(lines.join("\n"));
}

function conclusion({ ok, checks, extensions }: Diagnosis): string {
  const failed =
    checks.filter(({ status }) => status === "failed").length +
    extensions.filter(({ state }) => state === "failed").length;
  const total = checks.length + extensions.length;
  return ok ? `\nNothing failed (${amount(total, "check")}).` : `\n${failed} of ${total} checks failed.`;
}

function amount(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
