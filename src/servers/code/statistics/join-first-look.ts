/** Takes over what the first look found, and helps it to its end when it is still scanning. */
import { FileTable } from "./file-table.ts";
import type { FirstLook } from "./first-look.ts";
import type { HelperNews } from "./helper-task.ts";
import { finishScan } from "./scan-all.ts";

type Scanning = HelperNews & { readonly kind: "scanning" };

export async function joinScan({ root, ended }: FirstLook, scanning: Scanning): Promise<FileTable> {
  const { names, columns, rows, progress } = scanning;
  await finishScan({ root, names: names.bytes, offsets: names.offsets, columns, rows, progress }, ended);
  return new FileTable(names, columns);
}
