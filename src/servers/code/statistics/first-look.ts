/**
 * The first look at a project, begun before anything of the server is loaded: a helping thread does it
 * (look-first.ts), and the index joins it when the first question comes (join-first-look.ts). The files of a project
 * that no earlier process knew are listed here while that thread starts. A folder that is no work tree is left alone
 * until somebody asks: it may be a whole disk.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Listing } from "../listing.ts";
import type { FirstLookRequest, HelperNews } from "./helper-task.ts";
import { startHelper } from "./helpers.ts";
import { isProbablyKnown } from "./known-projects.ts";

export interface FirstLook {
  readonly root: string;
  /** Undefined when it found nothing, or could not look. */
  readonly found: Promise<HelperNews | undefined>;
  /** Resolves when the helper does nothing more, well or not. */
  readonly ended: Promise<void>;
}

export function beginFirstLook({ root, cacheFolder }: FirstLookRequest): FirstLook {
  const isKnown = cacheFolder !== undefined && isProbablyKnown(cacheFolder, root);
  if (!isKnown && !isWorkTree(root))
    return { root, found: Promise.resolve(undefined), ended: Promise.resolve() };
  const { promise: found, resolve } = Promise.withResolvers<HelperNews | undefined>();
  const helper = startHelper();
  const look = async () => {
    const listing = isKnown ? undefined : await list(root);
    await helper.run({ kind: "first", request: { root, cacheFolder, listing } }, resolve);
    resolve(undefined);
  };
  return { root, found, ended: look() };
}

/** Undefined when the files cannot be listed: whoever asks will be told why. */
async function list(root: string): Promise<Listing | undefined> {
  const { listFiles } = await import("../listing.ts");
  return await listFiles(root).catch(() => undefined);
}

function isWorkTree(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isWorkTree(parent);
}
