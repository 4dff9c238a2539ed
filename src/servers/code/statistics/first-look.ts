/**
 * The first look at a project, begun before anything of the server is loaded: a helping thread does it
 * (look-first.ts), and the index joins it when the first question comes (join-first-look.ts).
 */
import type { FirstLookRequest, HelperNews } from "./helper-task.ts";
import { askHelper } from "./helpers.ts";

export interface FirstLook {
  readonly root: string;
  /** Undefined when it found nothing, or could not look. */
  readonly found: Promise<HelperNews | undefined>;
  /** Resolves when the helper does nothing more, well or not. */
  readonly ended: Promise<void>;
}

export function beginFirstLook(request: FirstLookRequest): FirstLook {
  const { promise: found, resolve } = Promise.withResolvers<HelperNews | undefined>();
  const ended = askHelper({ kind: "first", request }, resolve);
  void ended.then(() => resolve(undefined));
  return { root: request.root, found, ended };
}
