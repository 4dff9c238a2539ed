/**
 * Values among given ones: an enum's, or those a description lists. A choice is offered when the request says
 * it, by value, by its other words, or (for a declared enum) by a word of the same meaning.
 */
import { stem } from "../../../lib/ranking/stem.ts";
import type { Span } from "../reading/literals.ts";
import type { Reading } from "../reading/reading.ts";
import type { Token } from "../reading/tokens.ts";
import type { Choice } from "./choices.ts";
import { cueOf, likenessOf } from "./cues.ts";
import type { Offer } from "./offer.ts";
import { identifierWords, type Parameter } from "./parameter.ts";

export interface ChoiceMatch {
  readonly choice: Choice;
  readonly span: Span;
  readonly score: number;
}

/** `names`: stems of the tool's own name and title. */
export function choiceOffers(
  parameter: Parameter,
  reading: Reading,
  names: ReadonlySet<string> = new Set(),
): readonly Offer[] {
  return choiceMatches(parameter, reading, names).map(({ choice, span, score }) => ({
    parameter,
    value: choice.value,
    score,
    spans: [span],
    listed: true,
  }));
}

export function choiceMatches(
  parameter: Parameter,
  reading: Reading,
  names: ReadonlySet<string> = new Set(),
): readonly ChoiceMatch[] {
  const words = reading.tokens.flatMap((token, index) => wordsOf(token, index));
  const matches: ChoiceMatch[] = [];
  for (const choice of parameter.choices) {
    let best: ChoiceMatch | undefined;
    choice.spellings.forEach((spelling, place) => {
      const match = find(parameter, reading, words, choice, spelling);
      if (match === undefined) return;
      const score = match.score - (place > 0 ? 0.3 : 0);
      if (best === undefined || score > best.score) best = { ...match, score };
    });
    if (best !== undefined) matches.push(best);
  }
  return matches.length > 0 || !parameter.closed ? matches : partMatches(parameter, words, names);
}

/** "undo" for `undo_edit`: a word that only one choice has. An editor's "edit" is no reason to undo. */
function partMatches(
  parameter: Parameter,
  words: readonly WordAt[],
  names: ReadonlySet<string>,
): readonly ChoiceMatch[] {
  const parts = parameter.choices.map((choice) => ({
    choice,
    stems: identifierWords(String(choice.value)).map(stem),
  }));
  const matches: ChoiceMatch[] = [];
  for (const { choice, stems } of parts) {
    if (stems.length < 2) continue;
    const word = words.find(
      (one) =>
        one.stem.length > 2 &&
        stems.includes(one.stem) &&
        !names.has(one.stem) &&
        parts.every((other) => other.choice === choice || !other.stems.includes(one.stem)),
    );
    if (word === undefined) continue;
    matches.push({ choice, score: 1.8, span: { start: word.token.start, end: word.token.end } });
  }
  return matches;
}

interface WordAt {
  readonly stem: string;
  readonly text: string;
  readonly index: number;
  readonly token: Token;
}

/** A quoted value is matched by its words too; `six_months` by two. */
function wordsOf(token: Token, index: number): readonly WordAt[] {
  if (token.type === "mark") return [];
  if (token.type === "word" && /^[\p{L}\p{N}]+$/u.test(token.text))
    return [{ stem: token.stem, text: token.text, index, token }];
  return identifierWords(token.literal?.type === "quoted" ? token.literal.value : token.text).map((word) => ({
    stem: stem(word),
    text: word,
    index,
    token,
  }));
}

function find(
  parameter: Parameter,
  reading: Reading,
  words: readonly WordAt[],
  choice: Choice,
  spelling: string,
): ChoiceMatch | undefined {
  const wanted = identifierWords(spelling).map(stem);
  const first = wanted[0];
  if (first === undefined) return undefined;
  const short = spelling.length <= 2;
  for (let at = 0; at < words.length; at += 1) {
    const start = words[at];
    if (start === undefined) continue;
    const exact = wanted.every((word, offset) => words[at + offset]?.stem === word);
    const alike = !exact && wanted.length === 1 && parameter.closed ? likenessOf(start.stem, first) : 0;
    if (!exact && alike === 0) continue;
    // 'c', 'G', 'AA': so short that only the same letters in the same case are meant.
    if (short && start.text !== spelling) continue;
    const end = words[at + wanted.length - 1] ?? start;
    const cue = cueOf(parameter, reading, start.index, end.index);
    const named = Math.max(cue.left, cue.right);
    const score =
      (exact ? 3.2 + 0.4 * (wanted.length - 1) : 1.6 * alike + 0.6) +
      1.5 * named +
      (parameter.closed ? 0.6 : 0);
    return { choice, score, span: { start: start.token.start, end: end.token.end } };
  }
  return undefined;
}
