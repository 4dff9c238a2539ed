/**
 * Decides, before any picture is read, how each is given so that one answer stays within its size: as it is, as a
 * JPEG within so many bytes, or as a link. Small pictures are left alone as long as possible; converting costs
 * time, so only a few are converted in one answer. Pure: the same pictures always give the same plan.
 */

export interface PlannedPicture {
  /** Bytes of its base64, were it given as it is. */
  readonly bytes: number;
  /** Whether most clients cannot show the original (HEIC). */
  readonly mustConvert: boolean;
}

export type PicturePlan =
  | { readonly form: "original" }
  | { readonly form: "jpeg"; readonly maxBytes: number; readonly reason: "format" | "size" }
  | { readonly form: "link"; readonly reason: "size" | "count" };

/** A JPEG of a HEIC has two to three times its bytes. */
const HEIC_GROWTH = 3;
const MIN_JPEG_BYTES = 32 * 1024;
const MAX_SCALED = 8;
const MAX_CONVERTED = 24;

export function planPictures(pictures: readonly PlannedPicture[], budget: number): PicturePlan[] {
  const wanted = pictures.map(({ bytes, mustConvert }) =>
    mustConvert ? Math.max(bytes * HEIC_GROWTH, MIN_JPEG_BYTES * 2) : bytes,
  );
  const share = fairShare(wanted, budget);
  const over = wanted.filter((bytes) => bytes > share).length;
  const scales = over <= MAX_SCALED && share >= MIN_JPEG_BYTES;
  let left = budget;
  let converted = 0;
  return pictures.map(({ mustConvert }, index): PicturePlan => {
    const bytes = wanted[index] ?? 0;
    const reason = mustConvert ? "format" : "size";
    if (bytes > share && !scales && bytes > left) return { form: "link", reason: "size" };
    const jpeg = mustConvert || (bytes > share && scales);
    if (jpeg && converted >= MAX_CONVERTED) return { form: "link", reason: "count" };
    const given = scales ? Math.min(bytes, share) : bytes;
    if (given > left) return { form: "link", reason: "size" };
    left -= given;
    if (!jpeg) return { form: "original" };
    converted += 1;
    return { form: "jpeg", maxBytes: given, reason };
  });
}

/** The largest size such that everything fits when each takes at most that much; infinite when all fit whole. */
function fairShare(wanted: readonly number[], budget: number): number {
  const sizes = wanted.toSorted((a, b) => a - b);
  let left = Math.max(budget, 0);
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
