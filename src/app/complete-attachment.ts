/**
 * What could follow behind an @: extensions, then their resources and templates, then values of a template's
 * parameters as its server completes them, and files of the working directory. It proposes and changes nothing; what
 * servers say is offered only when it can be shown as it is.
 */
import { readdirSync } from "node:fs";
import { type CallOptions, type Extension, isServerExtension } from "../extensions/index.ts";
import { revealHidden } from "../lib/hidden-text.ts";
import { resolveInside } from "../lib/safe-path.ts";
import { templatePosition } from "../lib/template-position.ts";
import { terminalText } from "../lib/terminal-text.ts";
import { unfinishedAttachment } from "./attachments.ts";

export interface Completions {
  /** What is typed of it, the @ included: every item begins with it, or stands in quotes where that one does not. */
  readonly typed: string;
  readonly items: readonly string[];
}

export interface CompletionWorld {
  readonly extensions: readonly Extension[];
  readonly workingDirectory: string;
}

const MAX_ITEMS = 200;

/** Undefined when the text does not end in an attachment. Never throws: who does not answer has nothing to offer. */
export async function completeAttachment(
  text: string,
  world: CompletionWorld,
  options: CallOptions,
): Promise<Completions | undefined> {
  const open = unfinishedAttachment(text);
  if (!open) return undefined;
  const at = text[open.start] ?? "@";
  const items = await proposals(open.typed, world, options);
  const usable = [...new Set(items)].filter(isPlain).slice(0, MAX_ITEMS);
  return { typed: `${at}${open.typed}`, items: usable.map((item) => `${at}${item}`) };
}

async function proposals(
  typed: string,
  world: CompletionWorld,
  options: CallOptions,
): Promise<readonly string[]> {
  const [, name = "", quote = "", rest = ""] = /^([A-Za-z0-9][\w-]*):("?)(.*)$/su.exec(typed) ?? [];
  const extension = world.extensions.find(({ key }) => key === name.toLowerCase());
  if (extension) return (await resourcesOf(extension, rest, options)).map((uri) => `${name}:${quote}${uri}`);
  const keys = world.extensions.map(({ key }) => `${key}:`).filter((key) => key.startsWith(typed));
  return [...keys, ...(typed === "" ? ["./"] : filesOf(typed, world.workingDirectory))];
}

async function resourcesOf(
  extension: Extension,
  typed: string,
  options: CallOptions,
): Promise<readonly string[]> {
  const [resources, templates] = await Promise.all([
    extension.listResources(options).catch(() => []),
    extension.listResourceTemplates(options).catch(() => []),
  ]);
  const uris = resources.map(({ uri }) => uri).filter((uri) => uri.startsWith(typed) && uri !== typed);
  const filled = await Promise.all(
    templates.map(({ uriTemplate }) => fillTemplate(extension, uriTemplate, typed, options)),
  );
  return [...uris, ...filled.flat()];
}

async function fillTemplate(
  extension: Extension,
  template: string,
  typed: string,
  options: CallOptions,
): Promise<readonly string[]> {
  const position = templatePosition(template, typed);
  if (!position) return [];
  if (position.type === "fixed") return [position.text];
  if (!isServerExtension(extension)) return [];
  const { name, value, before, after, others, reserved } = position;
  const values = await extension
    .complete(
      { ref: { type: "template", uri: template }, argument: { name, value }, context: others },
      options,
    )
    .catch(() => []);
  const written = values.map((one) => `${before}${reserved ? one : inUri(one)}${after}`);
  const fitting = written.filter((uri) => uri.startsWith(typed) && uri !== typed);
  return fitting.length > 0 || value === "" ? fitting : written.filter((uri) => decodes(uri, typed));
}

/** Letters of any script stay readable; whoever attaches it spells it in percents where that is needed. */
function inUri(value: string): string {
  return value.replace(/[\s/?#%"'<>\\^`{|}]/g, (character) => encodeURIComponent(character));
}

function decodes(uri: string, typed: string): boolean {
  try {
    return decodeURI(uri).startsWith(decodeURI(typed));
  } catch {
    return false;
  }
}

function filesOf(typed: string, workingDirectory: string): readonly string[] {
  const [, quote = "", path = ""] = /^("?)(.*)$/su.exec(typed) ?? [];
  const slash = path.lastIndexOf("/") + 1;
  const [folder, prefix] = [path.slice(0, slash), path.slice(slash).normalize("NFC")];
  const inside = folder.replace(/^(\.\/)+/, "");
  try {
    const { path: real } = resolveInside(workingDirectory, inside === "" ? "." : inside, {
      absolute: "inside",
    });
    return readdirSync(real, { withFileTypes: true })
      .filter(
        ({ name }) => name.normalize("NFC").startsWith(prefix) && (prefix !== "" || !name.startsWith(".")),
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((entry) => {
        const whole = `${folder}${entry.name.normalize("NFC")}${entry.isDirectory() ? "/" : ""}`;
        const needsQuotes = quote !== "" || /[\s"'`<>|{},;、。，．「」『』（）]/.test(whole);
        return needsQuotes ? `"${whole}${entry.isDirectory() ? "" : '"'}` : whole;
      });
  } catch {
    return [];
  }
}

/** Nothing that would be printed differently from what it is. */
function isPlain(item: string): boolean {
  return revealHidden(terminalText(item)) === item && !/[\r\n]/.test(item);
}
