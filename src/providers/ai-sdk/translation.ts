/** What the converters must know of the model and of the request at hand. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { Message } from "../../conversation/index.ts";
import type { ModelLimits } from "../model.ts";
import type { PreparedPictures } from "../pictures/prepared.ts";
import type { PropertyNames } from "../property-name.ts";
import type { ToolNames } from "../tool-name.ts";
import type { Wire } from "../wire.ts";

export interface Translation {
  /** `provider/model`. Thinking goes back only to the model that thought it: its signature is for nobody else. */
  readonly id: string;
  readonly wire: Wire;
  readonly limits: ModelLimits;
  readonly names: ToolNames;
  readonly properties: PropertyNames;
  readonly pictures: PreparedPictures;
  /** Messages whose translation depends on nothing but themselves, so that a long conversation is translated once. */
  readonly translated: WeakMap<Message, readonly LanguageModelV4Message[]>;
  /** What was said already: a provider package repeats its warnings with every request. */
  readonly warned: Set<string>;
}
