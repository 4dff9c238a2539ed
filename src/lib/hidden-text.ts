/**
 * Characters that people do not see and models read: Unicode tags, zero-width characters and controls that turn
 * the direction of text. For a model they are taken out; for a person they are made visible. Joiners inside an
 * emoji or a word of a script that needs them stay.
 */
const HIDDEN =
  /[\u{E0000}-\u{E007F}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u00AD\u061C\u180E]|(?<![\p{Extended_Pictographic}\p{M}\p{Emoji_Modifier}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Sinhala}\p{Script=Malayalam}])[\u200C\u200D]/gu;

export function removeHidden(text: string): string {
  return hasHidden(text) ? text.replace(HIDDEN, "") : text;
}

export function revealHidden(text: string): string {
  if (!hasHidden(text)) return text;
  return text.replace(
    HIDDEN,
    (character) => `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`,
  );
}

/** Most text has none of it, and a test is much cheaper than a replacement. */
function hasHidden(text: string): boolean {
  return /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uDB40]/.test(text);
}
