/**
 * `kari resources read URI`: the whole of it, or a part, on the screen, as JSON or into a file. Whose it is finds
 * platform__read_resource, as it does for a model; a person is not limited to what a model may read at once.
 */
import { writeFileSync } from "node:fs";
import { type OpenedProfile, openProfile } from "../../app/open-profile.ts";
import type { JsonObject, ResourceContents, ToolResponse } from "../../conversation/index.ts";
import { cleanBase64 } from "../../lib/base64.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { choice, type Invocation, type OptionValues, positiveInteger, text } from "../command.ts";
import { EXIT_INTERRUPTED, interruptSignal } from "../interrupt.ts";
import { chosenServers } from "../listing.ts";
import { extensionsFrom } from "../session-flags.ts";
import { byteSize, createContentWriter } from "../show-content.ts";

export async function readCommand({ values, positionals }: Invocation): Promise<number> {
  const [, uri, extra] = positionals;
  if (uri === undefined) throw new UsageError("Which resource? kari resources list shows their URIs.");
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many: read takes one URI.`);
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const output = text(values, "output");
  const part = partFrom(values);
  if (output !== undefined && part !== undefined)
    throw new UsageError(
      "--output writes the whole resource; it goes without --offset, --limit and --search.",
    );
  if (output === "-" && format === "json")
    throw new UsageError("--output - and --format json both want standard output; choose one.");
  const writer = createContentWriter(process.stdout, process.stderr, process.env);
  const signal = interruptSignal();
  const opened = await openProfile(extensionsFrom(values));
  try {
    const extension = text(values, "extension");
    // An unknown name is a mistake of the command line, not of the resource.
    if (extension !== undefined) chosenServers(opened, extension);
    const args = { uri, ...part, ...(extension !== undefined && { extension_name: extension }) };
    const found = await opened.call("platform__read_resource", args, { signal });
    const response = part === undefined ? await whole(opened, uri, found, signal) : found;
    if (format === "json") console.log(JSON.stringify(response, null, 2));
    else if (response.isError) await writer.writeError(response.content);
    else if (output === undefined) await writer.write(response.content);
    if (output !== undefined && !response.isError) save(contentsOf(response), output);
    return signal.aborted ? EXIT_INTERRUPTED : response.isError ? 1 : 0;
  } finally {
    await opened.close();
  }
}

function partFrom(values: OptionValues): JsonObject | undefined {
  const offset = text(values, "offset") === "0" ? 0 : positiveInteger(values, "offset");
  const limit = positiveInteger(values, "limit");
  const search = text(values, "search");
  if (offset === undefined && limit === undefined && search === undefined) return undefined;
  return {
    ...(offset !== undefined && { offset }),
    ...(limit !== undefined && { limit }),
    ...(search !== undefined && { search }),
  };
}

/** A model gets a long text by parts; the owner is known now and gives all of it. */
async function whole(
  opened: OpenedProfile,
  uri: string,
  found: ToolResponse,
  signal: AbortSignal,
): Promise<ToolResponse> {
  const extension = found.isError ? undefined : found.content[0]?.source?.extension;
  if (extension === undefined) return found;
  const isLong = contentsOf(found).some((contents) => "text" in contents && contents.text.length >= LONG);
  const owner = opened.extensions().find(({ key }) => key === extension);
  if (!isLong || !owner) return found;
  const contents = await owner.readResource(uri, { signal });
  const notes = found.content.filter(({ type }) => type === "text");
  return {
    ...found,
    content: [
      ...contents.map((resource) => ({
        type: "resource" as const,
        resource,
        source: { extension, uri: resource.uri },
      })),
      ...notes,
    ],
  };
}

/** Below what platform__read_resource gives at once. */
const LONG = 10_000;

function contentsOf(response: ToolResponse): readonly ResourceContents[] {
  return response.content.flatMap((content) => (content.type === "resource" ? [content.resource] : []));
}

function save(contents: readonly ResourceContents[], output: string): void {
  const [first, ...others] = contents;
  if (!first) throw new Error("The resource is empty; nothing was written.");
  if (others.length > 0)
    throw new Error(
      `The resource has ${contents.length} parts and --output takes one; nothing was written. --format json gives all.`,
    );
  const bytes = bytesOf(first);
  if (output === "-") return void process.stdout.write(bytes);
  writeFileSync(output, bytes);
  console.error(`${terminalText(first.uri)}: ${byteSize(bytes.length)} written to ${output}`);
}

function bytesOf(contents: ResourceContents): Buffer {
  if ("text" in contents) return Buffer.from(contents.text);
  const clean = contents.blob === "" ? "" : cleanBase64(contents.blob);
  if (clean === undefined) throw new Error("The resource's bytes are not valid base64; nothing was written.");
  return Buffer.from(clean, "base64");
}
