/**
 * What a builtin server shares as resources: listed in pages, read by URI, found by template, watched.
 * A server implements this once; the kit speaks both protocol eras over it.
 */
import type { CacheHint, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";

export type KitResource = Resource;
export type KitResourceTemplate = ResourceTemplateType;

/** Text, or base64 bytes. `_meta` may say more, such as the encoding that was found. */
export type KitResourceContents =
  | { uri: string; mimeType?: string; text: string; _meta?: Record<string, unknown> }
  | { uri: string; mimeType?: string; blob: string; _meta?: Record<string, unknown> };

export interface ResourcePage {
  readonly resources: readonly KitResource[];
  /** Opaque; given back to `list` for the next page. */
  readonly nextCursor?: string;
}

export interface ResourceProvider {
  list(options: {
    readonly cursor?: string;
    readonly signal: AbortSignal;
  }): Promise<ResourcePage> | ResourcePage;
  readonly templates?: readonly KitResourceTemplate[];
  /** Throws ResourceError for what it does not have or will not give. */
  read(uri: string, options: { readonly signal: AbortSignal }): Promise<readonly KitResourceContents[]>;
  /** Values for a template's variable that begin with `value`. At most 100 reach the client. */
  complete?(request: CompletionRequest): Promise<readonly string[]> | readonly string[];
  /** How long modern clients may keep what they got. Not at all, unless said here. */
  readonly cacheHints?: { readonly list?: CacheHint; readonly read?: CacheHint };
  /** Called once, when the first client subscribes to anything; changes are then told through the change bus. */
  startWatching?(): void;
}

export interface CompletionRequest {
  readonly template: string;
  readonly variable: string;
  readonly value: string;
  readonly others: Readonly<Record<string, string>>;
}

const watching = new WeakSet<ResourceProvider>();

/** Somebody wants to hear of changes: the provider starts to watch, once in its life. */
export function startWatching(resources: ResourceProvider | undefined): void {
  if (resources === undefined || watching.has(resources)) return;
  watching.add(resources);
  resources.startWatching?.();
}

/**
 * - `not-found`: there is no such resource. The client gets -32602 (modern) or -32002 (legacy).
 * - `refused`: it may exist, but this server does not give it (outside the root, a device, …).
 * - `invalid`: the URI itself is malformed.
 * - `failed`: it exists and reading it went wrong.
 */
export type ResourceErrorCode = "not-found" | "refused" | "invalid" | "failed";

export class ResourceError extends Error {
  override readonly name = "ResourceError";
  readonly code: ResourceErrorCode;
  constructor(code: ResourceErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
