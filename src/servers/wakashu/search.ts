/**
 * Finds posts by words in their text, account or prompt. All words must be there; width, case and the kind of
 * kana do not count. There is no index: the words of all posts are kept while their files stay unchanged.
 */
import { setImmediate } from "node:timers/promises";
import type { Post } from "./library.ts";
import { foldForSearch } from "./names.ts";
import type { PostReader } from "./post.ts";
import type { TextData } from "./text-data.ts";

export type SearchField = "text" | "account" | "prompt";

export interface Hit {
  readonly post: Post;
  readonly data: TextData;
}

/** Posts read between two looks at the event loop. */
const READ_IN_ONE_GO = 100;

export async function findPosts(
  reader: PostReader,
  posts: readonly Post[],
  query: string,
  options: { readonly field?: SearchField | undefined; readonly signal?: AbortSignal } = {},
): Promise<Hit[]> {
  const words = foldForSearch(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hits: Hit[] = [];
  for (const [index, post] of posts.entries()) {
    if (index % READ_IN_ONE_GO === READ_IN_ONE_GO - 1) await setImmediate();
    options.signal?.throwIfAborted();
    const data = reader.words(post);
    const text = foldForSearch(searchable(post, data, options.field));
    if (words.every((word) => text.includes(word))) hits.push({ post, data });
  }
  return hits;
}

function searchable(post: Post, data: TextData, field: SearchField | undefined): string {
  const values = { text: data.text, account: data.account ?? post.name, prompt: data.prompt };
  return field === undefined ? Object.values(values).join("\n") : (values[field] ?? "");
}
