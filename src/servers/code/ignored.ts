/** What git leaves out by its ignore rules: folders as one entry, not file by file. */
import { capture, SAFE_GIT } from "./listing.ts";
import type { SkippedEntry } from "./statistics/summary.ts";

export async function listIgnored(root: string): Promise<SkippedEntry[]> {
  const args = [...SAFE_GIT, "ls-files", "-oi", "--exclude-standard", "--directory", "-z"];
  const { code, stdout } = await capture("git", args, root);
  if (code !== 0) return [];
  const paths = stdout.toString("utf8").split("\0").filter(Boolean);
  return paths.map((path) => ({ path, reason: "ignored" }));
}
