/**
 * Gives one post's picture in the form that was planned for it: as it is, as a JPEG with the original linked, or
 * as a link. Whatever is not the file's own bytes is said beside it. A picture that fails on the way is a
 * sentence, never an error of the whole answer.
 */
import { type AnswerBlock, note } from "./answer.ts";
import { formatBytes } from "./files.ts";
import type { Library } from "./library.ts";
import type { PicturePlan } from "./picture-plan.ts";
import type { PictureInfo, Pictures } from "./pictures.ts";
import { type PostReader, type ReadPost, sentence } from "./post.ts";
import { fileIri, postIri } from "./uris.ts";

/** Where posts and pictures come from. */
export interface Shelf {
  readonly library: Library;
  readonly pictures: Pictures;
  readonly reader: PostReader;
}

export interface GivenPicture {
  readonly blocks: readonly AnswerBlock[];
  readonly form: "original" | "jpeg" | "link" | "none";
  readonly notes: readonly string[];
}

export async function givePicture(
  shelf: Shelf,
  read: ReadPost,
  plan: PicturePlan | undefined,
): Promise<GivenPicture> {
  const { picture, post } = read;
  if (!picture) return saidOnly(read.pictureProblem ?? "画像がありません。");
  const name = picture.file.name.normalize("NFC");
  const mismatch = mismatchOf(picture);
  if (!plan) return linkOnly(shelf, picture, shelf.pictures.tooLarge(picture) ?? "");
  if (plan.form === "link") {
    const size = formatBytes(picture.stats.size);
    return linkOnly(
      shelf,
      picture,
      plan.reason === "size"
        ? `${name}（${size}）は応答の大きさの上限に収まらないので、リンクを載せます。`
        : `1回の応答で変換する画像が多すぎるので、${name} はリンクを載せます。`,
    );
  }
  try {
    if (plan.form === "original") {
      const { mimeType, base64 } = await shelf.pictures.encode(picture);
      const block: AnswerBlock = {
        type: "picture",
        iri: fileIri(shelf.library, picture.file),
        name,
        mimeType,
        base64,
      };
      return { blocks: [block, ...mismatch.map(note)], form: "original", notes: mismatch };
    }
    const jpeg = await shelf.pictures.jpegWithin(picture, plan.maxBytes);
    if (!jpeg)
      return linkOnly(shelf, picture, `${name} は応答の大きさの上限に収まらないので、リンクを載せます。`);
    const why =
      plan.reason === "format"
        ? `${name} は表示できないクライアントが多いので、JPEG に変換しました。原本はリンク先にあります。`
        : `${name}（${formatBytes(picture.stats.size)}）は応答の大きさの上限に収まらないので、長辺 ${jpeg.side} 画素以下の JPEG に縮小しました。原本はリンク先にあります。`;
    return {
      blocks: [
        {
          type: "picture",
          iri: postIri(post, "jpeg", jpeg.side),
          name: `${name.replace(/\.[^.]*$/, "")}.jpg`,
          mimeType: jpeg.mimeType,
          base64: jpeg.base64,
        },
        pictureLink(shelf, picture, why),
        ...(plan.reason === "size" ? [note(why)] : []),
        ...mismatch.map(note),
      ],
      form: "jpeg",
      notes: [why, ...mismatch],
    };
  } catch (error) {
    return saidOnly(sentence(error));
  }
}

function saidOnly(problem: string): GivenPicture {
  return { blocks: [note(problem)], form: "none", notes: [problem] };
}

function linkOnly(shelf: Shelf, picture: PictureInfo, problem: string): GivenPicture {
  return { blocks: [note(problem), pictureLink(shelf, picture, problem)], form: "link", notes: [problem] };
}

function pictureLink(shelf: Shelf, { file, header, stats }: PictureInfo, description: string): AnswerBlock {
  return {
    type: "link",
    iri: fileIri(shelf.library, file),
    name: file.name.normalize("NFC"),
    mimeType: header.mimeType,
    bytes: stats.size,
    description,
  };
}

/** The bytes decide; a name that says otherwise is worth a word. */
function mismatchOf({ file, header }: PictureInfo): string[] {
  const extension = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
  const expected = extension === "jpg" ? "jpeg" : extension;
  if (expected === header.format) return [];
  return [`${file.name.normalize("NFC")} の中身は ${header.format.toUpperCase()} です。`];
}
