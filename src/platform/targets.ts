/** Which extensions a resource tool works on: the one that was named, or all that have resources. */

import type { JsonObject } from "../conversation/index.ts";
import {
  type Extension,
  ExtensionError,
  type ExtensionManager,
  extensionKey,
  PLATFORM_KEY,
} from "../extensions/index.ts";

export function targetsOf(args: JsonObject, manager: ExtensionManager): readonly Extension[] {
  const others = manager.all().filter((extension) => extension.key !== PLATFORM_KEY);
  const name = args["extension_name"];
  if (name === undefined || name === null || name === "") {
    return others.filter((extension) => extension.listing?.hasResources !== false);
  }
  if (typeof name !== "string")
    throw new ExtensionError("refused", "Invalid parameter 'extension_name': it must be a string.");
  const found = manager.get(name) ?? manager.get(extensionKey(name));
  if (found && found.key !== PLATFORM_KEY) return [found];
  const known = others.map((extension) => extension.key).join(", ") || "none";
  throw new ExtensionError("not-found", `There is no extension "${name}". Extensions: ${known}.`);
}
