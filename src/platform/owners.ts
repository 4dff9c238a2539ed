/**
 * Whose resource a URI is likely to be: of who lists it, then of who has a template that fits, then of anybody. Those
 * that come later are asked only when those before did not have it: an address is nobody else's business, and who
 * does not answer holds up nobody.
 */
import { type CallOptions, type Extension, isServerExtension } from "../extensions/index.ts";
import { matchesTemplate } from "../lib/uri-template.ts";

/** How long lists are waited for; an extension that takes longer is among the last. */
const LOOK_MS = 2000;

/** Groups in the order in which they are to be asked; none is empty. */
export async function likelyOwners(
  uri: string,
  targets: readonly Extension[],
  options: CallOptions,
): Promise<readonly (readonly Extension[])[]> {
  // A list may be long: where there is no choice, it is not needed.
  const isChoice = targets.filter(isServerExtension).length > 1;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(LOOK_MS)]);
  const ranks = await Promise.all(
    targets.map((extension) =>
      isServerExtension(extension) && !isChoice ? 2 : rankOf(extension, uri, { ...options, signal }),
    ),
  );
  return [0, 1, 2]
    .map((rank) => targets.filter((_, index) => ranks[index] === rank))
    .filter((group) => group.length > 0);
}

async function rankOf(extension: Extension, uri: string, options: CallOptions): Promise<number> {
  const [resources, templates] = await Promise.all([
    extension.listResources(options).catch(() => []),
    extension.listResourceTemplates(options).catch(() => []),
  ]);
  if (resources.some((resource) => resource.uri === uri)) return 0;
  return templates.some(({ uriTemplate }) => matchesTemplate(uriTemplate, uri)) ? 1 : 2;
}
