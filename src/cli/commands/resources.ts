/** `kari resources`: what extensions share, by hand. No model is needed or loaded. */
import { openProfile } from "../../app/open-profile.ts";
import { cutToWidth } from "../../lib/text-width.ts";
import { templateVariables } from "../../lib/uri-template.ts";
import { UsageError } from "../../lib/usage-error.ts";
import { type Command, choice, type Invocation, text } from "../command.ts";
import { EXIT_INTERRUPTED, interruptSignal } from "../interrupt.ts";
import { askEach, chosenServers, matches, sayFailures } from "../listing.ts";
import { extensionFlags, extensionsFrom } from "../session-flags.ts";
import { byteSize } from "../show-content.ts";
import { table } from "../table.ts";

/** In columns: a server may call a thing by a megabyte of letters. JSON has them whole. */
const MAX_URI = 300;
const MAX_WORDS = 80;

export const resourcesCommand: Command = {
  summary: "List the resources of all extensions, read one, watch them change, see what reaches a model.",
  usage: "kari resources (list | templates | read URI | watch URI… | shelf) [options]",
  options: {
    format: { type: "string", value: "F", help: "text (the default) or json" },
    extension: { type: "string", value: "NAME", help: "only this extension" },
    filter: { type: "string", value: "WORD", help: "list, templates: only what contains this" },
    offset: { type: "string", value: "N", help: "read: from this character on" },
    limit: { type: "string", value: "N", help: "read: this many characters" },
    search: { type: "string", value: "WORD", help: "read: where this occurs instead of the text" },
    output: {
      type: "string",
      short: "o",
      value: "FILE",
      help: "read: write the bytes to a file, or - for standard output",
    },
    count: { type: "string", value: "N", help: "watch: end after N changes" },
    every: {
      type: "string",
      value: "SECONDS",
      help: "watch: read again this often as well (2 where the server cannot tell, else 30; 0 never)",
    },
    budget: {
      type: "string",
      value: "TOKENS",
      help: "shelf: how much may go to the model (context_budget, else 12800)",
    },
    ...extensionFlags,
  },
  examples: [
    "kari resources list --filter readme",
    "kari resources read file://$PWD/README.md --search licence",
    "kari resources read --extension wakashu -o picture.png file:///…/Picture1.png",
    "kari resources watch file://$PWD/notes.txt --count 3",
  ],
  async run(invocation) {
    const [verb] = invocation.positionals;
    switch (verb) {
      case "list":
        return await list(invocation);
      case "templates":
        return await templates(invocation);
      case "read":
        return await (await import("./resources-read.ts")).readCommand(invocation);
      case "watch":
        return await (await import("./resources-watch.ts")).watchCommand(invocation);
      case "shelf":
        return await (await import("./resources-shelf.ts")).shelfCommand(invocation);
      default:
        throw new UsageError(
          `kari resources ${verb ?? ""}: it is list, templates, read URI, watch URI… or shelf.`,
        );
    }
  },
};

async function list({ values }: Invocation): Promise<number> {
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const filter = text(values, "filter");
  const signal = interruptSignal();
  const opened = await openProfile(extensionsFrom(values));
  try {
    const servers = chosenServers(opened, text(values, "extension"));
    const answers = await askEach(servers, { resources: [], templates: [] }, async (server) => {
      const [resources, found] = await Promise.all([
        server.listResources({ signal }),
        server.listResourceTemplates({ signal }),
      ]);
      return {
        resources: resources.filter((one) =>
          matches(filter, [one.uri, one.name, one.title, one.description]),
        ),
        templates: found.filter((one) =>
          matches(filter, [one.uriTemplate, one.name, one.title, one.description]),
        ),
      };
    });
    if (format === "json") console.log(JSON.stringify(answers, null, 2));
    else {
      const rows = answers.flatMap(({ extension, resources, templates }) => [
        ...resources.map(({ uri, name, mimeType = "", size, annotations }) => [
          extension,
          cutToWidth(uri, MAX_URI),
          cutToWidth(name, MAX_WORDS),
          cutToWidth(mimeType, MAX_WORDS),
          size === undefined ? "" : byteSize(size),
          annotations?.priority === undefined ? "" : String(annotations.priority),
          annotations?.lastModified ?? "",
        ]),
        ...templates.map(({ uriTemplate, name, mimeType = "" }) => [
          extension,
          cutToWidth(uriTemplate, MAX_URI),
          cutToWidth(name, MAX_WORDS),
          cutToWidth(mimeType, MAX_WORDS),
          "template",
          "",
          "",
        ]),
      ]);
      if (rows.length > 0)
        console.log(table(["EXTENSION", "URI", "NAME", "TYPE", "SIZE", "PRIORITY", "CHANGED"], rows));
      else console.error("No resources.");
    }
    return signal.aborted ? EXIT_INTERRUPTED : sayFailures(answers);
  } finally {
    await opened.close();
  }
}

async function templates({ values }: Invocation): Promise<number> {
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const filter = text(values, "filter");
  const signal = interruptSignal();
  const opened = await openProfile(extensionsFrom(values));
  try {
    const servers = chosenServers(opened, text(values, "extension"));
    const answers = await askEach(servers, { templates: [] }, async (server) => ({
      templates: (await server.listResourceTemplates({ signal }))
        .filter((one) => matches(filter, [one.uriTemplate, one.name, one.title, one.description]))
        .map((one) => ({ ...one, parameters: templateVariables(one.uriTemplate) })),
    }));
    if (format === "json") console.log(JSON.stringify(answers, null, 2));
    else {
      const rows = answers.flatMap(({ extension, templates }) =>
        templates.map(({ uriTemplate, name, parameters, mimeType = "", description = "" }) => [
          extension,
          cutToWidth(uriTemplate, MAX_URI),
          cutToWidth(name, MAX_WORDS),
          cutToWidth(parameters.join(", "), MAX_WORDS),
          cutToWidth(mimeType, MAX_WORDS),
          description,
        ]),
      );
      if (rows.length > 0)
        console.log(table(["EXTENSION", "TEMPLATE", "NAME", "PARAMETERS", "TYPE", "WHAT"], rows));
      else console.error("No templates.");
    }
    return signal.aborted ? EXIT_INTERRUPTED : sayFailures(answers);
  } finally {
    await opened.close();
  }
}
