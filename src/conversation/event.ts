/**
 * What a run tells the world, in order. Nothing calls upward: the terminal, a browser, a script and a test
 * read the same events. An approval is an event out and a reply in.
 */
import type { ToolRequest, ToolResponse } from "./content.ts";
import type { Message } from "./message.ts";
import type { Elicitation, ElicitationAnswer, SamplingRequest } from "./server-request.ts";
import type { ToolDefinition } from "./tool.ts";

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Why a run failed, in the words of the room that failed. `code` is for programs, `message` for people. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export type Outcome =
  | { readonly type: "done"; readonly text: string }
  | { readonly type: "max-turns"; readonly turns: number }
  | { readonly type: "cancelled" }
  | { readonly type: "failed"; readonly failure: Failure };

export type ApprovalAnswer =
  | { readonly type: "allow"; readonly remember?: boolean }
  | { readonly type: "deny"; readonly reason?: string };

export interface ApprovalRequest {
  readonly request: ToolRequest;
  readonly tool: ToolDefinition;
  /** Why a yes is needed, for the person. */
  readonly reason: string;
}

/** Why a resource is part of the context: its server says so, the person attached it, or pinned it. */
export type ShelfReason = "active" | "attached" | "pinned";

/** One resource in the context, as the shelf shows it. */
export interface ShelfEntry {
  readonly extension: string;
  readonly uri: string;
  readonly name: string;
  readonly why: ShelfReason;
  readonly tokens: number;
  readonly changedAt: string;
}

export type AgentEvent =
  | { readonly type: "run-start"; readonly model: string }
  | { readonly type: "turn-start"; readonly turn: number }
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "thinking-delta"; readonly text: string }
  | { readonly type: "tool-call"; readonly request: ToolRequest }
  | {
      readonly type: "approval-request";
      readonly approval: ApprovalRequest;
      /** May be called once; later calls are ignored. Not part of the JSON form. */
      reply(answer: ApprovalAnswer): void;
    }
  | {
      /** An extension asks the person something in the middle of a call. Nobody there to ask: decline with a reason. */
      readonly type: "elicitation-request";
      readonly elicitation: Elicitation;
      reply(answer: ElicitationAnswer): void;
    }
  | {
      /** An extension wants to use the model: costs money and may carry data out, so the person is asked. */
      readonly type: "sampling-request";
      readonly sampling: SamplingRequest;
      reply(answer: ApprovalAnswer): void;
    }
  /** The policy did not let it run and nobody could be asked. The model reads the reason as a result. */
  | { readonly type: "tool-refused"; readonly request: ToolRequest; readonly reason: string }
  | {
      readonly type: "tool-progress";
      readonly id: string;
      readonly name: string;
      readonly progress: Progress;
    }
  | { readonly type: "tool-result"; readonly response: ToolResponse }
  /** A tool that was known before is not what it was: its words or its schema have changed. */
  | {
      readonly type: "tool-changed";
      readonly name: string;
      readonly extension: string;
      readonly diff: string;
    }
  /** A message became part of the conversation. Whoever stores sessions stores these. */
  | { readonly type: "message"; readonly message: Message }
  /** The conversation was too long and was made shorter: these are its messages from now on. */
  | {
      readonly type: "compaction";
      readonly messages: readonly Message[];
      readonly before: number;
      readonly after: number;
    }
  /** What is in the context changed. */
  | { readonly type: "context-change"; readonly shelf: readonly ShelfEntry[] }
  | { readonly type: "notice"; readonly level: "info" | "warning"; readonly text: string }
  | { readonly type: "turn-end"; readonly turn: number; readonly usage: Usage }
  | { readonly type: "run-end"; readonly outcome: Outcome };
