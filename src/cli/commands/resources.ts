/** `kari resources`: what extensions share, listed and read by hand. No model is needed or loaded. */
import { openProfile } from "../../app/open-profile.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { type Command, choice, type Invocation, text } from "../command.ts";
import { extensionFlags, extensionsFrom } from "../session-flags.ts";
import { writeContents } from "../show-content.ts";

export const resourcesCommand: Command = {
  summary: "List the resources of all extensions, or read one.",
  usage: "kari resources (list | read URI) [--extension NAME]",
  options: {
    format: { type: "string", value: "F", help: "text (the default) or json" },
    extension: { type: "string", value: "NAME", help: "only this extension" },
    ...extensionFlags,
  },
  examples: [
    "kari resources list",
    "kari resources list --format json --extension developer",
    "kari resources read file:///$PWD/README.md",
  ],
  async run(invocation) {
    const [verb] = invocation.positionals;
    if (verb === "list") return await list(invocation);
    if (verb === "read") return await read(invocation);
    throw new UsageError(
      `kari resources ${verb ?? ""}: it is "kari resources list" or "kari resources read URI".`,
    );
  },
};

async function list({ values }: Invocation): Promise<number> {
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const only = text(values, "extension");
  const opened = await openProfile(extensionsFrom(values));
  try {
    const extensions = opened.extensions().filter(({ key }) => only === undefined || key === only);
    if (only !== undefined && extensions.length === 0)
      throw new UsageError(`There is no extension "${only}".`);
    const options = { signal: new AbortController().signal };
    const results = await Promise.all(
      extensions.map(async (extension) => {
        try {
          const [resources, templates] = await Promise.all([
            extension.listResources(options),
            extension.listResourceTemplates(options),
          ]);
          return { extension: extension.key, resources, templates };
        } catch (error) {
          const failure = error instanceof Error ? error.message : String(error);
          return { extension: extension.key, resources: [], templates: [], failure };
        }
      }),
    );
    if (format === "json") console.log(JSON.stringify(results, null, 2));
    else {
      for (const { extension, resources, templates } of results) {
        for (const { uri, name, mimeType } of resources)
          console.log(terminalText(`${extension}  ${uri}  ${name}  ${mimeType ?? ""}`));
        for (const { uriTemplate, name } of templates)
          console.log(terminalText(`${extension}  ${uriTemplate}  ${name}  (template)`));
      }
    }
    const failures = results.flatMap((result) => ("failure" in result ? [result.failure] : []));
    for (const failure of failures) console.error(`kari: ${failure}`);
    return failures.length > 0 ? 1 : 0;
  } finally {
    await opened.close();
  }
}

async function read({ values, positionals }: Invocation): Promise<number> {
  const uri = positionals[1];
  if (uri === undefined) throw new UsageError("Which resource? kari resources list shows their URIs.");
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const extension = text(values, "extension");
  const opened = await openProfile(extensionsFrom(values));
  try {
    const args = { uri, ...(extension !== undefined && { extension_name: extension }) };
    const response = await opened.call("platform__read_resource", args, {
      signal: new AbortController().signal,
    });
    if (format === "json") console.log(JSON.stringify(response, null, 2));
    else {
      const stream = response.isError ? process.stderr : process.stdout;
      await writeContents(response.content, stream, process.env);
    }
    return response.isError ? 1 : 0;
  } finally {
    await opened.close();
  }
}
