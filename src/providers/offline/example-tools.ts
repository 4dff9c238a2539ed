/**
 * Tools as a fresh machine has them, and a conversation to try them in. For tests only: nothing that ships
 * imports this file.
 */
import {
  type AssistantContent,
  type JsonObject,
  type Message,
  type ToolDefinition,
  type ToolRequest,
  type ToolResponse,
  userMessage,
} from "../../conversation/index.ts";
import type { ModelEvent } from "../model.ts";
import { createOfflineModel, type OfflineModelOptions } from "./index.ts";

function define(
  name: string,
  description: string,
  properties: Record<string, JsonObject>,
  required: readonly string[],
  more: Partial<ToolDefinition> = {},
): ToolDefinition {
  const [extension = "", toolName = ""] = name.split("__");
  return {
    name,
    extension,
    toolName,
    description,
    inputSchema: { type: "object", properties, required },
    ...more,
  };
}

const readOnly = { annotations: { readOnlyHint: true } };

export const developerTools: readonly ToolDefinition[] = [
  define(
    "developer__shell",
    "Run a shell command in the working directory and return its output.",
    {
      command: { type: "string", description: "The command line to run" },
      timeout: { type: "integer", description: "Seconds before the command is stopped" },
    },
    ["command"],
    { annotations: { destructiveHint: true } },
  ),
  define(
    "developer__text_editor",
    "View and edit text files: view a file, write a new one, replace or insert text, undo the last edit.",
    {
      command: {
        type: "string",
        enum: ["view", "write", "str_replace", "insert", "undo_edit"],
        description: "What to do",
      },
      path: { type: "string", description: "Path of the file" },
      file_text: { type: "string", description: "The whole text of the file, for write" },
    },
    ["command", "path"],
  ),
  define(
    "developer__list_files",
    "List the files of a directory, as a tree.",
    {
      path: { type: "string", description: "Directory to list; the working directory by default" },
      depth: { type: "integer", description: "How many levels deep" },
      cursor: { type: "string", description: "Where to go on" },
    },
    [],
    { title: "List files", ...readOnly },
  ),
];

export const platformTools: readonly ToolDefinition[] = [
  define(
    "platform__list_resources",
    "List the resources that extensions offer.",
    { extension_name: { type: "string", description: "Only those of this extension" } },
    [],
    readOnly,
  ),
  define(
    "platform__read_resource",
    "Read a resource by its URI.",
    {
      uri: { type: "string", description: "The URI of the resource" },
      extension_name: { type: "string", description: "The extension that has it" },
    },
    ["uri"],
    readOnly,
  ),
];

export const codeTools: readonly ToolDefinition[] = [
  define(
    "code__find_and_grep",
    "Find files by name and search their contents.",
    { pattern: { type: "string", description: "Text or regular expression to search for" } },
    ["pattern"],
    readOnly,
  ),
  define(
    "code__set_project_path",
    "Set the project root directory.",
    { project_path: { type: "string", description: "Path of the project root" } },
    ["project_path"],
  ),
];

export const wakashuTools: readonly ToolDefinition[] = [
  define(
    "wakashu__wakashu_getRanking",
    "指定された和歌集の、指定された回の、指定された順位範囲のランキング情報を取得します。",
    {
      wakashuName: { type: "string", description: "和歌集の名前" },
      edition: { type: "integer", description: "第何回か" },
      rankStart: { type: "integer", description: "開始順位" },
      rankEnd: { type: "integer", description: "終了順位" },
    },
    ["wakashuName", "edition", "rankStart", "rankEnd"],
    { title: "和歌集ランキング情報取得", ...readOnly },
  ),
];

export const defaultTools = [...developerTools, ...platformTools];
export const allTools = [...defaultTools, ...codeTools, ...wakashuTools];

export interface Reply {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  /** The call that the planner asks for, as `[name, arguments]`. */
  readonly call: readonly [string, JsonObject] | undefined;
}

/** A conversation with the planner; `result` answers the call that it made last. */
export function converse(
  setup: { readonly tools?: readonly ToolDefinition[]; readonly system?: string } & OfflineModelOptions = {},
) {
  const { tools = allTools, system = "", ...options } = setup;
  const model = createOfflineModel({ now: () => new Date(2025, 0, 15), ...options });
  const messages: Message[] = [];
  let last: ToolRequest | undefined;

  async function turn(): Promise<Reply> {
    const events: ModelEvent[] = [];
    for await (const event of model.stream(
      { system, messages, tools },
      { signal: AbortSignal.timeout(60_000) },
    ))
      events.push(event);
    const content: AssistantContent[] = events.flatMap((event) =>
      event.type === "content" ? [event.content] : [],
    );
    messages.push({ role: "assistant", content });
    last = content.find((one) => one.type === "tool-request");
    const text = content.map((one) => (one.type === "text" ? one.text : "")).join("");
    return { events, text, call: last === undefined ? undefined : [last.name, last.arguments] };
  }

  return {
    messages,
    say(text: string): Promise<Reply> {
      messages.push(userMessage(text));
      return turn();
    },
    context(text: string): void {
      messages.push({ role: "user", origin: "context", content: [{ type: "text", text }] });
    },
    result(response: Partial<ToolResponse> | string): Promise<Reply> {
      const more: Partial<ToolResponse> =
        typeof response === "string" ? { content: [{ type: "text", text: response }] } : response;
      const base = {
        type: "tool-response",
        id: last?.id ?? "",
        name: last?.name ?? "",
        content: [],
        isError: false,
      } as const;
      messages.push({ role: "tool", content: [{ ...base, ...more }] });
      return turn();
    },
  };
}
