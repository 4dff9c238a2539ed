/**
 * Finds what a person's @ means: a resource of an extension, or a file of the working directory. A file goes through
 * the developer extension where there is one, so that it is watched and can be read by parts; else it is read here.
 * Nothing outside the working directory is read. What cannot be attached is said in words and stays in the text.
 */
import { homedir } from "node:os";
import { pathToFileURL } from "node:url";
import type { ResourceContents } from "../conversation/index.ts";
import { type Extension, extensionKey } from "../extensions/index.ts";
import { nearest } from "../lib/nearest.ts";
import { resolveInside, SafePathError, shown } from "../lib/safe-path.ts";
import { matchesTemplate } from "../lib/uri-template.ts";
import { type Attachment, parseAttachments, type Reading, type Target } from "./attachments.ts";
import { readAttachedFile } from "./read-attached-file.ts";

export interface AttachmentWorld {
  readonly extensions: readonly Extension[];
  readonly workingDirectory: string;
}

export type Attached =
  /** For the shelf. */
  | { readonly type: "resource"; readonly extension: string; readonly uri: string }
  /** For the message itself: no extension knows it. */
  | { readonly type: "file"; readonly contents: ResourceContents };

export interface Resolved {
  /** In the order of the text, each once. */
  readonly attached: readonly Attached[];
  /** One sentence for each that was meant and is not there. */
  readonly problems: readonly string[];
}

const LOOK_MS = 10_000;
/** A text may be pasted from anywhere. */
const MAX_ATTACHMENTS = 50;

export async function resolveAttachments(
  text: string,
  world: AttachmentWorld,
  options: { readonly signal: AbortSignal },
): Promise<Resolved> {
  const parsed = parseAttachments(text);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(LOOK_MS)]);
  const looks = await Promise.all(
    parsed.slice(0, MAX_ATTACHMENTS).map((attachment) => resolve(attachment, world, signal)),
  );
  const found = looks.flatMap((look) => (look.type === "found" ? [look.attached] : []));
  const problems = looks.flatMap((look) => (look.type === "problem" ? [look.words] : []));
  const rest = parsed.slice(MAX_ATTACHMENTS).filter(({ sure }) => sure).length;
  if (rest > 0) problems.push(`Only the first ${MAX_ATTACHMENTS} were attached; ${rest} more were not.`);
  return { attached: [...new Map(found.map((one) => [JSON.stringify(one), one])).values()], problems };
}

type Look =
  | { readonly type: "found"; readonly attached: Attached }
  | { readonly type: "problem"; readonly words: string }
  /** Just a word. */
  | { readonly type: "nothing" };

/** The longest reading that exists; when none does, the shortest one is what was most likely meant. */
async function resolve(
  { readings, sure }: Attachment,
  world: AttachmentWorld,
  signal: AbortSignal,
): Promise<Look> {
  let last: Look = { type: "nothing" };
  for (const reading of readings) {
    last = await lookAt(reading, world, signal);
    if (last.type === "found") return last;
  }
  return sure ? last : { type: "nothing" };
}

async function lookAt({ target }: Reading, world: AttachmentWorld, signal: AbortSignal): Promise<Look> {
  try {
    const attached =
      target.type === "path" ? findFile(target.path, world) : await findResource(target, world, signal);
    return { type: "found", attached };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { type: "problem", words };
  }
}

function findFile(path: string, { extensions, workingDirectory }: AttachmentWorld): Attached {
  const wanted = path.startsWith("~/") ? `${homedir()}${path.slice(1)}` : path.replace(/^\.\//, "");
  try {
    const { path: real } = resolveInside(workingDirectory, wanted, { absolute: "inside" });
    const developer = extensions.find(
      ({ key, kind, state }) => key === "developer" && kind === "builtin" && state.type !== "failed",
    );
    if (!developer) return { type: "file", contents: readAttachedFile(workingDirectory, wanted) };
    refuseFolder(workingDirectory, wanted);
    return { type: "resource", extension: developer.key, uri: pathToFileURL(real).href };
  } catch (error) {
    if (!(error instanceof SafePathError)) throw error;
    throw new Error(`@${shown(path)} was not attached: ${inWords(error, path)}`);
  }
}

/** The same checks as reading it, without the bytes. */
function refuseFolder(workingDirectory: string, path: string): void {
  readAttachedFile(workingDirectory, path, { only: "check" });
}

function inWords(error: SafePathError, path: string): string {
  switch (error.code) {
    case "outside":
    case "traversal":
    case "absolute":
      return "it lies outside the working directory, and only files inside can be attached.";
    case "not-found":
      return `there is no file ${shown(path)} here.`;
    case "not-a-file":
      return "it is a folder; name a file in it.";
    default:
      return `${error.message}.`;
  }
}

async function findResource(
  { extension, uri }: Extract<Target, { type: "resource" }>,
  world: AttachmentWorld,
  signal: AbortSignal,
): Promise<Attached> {
  const owners = extension === undefined ? await likelyOwners(uri, world, signal) : [named(extension, world)];
  const failures: string[] = [];
  for (const owner of owners) {
    for (const written of spellings(uri)) {
      try {
        await owner.readResource(written, { signal });
        return { type: "resource", extension: owner.key, uri: written };
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  }
  const why = failures[0] ?? "no extension has it.";
  throw new Error(`${shown(uri)} was not attached: ${why}`);
}

function named(name: string, { extensions }: AttachmentWorld): Extension {
  const found = extensions.find(({ key }) => key === name || key === extensionKey(name));
  if (found) return found;
  const keys = extensions.map(({ key }) => key);
  const near = nearest(name, keys, 1)[0];
  throw new Error(
    `@${name}:… was not attached: there is no extension "${name}".${near ? ` Did you mean ${near}?` : ""}`,
  );
}

/** Who lists it, or has a template that it fits. Nobody else is asked for what may be any address of the world. */
async function likelyOwners(
  uri: string,
  { extensions }: AttachmentWorld,
  signal: AbortSignal,
): Promise<readonly Extension[]> {
  const written = spellings(uri);
  const fits = await Promise.all(
    extensions.map(async (extension) => {
      const [resources, templates] = await Promise.all([
        extension.listResources({ signal }).catch(() => []),
        extension.listResourceTemplates({ signal }).catch(() => []),
      ]);
      if (resources.some((resource) => written.includes(resource.uri))) return 0;
      return templates.some(({ uriTemplate }) => written.some((one) => matchesTemplate(uriTemplate, one)))
        ? 1
        : 2;
    }),
  );
  return [0, 1].flatMap((rank) => extensions.filter((_, index) => fits[index] === rank));
}

/** People write 小町; a URI says it in percents. */
function spellings(uri: string): readonly string[] {
  const encoded = uri.replace(/[^\x21-\x7e]+/gu, (part) => encodeURIComponent(part.toWellFormed()));
  return encoded === uri ? [uri] : [uri, encoded];
}
