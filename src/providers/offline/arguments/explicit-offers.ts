/**
 * Values given by the parameter's own name: `rankStart=1`, `edition: 2`, `"path" = "a b"`, 名前：太郎. The surest
 * form there is; types are converted, and what does not convert is not offered.
 */
import type { JsonValue } from "../../../conversation/index.ts";
import type { Reading } from "../reading/reading.ts";
import type { Offer } from "./offer.ts";
import type { Parameter } from "./parameter.ts";

const EXPLICIT_SCORE = 8;
const PAIR =
  /['"「]?([\p{L}_][\p{L}\p{N}_-]{0,60})['"」]?\s*(?:[:=]|＝|：)\s*(?:'([^']{0,2000})'|"([^"]{0,2000})"|「([^」]{0,2000})」|`([^`]{0,2000})`|([^\s,;'"、。「」[\]{}]{1,2000}))/gu;

export function explicitOffers(parameter: Parameter, reading: Reading): readonly Offer[] {
  const offers: Offer[] = [];
  const wanted = key(parameter.name);
  for (const match of reading.folded.matchAll(PAIR)) {
    const [whole, name = "", ...texts] = match;
    if (key(name) !== wanted) continue;
    const quoted = texts.slice(0, 4).find((text) => text !== undefined);
    const start = match.index;
    const end = start + whole.length;
    const rest = quoted === undefined && isLine(parameter) ? restOfLine(reading.folded, end) : "";
    const value = convert(quoted ?? `${texts[4] ?? ""}${rest}`.replace(/(?<!\.)[.!?]$/, ""), parameter);
    if (value === undefined) continue;
    const spans = [{ start, end: end + rest.length }];
    offers.push({ parameter, value, score: EXPLICIT_SCORE, spans, placed: true });
  }
  return offers;
}

/** A command or a text is more than its first word. */
function isLine({ type, closed, kinds }: Parameter): boolean {
  return type === "string" && !closed && (kinds.has("command") || kinds.has("text"));
}

/** Up to the next `name:` or the end of the line. */
function restOfLine(text: string, from: number): string {
  const line = text.slice(from).split("\n", 1)[0] ?? "";
  const next = /[\s,;、]+[\p{L}_][\p{L}\p{N}_-]{0,60}\s*(?:[:=：＝])\s/u.exec(line)?.index ?? line.length;
  return line.slice(0, next).trimEnd();
}

function key(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

function convert(text: string, parameter: Parameter): JsonValue | undefined {
  switch (parameter.type) {
    case "integer":
    case "number": {
      const value = Number(text.replaceAll(",", ""));
      const wrong =
        text === "" || Number.isNaN(value) || (parameter.type === "integer" && !Number.isInteger(value));
      return wrong ? undefined : value;
    }
    case "boolean":
      if (/^(?:true|yes|on)$/i.test(text)) return true;
      return /^(?:false|no|off)$/i.test(text) ? false : undefined;
    case "string":
    case "any": {
      if (!parameter.closed) return text;
      const same = parameter.choices.find(
        (choice) => String(choice.value).toLowerCase() === text.toLowerCase(),
      );
      return same?.value;
    }
    case "array":
      return parameter.item?.type === "string" && text !== "" ? [text] : undefined;
    case "object":
      return undefined;
  }
}
