/** PHP's surroundings: text outside the tags, and here-documents. */
import { announceHeredoc } from "./heredocs.ts";
import { byteAt, isWordByte } from "./memory.ts";
import { LineKind, scan } from "./state.ts";
import { heredocNumber } from "./string-rules.ts";

const LESS = 0x3c;
const QUESTION = 0x3f;

/** Reads text that is no PHP, to behind `<?php` or `<?=`. */
export function skipToPhp(): void {
  const end = scan.end;
  let at = scan.at;
  while (at < end) {
    const byte = byteAt(at);
    if (byte === 0x0a || byte === 0x0d) at = scan.crossLine(at);
    else if (
      byte === LESS &&
      byteAt(at + 1) === QUESTION &&
      (byteAt(at + 2) === 0x3d || (byteAt(at + 2) | 0x20) === 0x70)
    ) {
      scan.kind = LineKind.code;
      at += byteAt(at + 2) === 0x3d ? 3 : 5;
      break;
    } else {
      if (byte > 0x20) scan.kind = LineKind.code;
      at += 1;
    }
  }
  scan.at = min(at, end);
  scan.afterOperator();
}

/** `?>` */
export function scanCloseTag(): bool {
  scan.kind = LineKind.code;
  scan.at += 2;
  skipToPhp();
  return true;
}

/** `<<<NAME`, `<<<'NAME'`, `<<<"NAME"`. */
export function scanPhpHeredoc(): bool {
  let at = scan.at + 3;
  while (byteAt(at) === 0x20) at += 1;
  const quote = byteAt(at);
  const quoted = quote === 0x22 || quote === 0x27;
  if (quoted) at += 1;
  const start = at;
  while (isWordByte(byteAt(at))) at += 1;
  if (at === start) return false;
  announceHeredoc(heredocNumber(start, true, false));
  scan.kind = LineKind.code;
  scan.at = quoted ? at + 1 : at;
  scan.afterOperand();
  return true;
}
