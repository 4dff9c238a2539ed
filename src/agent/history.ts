/** The messages of a run, and roughly how many tokens they are. Changes are told as events, so that others keep up. */
import type { AgentEvent, Message } from "../conversation/index.ts";
import { estimateConversation } from "./compaction.ts";

export class History {
  #messages: Message[];
  #tokens: number;

  constructor(messages: readonly Message[]) {
    this.#messages = [...messages];
    this.#tokens = estimateConversation(messages);
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get tokens(): number {
    return this.#tokens;
  }

  append(message: Message): AgentEvent {
    this.#messages.push(message);
    this.#tokens += estimateConversation([message]);
    return { type: "message", message };
  }

  replace(messages: readonly Message[]): AgentEvent {
    const before = this.#tokens;
    this.#messages = [...messages];
    this.#tokens = estimateConversation(messages);
    return { type: "compaction", messages, before, after: this.#tokens };
  }
}
