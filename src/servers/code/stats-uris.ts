import { statsUri } from "./uri.ts";

/** The addresses of the statistics, as they are listed and as their changes are told. */
export const ALL_STATS_URIS = ["overview", "languages", "complexity", "files", "skipped"].map((type) =>
  statsUri(type),
);
