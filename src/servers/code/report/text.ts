/** Text for a page: escaped, and cut to a width in which a Japanese letter takes twice the room of a Latin one. */

/** Safe in HTML text, attributes and SVG; direction overrides and controls are shown and do nothing. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

export function shortenToWidth(text: string, width: number, fontSize: number): string {
  let used = 0;
  let shown = "";
  for (const character of text.normalize("NFC")) {
    const next = used + widthOf(character) * fontSize;
    if (next > width) return shown.length <= 1 ? "" : `${shown.slice(0, -1)}…`;
    used = next;
    shown += character;
  }
  return shown;
}

/** In ems, roughly. */
function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (
    code >= 0x1100 &&
    (code <= 0x115f ||
      (code >= 0x2e80 && code <= 0xffdc && !(code >= 0xff61 && code <= 0xff9f)) ||
      code >= 0x1f300)
  )
    return 1;
  if (/[ijl.,:;'|!]/.test(character)) return 0.3;
  return /[A-Zmw@]/.test(character) ? 0.72 : 0.57;
}
