/** Takes over what the first look found, and helps it to its end when it is still scanning. */
import { FileTable } from "./file-table.ts";
import type { FirstLook } from "./first-look.ts";
import type { ProjectNames } from "./names.ts";
import { finishScan } from "./scan-all.ts";

export interface Found {
  readonly names: ProjectNames;
  readonly table: FileTable;
  /** Nothing was known of the project before. */
  readonly isNew: boolean;
}

/** Undefined when it found nothing, or could not look. */
export async function joinFirstLook({ root, found, ended }: FirstLook): Promise<Found | undefined> {
  const news = await found;
  if (news === undefined || news.kind === "done") return undefined;
  const { names, columns } = news;
  // It ends with that, and is then free to help with the next task.
  if (news.kind === "cached") await ended;
  else {
    const { rows, progress } = news;
    await finishScan({ root, names: names.bytes, offsets: names.offsets, columns, rows, progress }, ended);
  }
  return { names, table: new FileTable(names, columns), isNew: news.kind === "scanning" };
}
