/**
 * A value that might go into a parameter: where it came from and how well it fits. Offers are made by type and
 * compared all together, because a value that fits here may fit better there.
 */
import type { JsonValue } from "../../../conversation/index.ts";
import type { Span } from "../reading/literals.ts";
import type { Parameter } from "./parameter.ts";

/** Where an argument came from. A span points into the request as it was read. */
export type Provenance =
  | { readonly from: "request"; readonly spans: readonly Span[]; readonly text: string }
  | { readonly from: "default" }
  | { readonly from: "result"; readonly text: string }
  | { readonly from: "context"; readonly text: string };

export interface Offer {
  readonly parameter: Parameter;
  readonly value: JsonValue;
  /** Comparable over all offers of one request. */
  readonly score: number;
  /** What it takes from the request; another parameter cannot have it too. Empty for flags and defaults. */
  readonly spans: readonly Span[];
  /** One of the values that the parameter lists. */
  readonly listed?: boolean;
  /** The request says which end of a range it is. */
  readonly placed?: boolean;
}

/** What a required parameter takes at least, and what an optional one does: it could do without. */
export const LEAST_REQUIRED = 0.2;
export const LEAST_OPTIONAL = 2.6;
/** From here on a value is certain enough to act on. */
export const CERTAIN = 1.6;
/** Or from here on, when every other value is so much worse. */
export const LIKELY = 0.6;
export const CLEARLY = 1;
