/**
 * The `session` extension: what was too long for the conversation, as resources. It has no tools of its own;
 * platform__read_resource reads it like any other extension's, by range or by a search term.
 */
import { type Extension, ExtensionError, type Listing, SESSION_KEY } from "../extensions/index.ts";

/** What the session keeps; the sessions room implements it. */
export interface ResultKeeper {
  list(): readonly {
    readonly uri: string;
    readonly name: string;
    readonly bytes: number;
    readonly keptAt: string;
  }[];
  read(uri: string): string | undefined;
}

const listing: Listing = {
  tools: [],
  hasResources: true,
  instructions:
    "Results that are too long for this conversation are cut and kept whole as session:// resources. " +
    "Read a part with platform__read_resource (offset, limit), or find a place in it with search.",
};

export function createSessionExtension(keeper: ResultKeeper): Extension {
  const refuse = async (what: string): Promise<never> => {
    throw new ExtensionError("not-found", `session has no ${what}.`);
  };
  return {
    key: SESSION_KEY,
    kind: "platform",
    state: { type: "ready", era: "modern", startedInMs: 0 },
    listing,
    start: async () => listing,
    callTool: (name) => refuse(`tool "${name}"`),
    listResources: async () =>
      keeper.list().map(({ uri, name, bytes, keptAt }) => ({
        uri,
        name: `the whole result of ${name}`,
        mimeType: "text/plain",
        size: bytes,
        annotations: { lastModified: keptAt },
      })),
    listResourceTemplates: async () => [],
    async readResource(uri) {
      const text = keeper.read(uri);
      if (text === undefined) return await refuse(`resource ${uri}`);
      return [{ uri, mimeType: "text/plain", text }];
    },
    stop: async () => {},
  };
}
