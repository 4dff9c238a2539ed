/**
 * Resources: the data that extensions share, and how important they say it is.
 * `isActive` decides which resources reach the model by themselves (MISSION B4).
 */
export type Audience = "user" | "assistant";

export interface Annotations {
  readonly audience?: readonly Audience[];
  /** 0.0 (least) to 1.0 (effectively required). Anything else counts as none. */
  readonly priority?: number;
  /** ISO 8601. Servers of the first revisions call it `timestamp`. */
  readonly lastModified?: string;
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes, before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
}

export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

/** What reading a resource gives: text, or base64 bytes. One read may give several. */
export type ResourceContents =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string };

const PRIORITY_EPSILON = 1e-9;

/** True for priority 1.0 within an epsilon; an odd priority (NaN, 7, "1") counts as none. */
export function isActive(resource: { readonly annotations?: Annotations }): boolean {
  const priority = resource.annotations?.priority;
  return typeof priority === "number" && Math.abs(priority - 1) < PRIORITY_EPSILON;
}

/** Content without an audience is for everybody. */
export function isFor(reader: Audience, annotations: Annotations | undefined): boolean {
  const audience = annotations?.audience;
  return audience === undefined || audience.length === 0 || audience.includes(reader);
}
