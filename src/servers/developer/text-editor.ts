/**
 * The `text_editor` tool: one tool with commands, as models know it. It may name any regular file, because
 * every call needs a yes. Finding and encoding an edit live in files/; this decides what is asked and says what
 * was done.
 */
import { closeSync, readFileSync, unlinkSync } from "node:fs";
import { z } from "zod";
import { type OpenedFile, SafePathError } from "../../lib/safe-path.ts";
import { defineTool, failure, type KitTool, type ToolContext, type ToolResult, text } from "../kit/tool.ts";
import { formatBytes, formatCount } from "./amounts.ts";
import { EditError, identityOf, loadDocument, type TextDocument } from "./files/document.ts";
import { EditHistory, hashOf } from "./files/edit-history.ts";
import { type PlannedEdit, planInsert, planReplace, planRewrite } from "./files/plan-edit.ts";
import { saveFile } from "./files/save.ts";
import { showFile } from "./files/show-file.ts";
import { spliceBytes } from "./files/splice.ts";
import type { Workspace } from "./files/workspace.ts";

export interface TextEditorOptions {
  readonly workspace: Workspace;
  /** A file was written, made or removed. */
  onChange(path: string): void;
}

const input = z.object({
  command: z.enum(["view", "write", "str_replace", "insert", "undo_edit"]),
  path: z.string().min(1).describe("The file; relative to the working directory, or absolute"),
  view_range: z
    .array(z.int())
    .length(2)
    .optional()
    .describe("view: first and last line, from 1; -1 as last means to the end"),
  file_text: z.string().optional().describe("write: the whole new content"),
  old_str: z.string().optional().describe("str_replace: the text to replace, exactly and once in the file"),
  new_str: z.string().optional().describe("str_replace: what comes instead; insert: the lines to put in"),
  replace_all: z.boolean().optional().describe("str_replace: replace every occurrence"),
  insert_line: z.int().min(0).optional().describe("insert: put new_str after this line; 0 is the beginning"),
});

type EditorInput = z.output<typeof input>;

export function createTextEditorTool(options: TextEditorOptions): KitTool {
  const editor = new TextEditor(options);
  return defineTool({
    name: "text_editor",
    title: "View and edit a file",
    description:
      "View or edit a text file. Commands: view (lines, or a picture), write (make or replace a whole file), " +
      "str_replace (old_str must occur exactly once unless replace_all), insert (whole lines after insert_line), " +
      "undo_edit (take back the last edit of this file). Encoding, byte-order mark and line ends of a file are kept; " +
      "write \\n for line ends. To only look at a file of the working directory, read_file needs no approval.",
    input,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, context) {
      try {
        return await editor.run(args, context);
      } catch (error) {
        if (error instanceof EditError) return failure(error.message);
        if (error instanceof SafePathError) return failure(describePathError(error, args.command));
        return failure(describeSystemError(error, args.path));
      }
    },
  });
}

class TextEditor {
  readonly #workspace: Workspace;
  readonly #onChange: (path: string) => void;
  readonly #history = new EditHistory();

  constructor({ workspace, onChange }: TextEditorOptions) {
    this.#workspace = workspace;
    this.#onChange = onChange;
  }

  async run(args: EditorInput, context: ToolContext): Promise<ToolResult> {
    switch (args.command) {
      case "view":
        return await this.#view(args, context);
      case "write":
        return this.#write(args);
      case "str_replace":
        return this.#replace(args);
      case "insert":
        return this.#insert(args);
      case "undo_edit":
        return this.#undo(args.path);
      default:
        return args.command satisfies never;
    }
  }

  async #view({ path, view_range }: EditorInput, { signal }: ToolContext): Promise<ToolResult> {
    const [first = 1, last = -1] = view_range ?? [];
    if (first < 1 || (last !== -1 && last < first)) {
      return failure(
        `view_range [${first}, ${last}] is no range: lines count from 1, and the last is not before the first.`,
      );
    }
    const file = this.#workspace.openAnywhere(path);
    try {
      const maxLines = last === -1 ? undefined : last - first + 1;
      const name = this.#workspace.display(file.path);
      const isOutput = this.#workspace.isKept(file.path);
      return await showFile(file, { name, startLine: first, maxLines, isOutput, signal });
    } finally {
      closeSync(file.fd);
    }
  }

  #write({ path, file_text }: EditorInput): ToolResult {
    if (file_text === undefined) return missing("write", "file_text");
    const target = this.#workspace.resolveAnywhere(path);
    const name = this.#workspace.display(target.path);
    if (!target.exists) {
      if (!file_text.isWellFormed())
        return failure("file_text holds half of a surrogate pair. Nothing was written.");
      const bytes = Buffer.from(file_text, "utf8");
      saveFile(target.path, bytes, undefined);
      this.#remember(target.path, undefined, bytes);
      return text(`Wrote ${name}, a new file of ${formatBytes(bytes.length)}.`);
    }
    return this.#withFile(path, (file) => this.#overwrite(file, name, file_text));
  }

  /** A file that is no text we know is replaced as a whole; there is no encoding to keep. */
  #overwrite(file: OpenedFile, name: string, given: string): ToolResult {
    const identity = identityOf(file.fd);
    const before = readFileSync(file.fd);
    const document = loadDocumentIfText(file, name);
    // The mark is the file's own already.
    const newText = document && document.bomBytes > 0 ? given.replace(/^\ufeff/, "") : given;
    const plan = document && planRewrite(document.text, newText);
    if (plan?.edits.length === 0) return text(`${name} has this content already; nothing was written.`);
    const bytes = document && plan ? spliceBytes(document, plan.edits) : Buffer.from(newText, "utf8");
    const isOther = document !== undefined && document.encoding !== "utf-8";
    const kept = isOther ? ` as ${document.encoding}, which it was before` : "";
    saveFile(file.path, bytes, identity);
    this.#remember(file.path, before, bytes);
    return text(
      `Wrote ${name}${kept}: ${formatBytes(bytes.length)} (before: ${formatBytes(before.length)}).`,
    );
  }

  #replace({ path, old_str, new_str, replace_all = false }: EditorInput): ToolResult {
    if (old_str === undefined) return missing("str_replace", "old_str");
    if (new_str === undefined) return missing("str_replace", 'new_str (give "" to delete)');
    const request = { oldText: old_str, newText: new_str, all: replace_all };
    return this.#edit(path, (raw, name) => planReplace(raw, name, request), new_str);
  }

  #insert({ path, insert_line, new_str }: EditorInput): ToolResult {
    if (insert_line === undefined) return missing("insert", "insert_line");
    if (new_str === undefined) return missing("insert", "new_str");
    return this.#edit(path, (raw, name) => planInsert(raw, name, insert_line, new_str), new_str);
  }

  #edit(path: string, plan: (raw: string, name: string) => PlannedEdit, newText: string): ToolResult {
    return this.#withFile(path, (file) => {
      const name = this.#workspace.display(file.path);
      const document = loadDocument(file, name);
      const { edits, lines } = plan(document.text, name);
      const bytes = spliceBytes(document, edits);
      saveFile(file.path, bytes, document.identity);
      const undoable = this.#remember(file.path, document.bytes, bytes);
      const encoding = document.encoding === "utf-8" ? "" : ` (${document.encoding})`;
      const places = `${formatCount(edits.length, "place")}, line${lines.length === 1 ? "" : "s"} ${lines.slice(0, 20).join(", ")}`;
      const undo = undoable ? "" : " It is too large to be undone.";
      return text(
        `Edited ${name}${encoding} at ${places}.${undo}\n${snippet(bytes, document.encoding, lines[0] ?? 1, newText)}`,
      );
    });
  }

  #undo(path: string): ToolResult {
    const target = this.#workspace.resolveAnywhere(path);
    const name = this.#workspace.display(target.path);
    const step = this.#history.last(target.path);
    if (step === undefined)
      return failure(
        `There is no edit of ${name} to undo: only edits made with text_editor in this session can be.`,
      );
    if (!target.exists) return failure(`${name} is gone, so its last edit cannot be undone. Write it anew.`);
    return this.#withFile(path, (file) => {
      const identity = identityOf(file.fd);
      if (hashOf(readFileSync(file.fd)) !== step.afterHash) {
        return failure(
          `${name} was changed after the last edit made here, so undoing would lose that change. Nothing was written.`,
        );
      }
      if (step.before === undefined) unlinkSync(file.path);
      else saveFile(file.path, step.before, identity);
      const left = this.#history.removeLast(file.path);
      this.#onChange(file.path);
      const done =
        step.before === undefined
          ? `Removed ${name}, which the edit had made.`
          : `Undid the last edit of ${name}.`;
      return text(`${done} ${formatCount(left, "more edit")} of it can be undone.`);
    });
  }

  #withFile(path: string, use: (file: OpenedFile) => ToolResult): ToolResult {
    const file = this.#workspace.openAnywhere(path);
    try {
      return use(file);
    } finally {
      closeSync(file.fd);
    }
  }

  #remember(path: string, before: Buffer | undefined, after: Buffer): boolean {
    const kept = this.#history.add(path, before, after);
    this.#onChange(path);
    return kept;
  }
}

function loadDocumentIfText(file: OpenedFile, name: string): TextDocument | undefined {
  try {
    return loadDocument(file, name);
  } catch (error) {
    if (error instanceof EditError) return undefined;
    throw error;
  }
}

const SNIPPET_AROUND = 3;
const SNIPPET_LINES = 30;
const SNIPPET_LINE_CHARACTERS = 300;

/** The edited lines with a few around them, so that the model sees what came of it. */
function snippet(bytes: Buffer, encoding: string, line: number, newText: string): string {
  const lines = new TextDecoder(encoding).decode(bytes).split(/\r\n|\n|\r/);
  const first = Math.max(line - SNIPPET_AROUND, 1);
  const wanted = line + newText.split("\n").length + SNIPPET_AROUND - first;
  const shown = lines.slice(first - 1, first - 1 + Math.min(wanted, SNIPPET_LINES));
  return shown
    .map((content, index) => `${first + index}\t${content.slice(0, SNIPPET_LINE_CHARACTERS)}`)
    .join("\n");
}

function describePathError(error: SafePathError, command: EditorInput["command"]): string {
  if (command !== "view") return `${error.message}. Nothing was written.`;
  return error.code === "not-a-file"
    ? `${error.message}. Use list_files for directories.`
    : `${error.message}.`;
}

function missing(command: string, parameter: string): ToolResult {
  return failure(`${command} needs ${parameter}. Nothing was written.`);
}

function describeSystemError(error: unknown, path: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "EACCES":
    case "EPERM":
      return `Permission denied: ${path}. Nothing was written.`;
    case "ENOSPC":
    case "EDQUOT":
      return `The disk is full (${code}): ${path} is as it was before.`;
    case "EROFS":
      return `The file system is read-only: ${path}. Nothing was written.`;
    case "EISDIR":
      return `Not a file but a directory: ${path}. Nothing was written.`;
    case "ENAMETOOLONG":
      return `The name is too long: ${path}. Nothing was written.`;
    default:
      return `text_editor failed on ${path}: ${code ?? message}`;
  }
}
