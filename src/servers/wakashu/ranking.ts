/**
 * Answers for a range of ranks: for each post its head line, its picture and its words, in the document's order,
 * within one size limit. What is missing, broken or too large is said where it would have stood, and the rest is
 * given; the answer is an error only when there is nothing to give.
 */
import { type Answer, type AnswerBlock, blockBytes, failed, note, shorten } from "./answer.ts";
import type { Edition, Post } from "./library.ts";
import { planPictures } from "./picture-plan.ts";
import { bodyText, headLine, type ReadPost } from "./post.ts";
import { type GivenPicture, givePicture, type Shelf } from "./post-picture.ts";
import { fileIri, postIri } from "./uris.ts";

export interface RankingLimits {
  readonly maxAnswerBytes: number;
  /** Words of one post; a reader of a single post gets them all. */
  readonly maxBodyCharacters: number;
}

export interface RankingOptions {
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** A stretch of ranks: posts that are there, or ranks that are not. */
type Stretch =
  | { readonly posts: readonly Post[] }
  | { readonly missing: readonly [from: number, to: number] };

/** The post's blocks but for its picture, which is planned when all sizes are known. */
interface Draft {
  readonly read: ReadPost;
  readonly body: readonly AnswerBlock[];
  readonly bodyBytes: number;
}

/** Reserved for each picture's link or note. */
const NOTE_BYTES = 2048;
const READ_AT_ONCE = 8;

export async function answerRanking(
  shelf: Shelf,
  request: { readonly edition: Edition; readonly rankStart: number; readonly rankEnd: number },
  limits: RankingLimits,
  options: RankingOptions,
): Promise<Answer> {
  const { edition } = request;
  const all = shelf.library.ranks(edition);
  const [lowest, highest] = [all[0]?.rank, all.at(-1)?.rank];
  if (lowest === undefined || highest === undefined) return failed(emptyEdition(edition));
  const from = Math.max(Math.min(request.rankStart, request.rankEnd), 1);
  const to = Math.max(request.rankStart, request.rankEnd);
  if (to < 1)
    return failed(`順位は1位からです（${request.rankStart}位から${request.rankEnd}位という指定でした）。`);
  const wanted = all
    .filter(({ rank }) => rank >= from && rank <= to)
    .map((listed) => shelf.library.post(edition, listed));
  const range = from === to ? `${from}位` : `${from}位から${to}位`;
  const extent = `${titleOf(edition)}にあるのは${lowest}位から${highest}位までです。`;
  if (wanted.length === 0) return failed(`${range}の投稿はありません。${extent}`);

  const stretches = stretchesOf(wanted, from, Math.min(to, highest));
  const { drafts, cut } = draft(shelf, stretches, limits);
  const given = await givePictures(shelf, [...drafts.values()], limits.maxAnswerBytes, options);
  const notes = rangeNotes(request);
  const blocks: AnswerBlock[] = notes.map(note);
  const say = (text: string) => {
    notes.push(text);
    blocks.push(note(text));
  };
  for (const stretch of stretches) {
    if ("missing" in stretch) {
      const [first, last] = stretch.missing;
      if (cut === undefined || first < cut) say(missingRanks(first, last));
      continue;
    }
    for (const post of stretch.posts) {
      const found = drafts.get(post);
      if (!found) continue;
      blocks.push({ type: "text", text: headLine(found.read) });
      blocks.push(...(given.get(post)?.blocks ?? []), ...found.body);
    }
  }
  if (cut !== undefined) {
    say(
      `1回の応答の大きさの上限のため、${cut}位より前までを載せました。続きは rankStart を ${cut} にして取得してください。`,
    );
  } else if (to > highest) say(`${missingRanks(highest + 1, to)}${extent}`);
  const reads = [...drafts.values()].map(({ read }) => read);
  const nextRank = cut ?? all.find(({ rank }) => rank > to)?.rank;
  return {
    blocks,
    isError: !reads.some((read) => read.picture !== undefined || bodyText(read.data) !== ""),
    structured: () => ({
      wakashuName: edition.collection.name,
      edition: edition.edition,
      rankStart: from,
      rankEnd: cut === undefined ? Math.min(to, highest) : Math.max(cut - 1, from),
      posts: reads.map((read) => structuredPost(shelf, read, given.get(read.post), limits)),
      notes,
      ...(nextRank !== undefined && { nextRank }),
    }),
  };
}

/** Words first: they are small, and what is left of the limit is for the pictures. */
function draft(
  shelf: Shelf,
  stretches: readonly Stretch[],
  { maxAnswerBytes, maxBodyCharacters }: RankingLimits,
): { drafts: Map<Post, Draft>; cut: number | undefined } {
  const drafts = new Map<Post, Draft>();
  let bytes = 0;
  for (const post of stretches.flatMap((stretch) => ("posts" in stretch ? stretch.posts : []))) {
    const read = shelf.reader.read(post);
    const body = bodyBlocks(shelf, read, maxBodyCharacters);
    // Twice, because structured content says the same words again.
    const bodyBytes = 2 * body.reduce((sum, block) => sum + blockBytes(block), 0);
    bytes += bodyBytes + 2 * NOTE_BYTES;
    if (bytes > maxAnswerBytes / 2 && drafts.size > 0) return { drafts, cut: post.rank };
    drafts.set(post, { read, body, bodyBytes });
  }
  return { drafts, cut: undefined };
}

function bodyBlocks(shelf: Shelf, read: ReadPost, maxCharacters: number): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  const body = bodyText(read.data);
  if (body.length > maxCharacters) {
    blocks.push(
      { type: "text", text: shorten(body, maxCharacters) },
      note(`本文が長いので、はじめの ${maxCharacters} 文字を載せました（全部で ${body.length} 文字）。`),
      ...(read.files.text ? [textLink(shelf, read)] : []),
    );
  } else if (body !== "") blocks.push({ type: "text", text: body });
  blocks.push(...read.textProblems.map(note));
  if (read.files.others.length > 0) {
    const names = read.files.others.map(({ name }) => name.normalize("NFC")).join("、");
    blocks.push(note(`同じ順位のファイルがほかにもあります：${names}`));
  }
  if (read.post.tied)
    blocks.push(note(`${read.post.rank}位のフォルダーは複数あります（これは「${read.post.directory}」）。`));
  return blocks;
}

function textLink(shelf: Shelf, { files }: ReadPost): AnswerBlock {
  const file = files.text ?? { name: "", path: "" };
  return {
    type: "link",
    iri: fileIri(shelf.library, file),
    name: file.name,
    mimeType: "application/json",
    description: "本文の全体",
  };
}

async function givePictures(
  shelf: Shelf,
  drafts: readonly Draft[],
  maxAnswerBytes: number,
  { signal, progress }: RankingOptions,
): Promise<Map<Post, GivenPicture>> {
  const used = drafts.reduce((sum, { bodyBytes }) => sum + bodyBytes + NOTE_BYTES, NOTE_BYTES);
  const shown = drafts.flatMap(({ read }) =>
    read.picture && shelf.pictures.tooLarge(read.picture) === undefined ? [read.picture] : [],
  );
  const plans = planPictures(
    shown.map(({ stats, header }) => ({
      bytes: Math.ceil(stats.size / 3) * 4,
      mustConvert: header.format === "heic",
    })),
    maxAnswerBytes - used,
  );
  const planOf = new Map(shown.map((info, index) => [info, plans[index]]));
  const converts = plans.some(({ form }) => form === "jpeg");
  const given = new Map<Post, GivenPicture>();
  let done = 0;
  const queue = drafts.values();
  // Several at once, so that one slow disk does not wait for each in turn; the order is kept by the map's keys.
  const worker = async () => {
    for (const { read } of queue) {
      signal.throwIfAborted();
      given.set(read.post, await givePicture(shelf, read, read.picture && planOf.get(read.picture)));
      done += 1;
      // Reading is too quick to tell anybody about.
      if (converts) progress(done, drafts.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(READ_AT_ONCE, drafts.length) }, worker));
  return given;
}

function structuredPost(
  shelf: Shelf,
  read: ReadPost,
  given: GivenPicture | undefined,
  { maxBodyCharacters }: RankingLimits,
) {
  const { post, picture, data } = read;
  return {
    rank: post.rank,
    account: read.account,
    ...(data.text !== undefined && { text: shorten(data.text, maxBodyCharacters) }),
    urls: [...data.urls],
    ...(data.prompt !== undefined && { prompt: shorten(data.prompt, maxBodyCharacters) }),
    ...(picture && {
      picture: {
        uri: fileIri(shelf.library, picture.file),
        name: picture.file.name.normalize("NFC"),
        mimeType: picture.header.mimeType,
        bytes: picture.stats.size,
        form: given?.form ?? "none",
      },
    }),
    uri: postIri(post),
    notes: [...(given?.notes ?? []), ...read.textProblems],
  };
}

function rangeNotes({
  edition,
  rankStart,
  rankEnd,
}: {
  edition: Edition;
  rankStart: number;
  rankEnd: number;
}) {
  return [
    ...(rankStart > rankEnd
      ? [`開始順位（${rankStart}）が終了順位（${rankEnd}）より後なので、順位の順に載せます。`]
      : []),
    ...(Math.min(rankStart, rankEnd) < 1 ? ["順位は1位からなので、1位から載せます。"] : []),
    ...(edition.unread.length > 0
      ? [
          `第${edition.edition}回のフォルダーは複数あり、「${edition.directory}」を読みました（ほかは ${edition.unread.join("、")}）。`,
        ]
      : []),
  ];
}

function stretchesOf(posts: readonly Post[], from: number, to: number): Stretch[] {
  const stretches: Stretch[] = [];
  let expected = from;
  for (const [rank, same] of Map.groupBy(posts, (post) => post.rank)) {
    if (rank > expected) stretches.push({ missing: [expected, rank - 1] });
    stretches.push({ posts: same });
    expected = rank + 1;
  }
  if (expected <= to) stretches.push({ missing: [expected, to] });
  return stretches;
}

function missingRanks(from: number, to: number): string {
  return from === to ? `${from}位の投稿はありません。` : `${from}位から${to}位の投稿はありません。`;
}

function emptyEdition(edition: Edition): string {
  return edition.refused
    ? `${titleOf(edition)}のフォルダーは和歌集の外を指すリンクなので開きません。`
    : `${titleOf(edition)}には投稿がありません（「順位-名前」という名前のフォルダーが必要です）。`;
}

function titleOf({ collection, edition }: Edition): string {
  return `「${collection.name}」第${edition}回`;
}
