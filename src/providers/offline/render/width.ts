/**
 * How many columns text takes in a terminal: East Asian wide and full-width characters and emoji take two,
 * combining marks and joiners none.
 */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u;

export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (ZERO.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}
