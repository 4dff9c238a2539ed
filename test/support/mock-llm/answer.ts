/** What a scripted answer says, in no wire format: each format turns it into its own frames. */
import type { JsonObject } from "../../../src/conversation/index.ts";

export interface MockCall {
  readonly name: string;
  readonly arguments?: JsonObject;
  /** Sent as it is instead of `arguments`: for broken JSON. */
  readonly raw?: string;
  readonly id?: string;
}

export interface MockAnswer {
  readonly thinking?: string;
  /** The signature (or encrypted form) of the thinking, where the format has one. */
  readonly signature?: string;
  readonly text?: string;
  readonly calls?: readonly MockCall[];
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  readonly finish?: "length" | "refused";
  /** Characters of text or arguments in one delta. */
  readonly deltaSize?: number;
  /** Bytes in one write: 1 splits every character of several bytes. */
  readonly chunkBytes?: number;
  /** Changes the frames before they are sent: for doubled and broken ones. */
  mangle?(frames: readonly string[]): readonly string[];
  /** Stops after so many frames (from the end when negative): socket cut, body ended, or nothing more. */
  readonly stop?: { readonly after: number; readonly how: "cut" | "end" | "hang" };
}

export interface FrameContext {
  readonly model: string;
}

export const DEFAULT_USAGE = { input: 100, output: 10 };

/** Splits by characters as programs count them, so that a delta never holds half a surrogate pair. */
export function pieces(text: string, size = 8): string[] {
  const characters = [...text];
  const result: string[] = [];
  for (let index = 0; index < characters.length; index += size)
    result.push(characters.slice(index, index + size).join(""));
  return result;
}

export function argumentsOf(call: MockCall): string {
  return call.raw ?? JSON.stringify(call.arguments ?? {});
}

let calls = 0;
export function callId(call: MockCall, prefix: string): string {
  calls += 1;
  return call.id ?? `${prefix}${calls}`;
}

export function dataFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function eventFrame(event: string, value: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;
}
