/**
 * Reads a recorded request back into one neutral form, whatever its wire format: what the model was really
 * told. Written from the providers' documentation, not from our converter, so that the two can disagree.
 */
import type { MockFormat, MockRequest } from "../support/mock-llm.ts";

export interface Picture {
  readonly mimeType: string;
  readonly data: string;
}

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export interface Result {
  readonly id: string;
  readonly text: string;
  readonly images: readonly Picture[];
  /** As the format says it; formats without a field say undefined. */
  readonly isError: boolean | undefined;
}

export type Turn =
  | {
      readonly role: "user";
      readonly text: string;
      readonly images: readonly Picture[];
      readonly audio: readonly string[];
    }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly thinking: readonly unknown[];
      readonly calls: readonly Call[];
    }
  | { readonly role: "tool"; readonly results: readonly Result[] };

export interface Reading {
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly schema: unknown; readonly strict?: boolean }[];
  readonly turns: readonly Turn[];
}

export function readBody(request: MockRequest): Reading {
  if (request.format === undefined) throw new Error(`${request.path} is no request to a model`);
  return READERS[request.format](request.body);
}

/** JSON of a shape that the reader expects; a wrong shape fails the test where it is read. */
// biome-ignore lint/suspicious/noExplicitAny: recorded JSON, read by hand
type Json = any;

const READERS: Readonly<Record<MockFormat, (body: Json) => Reading>> = {
  "openai-chat": readChat,
  "openai-responses": readResponses,
  anthropic: readAnthropic,
  google: readGoogle,
};

function readChat(body: Json): Reading {
  const turns: Turn[] = [];
  let system = "";
  for (const message of body.messages) {
    if (message.role === "system") system += message.content;
    else if (message.role === "user") turns.push(userTurn(message.content));
    else if (message.role === "assistant")
      turns.push({
        role: "assistant",
        text: message.content ?? "",
        thinking: message.reasoning_content === undefined ? [] : [message.reasoning_content],
        calls: (message.tool_calls ?? []).map((call: Json) => ({
          id: call.id,
          name: call.function.name,
          arguments: JSON.parse(call.function.arguments),
        })),
      });
    else
      addResult(turns, { id: message.tool_call_id, text: message.content, images: [], isError: undefined });
  }
  const tools = (body.tools ?? []).map((tool: Json) => ({
    name: tool.function.name,
    schema: tool.function.parameters,
    ...(tool.function.strict !== undefined && { strict: tool.function.strict }),
  }));
  return { system, tools, turns };
}

function readResponses(body: Json): Reading {
  const turns: Turn[] = [];
  let system = "";
  const assistant = () => {
    const last = turns.at(-1);
    if (last?.role === "assistant") return last as Json;
    const turn = { role: "assistant" as const, text: "", thinking: [], calls: [] };
    turns.push(turn);
    return turn as Json;
  };
  for (const item of body.input) {
    if (item.role === "system" || item.role === "developer") system += item.content;
    else if (item.role === "user") turns.push(userTurn(item.content));
    else if (item.role === "assistant")
      assistant().text += typeof item.content === "string" ? item.content : texts(item.content);
    else if (item.type === "reasoning") assistant().thinking.push(item);
    else if (item.type === "function_call")
      assistant().calls.push({ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) });
    else if (item.type === "function_call_output") {
      const parts =
        typeof item.output === "string" ? [{ type: "input_text", text: item.output }] : item.output;
      addResult(turns, { id: item.call_id, text: texts(parts), images: dataUrls(parts), isError: undefined });
    } else throw new Error(`an item of type ${item.type}`);
  }
  const tools = (body.tools ?? []).map((tool: Json) => ({
    name: tool.name,
    schema: tool.parameters,
    ...(tool.strict !== undefined && { strict: tool.strict }),
  }));
  return { system, tools, turns };
}

function readAnthropic(body: Json): Reading {
  const turns: Turn[] = [];
  const picture = (block: Json): Picture => ({ mimeType: block.source.media_type, data: block.source.data });
  const ofType = (blocks: Json[], type: string) => blocks.filter((block) => block.type === type);
  for (const { role, content } of body.messages) {
    if (role === "assistant") {
      turns.push({
        role: "assistant",
        text: texts(ofType(content, "text")),
        thinking: content.filter((block: Json) => /thinking/.test(block.type)),
        calls: ofType(content, "tool_use").map(({ id, name, input }) => ({ id, name, arguments: input })),
      });
      continue;
    }
    for (const block of ofType(content, "tool_result")) {
      const inner =
        typeof block.content === "string" ? [{ type: "text", text: block.content }] : block.content;
      const images = ofType(inner, "image").map(picture);
      addResult(turns, {
        id: block.tool_use_id,
        text: texts(ofType(inner, "text")),
        images,
        isError: block.is_error === true,
      });
    }
    const others = content.filter((block: Json) => block.type !== "tool_result");
    const images = ofType(others, "image").map(picture);
    if (others.length > 0)
      turns.push({ role: "user", text: texts(ofType(others, "text")), images, audio: [] });
  }
  const tools = (body.tools ?? []).map((tool: Json) => ({ name: tool.name, schema: tool.input_schema }));
  return { system: texts(body.system ?? []), tools, turns };
}

function readGoogle(body: Json): Reading {
  const turns: Turn[] = [];
  const inline = (parts: Json[]): Picture[] =>
    parts.filter((part) => part.inlineData !== undefined).map(({ inlineData }) => ({ ...inlineData }));
  for (const { role, parts } of body.contents) {
    if (role === "model") {
      turns.push({
        role: "assistant",
        text: texts(parts.filter((part: Json) => part.text !== undefined && !part.thought)),
        thinking: parts.filter((part: Json) => part.thought || part.thoughtSignature !== undefined),
        calls: parts
          .filter((part: Json) => part.functionCall !== undefined)
          .map(({ functionCall: { id, name, args } }: Json) => ({ id, name, arguments: args })),
      });
      continue;
    }
    for (const part of parts) {
      if (part.functionResponse === undefined) continue;
      const { id, response, parts: media = [] } = part.functionResponse;
      const isError = response.error !== undefined;
      addResult(turns, {
        id,
        text: isError ? response.error : response.content,
        images: inline(media),
        isError,
      });
    }
    const others = parts.filter((part: Json) => part.functionResponse === undefined);
    if (others.length === 0) continue;
    const media = inline(others);
    turns.push({
      role: "user",
      text: texts(others.filter((part: Json) => part.text !== undefined)),
      images: media.filter((part) => part.mimeType.startsWith("image/")),
      audio: media.filter((part) => part.mimeType.startsWith("audio/")).map((part) => part.data),
    });
  }
  const declarations = (body.tools ?? []).flatMap((tool: Json) => tool.functionDeclarations ?? []);
  const tools = declarations.map((tool: Json) => ({ name: tool.name, schema: tool.parametersJsonSchema }));
  return { system: texts(body.systemInstruction?.parts ?? []), tools, turns };
}

function userTurn(content: Json): Turn {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return {
    role: "user",
    text: texts(parts.filter((part: Json) => part.text !== undefined)),
    images: dataUrls(parts),
    audio: parts.filter((part: Json) => part.input_audio).map((part: Json) => part.input_audio.data),
  };
}

function addResult(turns: Turn[], result: Result): void {
  const last = turns.at(-1);
  if (last?.role === "tool") (last.results as Result[]).push(result);
  else turns.push({ role: "tool", results: [result] });
}

function texts(parts: readonly Json[]): string {
  return parts
    .filter((part) => part.text !== undefined)
    .map((part) => part.text)
    .join("\n");
}

/** `{type: "image_url", image_url: {url}}` in chat, `{type: "input_image", image_url}` in responses. */
function dataUrls(parts: readonly Json[]): Picture[] {
  return parts
    .filter((part) => part.image_url !== undefined)
    .map((part) => {
      const url: string = typeof part.image_url === "string" ? part.image_url : part.image_url.url;
      const match = /^data:([^;]+);base64,(.*)$/s.exec(url);
      if (match === null) throw new Error(`no data URL: ${url.slice(0, 40)}`);
      return { mimeType: match[1] ?? "", data: match[2] ?? "" };
    });
}
