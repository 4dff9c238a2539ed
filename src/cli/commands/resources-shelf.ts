/** `kari resources shelf`: what would go to a model by itself with a first question, and what would be left out. */
import { openProfile } from "../../app/open-profile.ts";
import { revealHidden } from "../../lib/hidden-text.ts";
import { shownName, shownUri } from "../../lib/resource-uri.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import { choice, type Invocation, positiveInteger, text } from "../command.ts";
import { EXIT_INTERRUPTED, interruptSignal } from "../interrupt.ts";
import { chosenServers } from "../listing.ts";
import { extensionsFrom } from "../session-flags.ts";
import { byteSize } from "../show-content.ts";
import { table } from "../table.ts";

/** A tenth of the window of a model that nobody knows; a session reckons with its own model's. */
const DEFAULT_BUDGET = 12_800;

export async function shelfCommand({ values }: Invocation): Promise<number> {
  const format = choice(values, "format", ["text", "json"]) ?? "text";
  const wanted = positiveInteger(values, "budget");
  const only = text(values, "extension");
  const signal = interruptSignal();
  const opened = await openProfile(extensionsFrom(values));
  const budget = wanted ?? opened.contextBudget ?? DEFAULT_BUDGET;
  try {
    if (only !== undefined) chosenServers(opened, only);
    const { shelf, leftOut, failures } = await opened.shelf({
      budget,
      signal,
      ...(only !== undefined && { only }),
    });
    if (signal.aborted) return EXIT_INTERRUPTED;
    const tokens = shelf.reduce((sum, entry) => sum + entry.tokens, 0);
    if (format === "json") console.log(JSON.stringify({ budget, tokens, shelf, leftOut, failures }, null, 2));
    else {
      const rows = shelf.map(({ extension, uri, name, why, tokens }) => [
        extension,
        shownUri(uri),
        shownName(name),
        why,
        String(tokens),
      ]);
      if (rows.length > 0) console.log(table(["EXTENSION", "URI", "NAME", "WHY", "TOKENS"], rows));
      console.log(
        `${shelf.length} ${shelf.length === 1 ? "resource" : "resources"}, about ${tokens} of ${budget} tokens.`,
      );
      for (const { extension, uri, size, reason } of leftOut)
        console.log(
          safe(
            `not included: ${extension}  ${shownUri(uri)}${size === undefined ? "" : `, ${byteSize(size)}`}: ${reason}`,
          ),
        );
    }
    for (const failure of failures) console.error(safe(`kari: ${failure}`));
    return failures.length > 0 ? 1 : 0;
  } finally {
    await opened.close();
  }
}

function safe(words: string): string {
  return revealHidden(terminalText(words));
}
