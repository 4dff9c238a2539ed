/**
 * Tells the model about extensions that were not there when the system prompt was written: as a message of the
 * conversation, because the prompt must not change. Each is told once.
 */
import { type ContextSource, extensionSection } from "../agent/index.ts";
import type { UserMessage } from "../conversation/index.ts";
import type { ExtensionManager, Listing } from "../extensions/index.ts";

export class ExtensionNews implements ContextSource {
  readonly #manager: ExtensionManager;
  readonly #told = new Set<string>();
  readonly #introduced = new Set<string>();

  constructor(manager: ExtensionManager) {
    this.#manager = manager;
  }

  /** What the system prompt says now; everything else will be news. */
  introduce(): readonly { readonly key: string; readonly listing: Listing }[] {
    const known = this.#known();
    for (const { key } of known) {
      this.#told.add(key);
      this.#introduced.add(key);
    }
    return known;
  }

  async collect(): Promise<readonly UserMessage[]> {
    const news = this.#known().filter(({ key }) => !this.#told.has(key));
    return news.map(({ key, listing }) => {
      this.#told.add(key);
      const text = `[The extension ${key} is available from now on.]\n\n${extensionSection({ key, ...listing })}`;
      return {
        role: "user",
        origin: "context",
        content: [{ type: "text", text, source: { extension: key } }],
      };
    });
  }

  /** What was told is gone from the conversation; what the system prompt says is not. */
  reset(): void {
    for (const key of this.#told) if (!this.#introduced.has(key)) this.#told.delete(key);
  }

  #known(): { key: string; listing: Listing }[] {
    return this.#manager.all().flatMap(({ key, listing }) => (listing ? [{ key, listing }] : []));
  }
}
