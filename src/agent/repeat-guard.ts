/**
 * Notices a model that asks for the same thing again and again and gets the same answer: after three times the
 * call is refused with advice, and when it goes on regardless the run ends. Polling is not repetition: a different
 * answer starts the count anew.
 */
import type { ToolRequest, ToolResponse } from "../conversation/index.ts";

const REFUSE_AFTER = 3;
const STOP_AFTER = 6;

export class RepeatGuard {
  #last: { readonly call: string; readonly answer: string } | undefined;
  #count = 0;

  /** Undefined when the call may run; otherwise what to tell the model. */
  check(request: ToolRequest): string | undefined {
    if (this.#count < REFUSE_AFTER || this.#last?.call !== fingerprint(request)) return undefined;
    return (
      `${request.name} was called ${this.#count} times in a row with these arguments and gave the same result each time; ` +
      "it was not run again. Use the result you have, change the arguments, or tell the person what is missing."
    );
  }

  note(request: ToolRequest, response: ToolResponse): void {
    const call = fingerprint(request);
    const answer = JSON.stringify([response.content, response.isError]);
    const refused = this.check(request) !== undefined;
    const same = this.#last?.call === call && (refused || this.#last.answer === answer);
    this.#count = same ? this.#count + 1 : 1;
    this.#last = { call, answer: refused ? (this.#last?.answer ?? answer) : answer };
  }

  get exhausted(): boolean {
    return this.#count >= STOP_AFTER;
  }
}

function fingerprint(request: ToolRequest): string {
  return `${request.name}\0${JSON.stringify(request.arguments)}`;
}
