/**
 * Pictures of the collection: what they are (by their bytes), their bytes as base64, and a JPEG of them where the
 * original cannot be shown or is too large. A picture over the pixel limit is never decoded. Both results are
 * kept within a bound and only while the file is unchanged.
 */
import type { Stats } from "node:fs";
import { Base64 } from "./base64.ts";
import { FileProblem, formatBytes, readHead, readLargeFile } from "./files.ts";
import { Gate } from "./gate.ts";
import type { FoundFile, Library } from "./library.ts";
import { guessOther, HEADER_BYTES, type PictureHeader, readPictureHeader } from "./picture-header.ts";
import { hasSettled, StatCache, stateOf } from "./stat-cache.ts";

export interface PictureInfo {
  readonly file: FoundFile;
  readonly header: PictureHeader;
  readonly stats: Stats;
}

export interface EncodedPicture {
  readonly mimeType: string;
  readonly base64: Base64;
}

export interface Jpeg extends EncodedPicture {
  /** The longest side it was made for. */
  readonly side: number;
}

export const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
export const MAX_PIXELS = 100_000_000;
/** A decoded HEIC is four bytes a pixel in one piece. */
const MAX_HEIC_PIXELS = 50_000_000;
const SIDES = [2560, 2048, 1536, 1024, 768, 512, 384, 256, 128];
const JPEG_QUALITY = 82;
const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_JPEG_BYTES = 32 * 1024 * 1024;
const FIRST_LOOK_BYTES = 4096;
const SMALL_BYTES = 128 * 1024;

export class Pictures {
  readonly #library: Library;
  readonly #infos = new StatCache<PictureHeader>(50_000);
  readonly #encoded = new StatCache<EncodedPicture>(KEPT_BYTES);
  readonly #jpegs = new StatCache<Jpeg>(KEPT_JPEG_BYTES);
  /** Readings under way, so that many who ask at once wait for one. */
  readonly #pending = new Map<string, Promise<EncodedPicture>>();
  readonly #gate = new Gate(2);

  constructor(library: Library) {
    this.#library = library;
  }

  /**
   * Looks at the header. With `willShow` a small file is read whole at once, since it will be wanted.
   * Throws FileProblem for what is not a picture.
   */
  inspect(file: FoundFile, { willShow = false } = {}): PictureInfo {
    const state = stateOf(this.#library.absolute(file.path));
    const known = state && this.#infos.get(file.path, state);
    if (known && state) return { file, header: known, stats: state };
    let head = readHead(this.#library.boundary, file.path, willShow ? SMALL_BYTES : FIRST_LOOK_BYTES);
    let header = readPictureHeader(head.bytes);
    if (header && header.size === undefined && head.stats.size > head.bytes.length) {
      head = readHead(this.#library.boundary, file.path, HEADER_BYTES);
      header = readPictureHeader(head.bytes);
    }
    if (!header) {
      throw new FileProblem("refused", `${nameOf(file)} は画像ではありません（${guessOther(head.bytes)}）。`);
    }
    this.#infos.set(file.path, head.stats, header, 1);
    if (willShow && head.bytes.length === head.stats.size) {
      const base64 = new Base64(head.bytes);
      this.#encoded.set(file.path, head.stats, { mimeType: header.mimeType, base64 }, base64.length);
    }
    return { file, header, stats: head.stats };
  }

  /** Why the picture is not shown itself, as a sentence; undefined when it may be. */
  tooLarge({ file, header, stats }: PictureInfo): string | undefined {
    const { width = 0, height = 0 } = header.size ?? {};
    const pixels = header.format === "heic" ? MAX_HEIC_PIXELS : MAX_PIXELS;
    if (width * height > pixels) {
      return `${nameOf(file)} は ${width}×${height} 画素あるという画像で、上限（${pixels / 1_000_000} 百万画素）を超えるため開きません。`;
    }
    if (stats.size > MAX_PICTURE_BYTES) {
      return `${nameOf(file)} は ${formatBytes(stats.size)} あり、上限の ${formatBytes(MAX_PICTURE_BYTES)} を超えるため開きません。`;
    }
    return undefined;
  }

  async read(file: FoundFile): Promise<Buffer> {
    return (await readLargeFile(this.#library.boundary, file.path, MAX_PICTURE_BYTES)).bytes;
  }

  /** The file's own bytes. */
  async encode({ file, header, stats }: PictureInfo): Promise<EncodedPicture> {
    const known = this.#encoded.get(file.path, stats);
    if (known) return known;
    return this.#once(`${file.path}\0${stats.ino}\0${stats.ctimeMs}`, hasSettled(stats), async () => {
      const { bytes, stats: read } = await readLargeFile(
        this.#library.boundary,
        file.path,
        MAX_PICTURE_BYTES,
      );
      const encoded = { mimeType: header.mimeType, base64: new Base64(bytes) };
      this.#encoded.set(file.path, read, encoded, encoded.base64.length);
      return encoded;
    });
  }

  /** A JPEG whose longest side is at most `side`; never larger than the original. */
  async jpeg(info: PictureInfo, side: number = SIDES[0] as number): Promise<Jpeg> {
    const key = `${info.file.path}\0${side}`;
    const known = this.#jpegs.get(key, info.stats);
    if (known) return known;
    const made = await this.#gate.run(async () => {
      const convert = await this.#converter(info);
      return { mimeType: "image/jpeg", base64: new Base64(await convert(side)), side };
    });
    this.#jpegs.set(key, info.stats, made, made.base64.length);
    return made;
  }

  /** The largest JPEG of our sizes whose base64 fits into `maxBytes`; undefined when none does. */
  async jpegWithin(info: PictureInfo, maxBytes: number): Promise<Jpeg | undefined> {
    const sides = sidesFor(info, maxBytes);
    for (const side of sides) {
      const known = this.#jpegs.get(`${info.file.path}\0${side}`, info.stats);
      if (known && known.base64.length <= maxBytes) return known;
    }
    return this.#gate.run(async () => {
      const convert = await this.#converter(info);
      for (const side of sides) {
        const jpeg = { mimeType: "image/jpeg", base64: new Base64(await convert(side)), side };
        this.#jpegs.set(`${info.file.path}\0${side}`, info.stats, jpeg, jpeg.base64.length);
        if (jpeg.base64.length <= maxBytes) return jpeg;
      }
      return undefined;
    });
  }

  async #converter(info: PictureInfo): Promise<(side: number) => Promise<Buffer>> {
    const problem = this.tooLarge(info);
    if (problem !== undefined) throw new FileProblem("too-large", problem);
    const bytes = await this.read(info.file);
    try {
      const { default: sharp } = await import("sharp");
      // Its cache would keep decoded pictures beyond our own bounds.
      sharp.cache(false);
      const options = { limitInputPixels: MAX_PIXELS, autoOrient: true };
      let open = () => sharp(bytes, options);
      if (info.header.format === "heic") {
        const { decodeHeic } = await import("../../lib/heic.ts");
        const { width, height, data } = await decodeHeic(bytes, MAX_HEIC_PIXELS);
        open = () => sharp(data, { raw: { width, height, channels: 4 } });
      }
      return async (side) => {
        try {
          return await open()
            .flatten({ background: "#fff" })
            .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
            .jpeg({ quality: JPEG_QUALITY })
            .toBuffer();
        } catch {
          throw broken(info.file);
        }
      };
    } catch (error) {
      if (error instanceof FileProblem) throw error;
      throw broken(info.file);
    }
  }

  #once(key: string, share: boolean, make: () => Promise<EncodedPicture>): Promise<EncodedPicture> {
    if (!share) return make();
    const running = this.#pending.get(key);
    if (running) return running;
    const started = make().finally(() => this.#pending.delete(key));
    this.#pending.set(key, started);
    return started;
  }
}

/** Sizes worth trying, largest first: a JPEG of ours has about a third of a byte a pixel. */
function sidesFor({ header }: PictureInfo, maxBytes: number): number[] {
  const { width = SIDES[0] as number, height = width } = header.size ?? {};
  const longest = Math.max(width, height, 1);
  const fits = (side: number) => {
    const scale = Math.min(1, side / longest);
    return width * scale * height * scale * 0.15 <= maxBytes;
  };
  const useful = SIDES.filter((side, index) => index === 0 || side < longest);
  return useful.filter((side) => fits(side) || side === useful.at(-1));
}

function broken(file: FoundFile): FileProblem {
  return new FileProblem("unreadable", `${nameOf(file)} は壊れているようで、開けませんでした。`);
}

function nameOf(file: FoundFile): string {
  return file.name.normalize("NFC");
}
