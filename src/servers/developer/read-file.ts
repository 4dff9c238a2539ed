/** The `read_file` tool: looking into a file needs no yes, so it stays inside the working directory. */
import { closeSync } from "node:fs";
import { z } from "zod";
import { SafePathError } from "../../lib/safe-path.ts";
import { defineTool, failure, type KitTool } from "../kit/tool.ts";
import { showFile } from "./files/show-file.ts";
import type { Workspace } from "./files/workspace.ts";

export function createReadFileTool(workspace: Workspace): KitTool {
  return defineTool({
    name: "read_file",
    title: "Read a file",
    description:
      "Read a text file in the working directory (or an output that shell kept), with line numbers. " +
      "Any encoding is recognised. Long files come in parts; the answer says from which line to read on. " +
      "Pictures (png, jpeg, gif, webp) are shown.",
    input: z.object({
      path: z.string().min(1).describe("Relative to the working directory, or absolute inside it"),
      start_line: z.int().min(1).optional().describe("The first line to read, from 1"),
      limit: z.int().min(1).optional().describe("How many lines at most; 2000 when not given"),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ path, start_line = 1, limit }, { signal }) {
      try {
        const file = workspace.openInside(path);
        try {
          const name = workspace.display(file.path);
          const isOutput = workspace.isKept(file.path);
          return await showFile(file, { name, startLine: start_line, maxLines: limit, isOutput, signal });
        } finally {
          closeSync(file.fd);
        }
      } catch (error) {
        if (error instanceof SafePathError)
          return failure(adviseOnPath(error, "list_files shows what is there."));
        throw error;
      }
    },
  });
}

/** What went wrong with a path, and what to do. */
export function adviseOnPath(error: SafePathError, whereToLook: string): string {
  switch (error.code) {
    case "outside":
    case "absolute":
    case "traversal":
      return `${error.message}. Only the working directory can be read without a yes; use text_editor view for other places.`;
    case "not-found":
      return `${error.message}. ${whereToLook}`;
    case "not-a-file":
      return `${error.message}. Use list_files for directories.`;
    case "empty":
    case "null-byte":
    case "not-portable":
    case "too-long":
    case "permission":
    case "special":
    case "failed":
      return `${error.message}.`;
    default:
      return error.code satisfies never;
  }
}
