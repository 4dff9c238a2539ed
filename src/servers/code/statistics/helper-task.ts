/** What a helping thread is asked for, and what it tells. Everything in it can be sent to a thread as it is. */
import type { Listing } from "../listing.ts";
import type { ListingMark } from "../listing-mark.ts";
import type { FileColumns } from "./file-table.ts";
import type { GitLook } from "./git-look.ts";
import type { LookJob } from "./look-rows.ts";
import type { ProjectNames } from "./names.ts";
import type { ScanJob, ScanProgress } from "./scan-rows.ts";

export interface FirstLookRequest {
  readonly root: string;
  /** Where the statistics of earlier processes are; undefined where none are kept. */
  readonly cacheFolder: string | undefined;
  /** The files of a project that no earlier process knew, when they were listed already. */
  readonly listing?: Listing | undefined;
}

export type HelperTask =
  | { readonly kind: "scan"; readonly job: ScanJob }
  | { readonly kind: "look"; readonly job: LookJob }
  | { readonly kind: "first"; readonly request: FirstLookRequest };

export type HelperNews =
  | { readonly kind: "done" }
  /** What an earlier process knew of the project. */
  | {
      readonly kind: "cached";
      readonly names: ProjectNames;
      readonly columns: FileColumns;
      readonly mark: ListingMark | undefined;
      readonly gitLook: GitLook | undefined;
      /** The mark was taken just now: whether it is one of these names, the next listing will tell. */
      readonly isNewMark: boolean;
    }
  /** A project that nothing is known of: its files, whose rows are being filled from now on. */
  | {
      readonly kind: "scanning";
      readonly names: ProjectNames;
      readonly source: Listing["source"];
      readonly columns: FileColumns;
      readonly rows: Int32Array;
      readonly progress: ScanProgress;
    };
