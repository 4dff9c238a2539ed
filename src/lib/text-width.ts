/**
 * How many columns of a terminal a text takes: two for kana, kanji, hangul, full-width forms and emoji, none for
 * combining marks and joiners, one for everything else. By grapheme, so that が in two code points is one letter.
 */
const WIDE =
  /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303e\u3099-\u30ff\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u{1f1e6}-\u{1f1ff}])/u;
const HALF_WIDTH_KANA = /^[\uff61-\uff9f\uffa0-\uffdc]/;
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

let segmenter: Intl.Segmenter | undefined;

export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter();
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** With spaces to the right, to `columns`; a longer one as it is. */
export function padToWidth(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

/** At most `columns`, with an ellipsis where something was cut. */
export function cutToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  segmenter ??= new Intl.Segmenter();
  let cut = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

function graphemeWidth(grapheme: string): number {
  if (HALF_WIDTH_KANA.test(grapheme)) return [...grapheme].length;
  if (WIDE.test(grapheme)) return 2;
  return NOTHING.test(grapheme) ? 0 : 1;
}
