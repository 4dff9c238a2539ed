/**
 * Requests of more than one step: "find X and show the first file". A request is split only where its later part
 * points at what the earlier part will bring; everything else is one step, however many "and"s it has.
 */
import { referenceIn } from "./references.ts";

const BETWEEN =
  /\s*(?:,\s*)?(?:\band\s+then\b|\bthen\b|\band\b(?=\s+(?:please\s+)?(?:show|read|open|view|display|print|get|list|describe|cat)\b)|;)\s*|(?<=して)、?(?:から)?(?=(?:最初|最後|その|それ|[一二三1-3]番目))|(?<=し|て)、(?=(?:最初|最後|その|それ|[一二三1-3]番目))|(?:そして|その後、?|それから、?)/gi;

const MAX_STEPS = 5;

export function stepsOf(text: string): readonly string[] {
  const parts = text
    .slice(0, 4000)
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length < 2 || parts.length > MAX_STEPS) return [text];
  return parts.slice(1).every((part) => referenceIn(part) !== undefined) ? parts : [text];
}
