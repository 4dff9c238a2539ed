/** PHP's surroundings: text outside the tags, and here-documents. */
import { LineKind, type Scan } from "./state.ts";
import { heredocString } from "./string-rules.ts";

const LESS = 0x3c;
const QUESTION = 0x3f;

/** Reads text that is no PHP, to behind `<?php` or `<?=`. */
export function skipToPhp(scan: Scan): void {
  const { bytes, end } = scan;
  let at = scan.at;
  for (;;) {
    const byte = bytes[at] as number;
    if (at >= end) break;
    if (byte === 0x0a || byte === 0x0d) at = scan.crossLine(at);
    else if (
      byte === LESS &&
      bytes[at + 1] === QUESTION &&
      (bytes[at + 2] === 0x3d || ((bytes[at + 2] as number) | 0x20) === 0x70)
    ) {
      scan.kind = LineKind.code;
      at += bytes[at + 2] === 0x3d ? 3 : 5;
      break;
    } else {
      if (byte > 0x20) scan.kind = LineKind.code;
      at += 1;
    }
  }
  scan.at = Math.min(at, end);
  scan.afterOperator();
}

/** `?>` */
export function scanCloseTag(scan: Scan): boolean {
  scan.kind = LineKind.code;
  scan.at += 2;
  skipToPhp(scan);
  return true;
}

/** `<<<NAME`, `<<<'NAME'`, `<<<"NAME"`. */
export function scanPhpHeredoc(scan: Scan): boolean {
  const { bytes } = scan;
  let at = scan.at + 3;
  while (bytes[at] === 0x20) at += 1;
  const quote = bytes[at] as number;
  const quoted = quote === 0x22 || quote === 0x27;
  if (quoted) at += 1;
  const start = at;
  while (scan.lexicon.wordBytes[bytes[at] as number] === 1) at += 1;
  if (at === start) return false;
  scan.heredocs.push(heredocString(scan.lexicon, bytes.slice(start, at), true, ""));
  scan.kind = LineKind.code;
  scan.at = quoted ? at + 1 : at;
  scan.afterOperand();
  return true;
}
