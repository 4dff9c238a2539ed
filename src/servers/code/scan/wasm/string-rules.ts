/**
 * String rules: those a language describes, and those whose end is known only where they begin (a Ruby `%w(…)`, a
 * here-document). The latter are never kept: a number says all of such a rule, and it is made again from the number
 * whenever its text goes on. So files with ever new labels need no memory.
 */
import {
  FILE_AT,
  HEREDOC_INDENTED,
  HEREDOC_NO,
  HEREDOC_PLAIN,
  MADE_RULE_AT,
  MADE_STOPS_AT,
} from "../tables.ts";
import { byteAt, isWordByte, lexicon, STRING_RULE_BYTES, StringRule } from "./memory.ts";

/** An interrupted literal remembers its rule and, above these bits, how many of its own brackets are open. */
export const RULE_BITS = 20;
const RULE_MASK = (1 << RULE_BITS) - 1;

const BACKSLASH = 0x5c;
/** A literal between two signs: this bit, the closing sign, and whether it nests and interpolates. */
const MADE = 1 << 16;
const NESTS = 1 << 8;
const INTERPOLATES = 1 << 9;
/** A here-document: where its label begins in the file, and the same of it. */
const HEREDOC_INTERPOLATES = 1 << 28;
const HEREDOC_INDENTS = 1 << 29;
const LABEL_MASK = HEREDOC_INTERPOLATES - 1;

/** The number of a literal between `open` and `close`; `open` is -1 when both are the same sign. */
export function literalNumber(close: i32, open: i32, interpolates: bool): i32 {
  return MADE | close | (open >= 0 ? NESTS : 0) | (interpolates ? INTERPOLATES : 0);
}

/** The number of a here-document whose label begins at `label`. */
export function heredocNumber(label: i32, indented: bool, interpolates: bool): i32 {
  return (label - FILE_AT) | (indented ? HEREDOC_INDENTS : 0) | (interpolates ? HEREDOC_INTERPOLATES : 0);
}

export function stringRule(resumed: i32): StringRule {
  const number = resumed & RULE_MASK;
  if ((number & MADE) === 0) return changetype<StringRule>(lexicon.strings + number * STRING_RULE_BYTES);
  const made = begin((number & INTERPOLATES) !== 0);
  const close = number & 0xff;
  // The closing sign lies where its own byte is kept, behind the rule.
  store<u8>(MADE_RULE_AT + STRING_RULE_BYTES, close);
  made.close = MADE_RULE_AT + STRING_RULE_BYTES;
  made.closeLength = 1;
  made.escape = BACKSLASH;
  made.nests = (number & NESTS) === 0 ? -1 : openingOf(close);
  made.heredoc = HEREDOC_NO;
  stopAt(close);
  stopAt(BACKSLASH);
  if (made.nests >= 0) stopAt(made.nests);
  return made;
}

export function heredocRule(number: i32): StringRule {
  const interpolates = (number & HEREDOC_INTERPOLATES) !== 0;
  const made = begin(interpolates);
  const label = FILE_AT + (number & LABEL_MASK);
  let end = label;
  while (isWordByte(byteAt(end))) end += 1;
  made.close = label;
  made.closeLength = end - label;
  made.escape = interpolates ? BACKSLASH : -1;
  made.nests = -1;
  made.heredoc = (number & HEREDOC_INDENTS) === 0 ? HEREDOC_PLAIN : HEREDOC_INDENTED;
  if (interpolates) stopAt(BACKSLASH);
  return made;
}

/** What both kinds have in common: they go on over lines, and what begins code in them is `#{`. */
function begin(interpolates: bool): StringRule {
  const made = changetype<StringRule>(MADE_RULE_AT);
  made.doubles = 0;
  made.multiline = 1;
  made.documents = 0;
  made.interpolate = MADE_RULE_AT + STRING_RULE_BYTES + 1;
  made.interpolateLength = interpolates ? 2 : 0;
  made.stops = MADE_STOPS_AT;
  store<u8>(MADE_RULE_AT + STRING_RULE_BYTES + 1, 0x23);
  store<u8>(MADE_RULE_AT + STRING_RULE_BYTES + 2, 0x7b);
  memory.fill(MADE_STOPS_AT, 0, 256);
  stopAt(0);
  stopAt(0x0a);
  stopAt(0x0d);
  if (interpolates) stopAt(0x23);
  return made;
}

function stopAt(byte: i32): void {
  store<u8>(byte, 1, MADE_STOPS_AT);
}

function openingOf(close: i32): i32 {
  switch (close) {
    case 0x29:
      return 0x28;
    case 0x5d:
      return 0x5b;
    case 0x7d:
      return 0x7b;
    default:
      return 0x3c;
  }
}
