/**
 * Tells the model about extensions that were not there when the system prompt was written, and about tools that are
 * not in its list: as messages of the conversation, because the prompt must not change. Each is told once.
 */
import { type ContextSource, type ExtensionSection, extensionSection } from "../agent/index.ts";
import type { UserMessage } from "../conversation/index.ts";
import type { ExtensionManager } from "../extensions/index.ts";

export class ExtensionNews implements ContextSource {
  readonly #manager: ExtensionManager;
  readonly #told = new Set<string>();
  readonly #introduced = new Set<string>();
  /** Extensions of which it was said that they have tools besides those in the list. */
  readonly #toldMore = new Set<string>();
  readonly #introducedMore = new Set<string>();
  readonly #heldBack: () => ReadonlyMap<string, number>;

  /** `heldBack`: how many tools of each extension the model is not given. */
  constructor(manager: ExtensionManager, heldBack: () => ReadonlyMap<string, number>) {
    this.#manager = manager;
    this.#heldBack = heldBack;
  }

  /** What the system prompt says now; everything else will be news. */
  introduce(): readonly ExtensionSection[] {
    const sections = this.#sections();
    for (const { key, heldBack } of sections) {
      this.#told.add(key);
      this.#introduced.add(key);
      if (heldBack === undefined) continue;
      this.#toldMore.add(key);
      this.#introducedMore.add(key);
    }
    return sections;
  }

  async collect(): Promise<readonly UserMessage[]> {
    return this.#sections().flatMap((section) => {
      const { key, heldBack } = section;
      const isNew = !this.#told.has(key);
      const hasMore = heldBack !== undefined && !this.#toldMore.has(key);
      this.#told.add(key);
      if (hasMore) this.#toldMore.add(key);
      if (isNew)
        return news(key, `[The extension ${key} is available from now on.]\n\n${extensionSection(section)}`);
      const more = `[The extension ${key} has ${heldBack} more tools that are not in your list: find them with platform__search_tools.]`;
      return hasMore ? news(key, more) : [];
    });
  }

  /** What was told is gone from the conversation; what the system prompt says is not. */
  reset(): void {
    for (const key of this.#told) if (!this.#introduced.has(key)) this.#told.delete(key);
    for (const key of this.#toldMore) if (!this.#introducedMore.has(key)) this.#toldMore.delete(key);
  }

  #sections(): readonly ExtensionSection[] {
    const heldBack = this.#heldBack();
    return this.#manager
      .all()
      .flatMap(({ key, listing }) => (listing ? [{ key, ...listing, heldBack: heldBack.get(key) }] : []));
  }
}

function news(extension: string, text: string): readonly UserMessage[] {
  return [{ role: "user", origin: "context", content: [{ type: "text", text, source: { extension } }] }];
}
