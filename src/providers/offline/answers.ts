/**
 * Answers to the planner's own questions: a value that was missing, a yes or no, a number of a list. A message
 * that is plainly a request of its own is no answer, and the question is dropped.
 */
import type { JsonValue } from "../../conversation/index.ts";
import { type FilledArgument, fillArguments } from "./arguments/fill.ts";
import type { Parameter } from "./arguments/parameter.ts";
import { judge } from "./judge.ts";
import { mentionsIn } from "./mentions.ts";
import { type OpenQuestion, unsettled, withArguments } from "./open-question.ts";
import { type Proposal, propose } from "./propose.ts";
import type { Reading } from "./reading/reading.ts";
import type { ToolIndex } from "./tool-index.ts";

export type Answer = { readonly type: "no" } | { readonly type: "go-on"; readonly proposal: Proposal };

const YES =
  /^\W*(?:y|yes|yeah|yep|ok|okay|sure|please do|go ahead|do it|run it|correct|right|はい|うん|ええ|お願い(?:します)?|実行して(?:ください)?|それで(?:お願いします)?|そうです|いいよ)\W*$/i;
const NO =
  /^\W*(?:n|no|nope|cancel|stop|never ?mind|don't|いいえ|いや|やめ(?:て|る|ます)?|キャンセル|取り消し|中止)\W*/i;
const ORDINALS: readonly RegExp[] = [
  /^\W*(?:1|one|(?:the )?first(?: one)?|1番(?:目)?|一番(?:目)?|最初)(?:です|で|を)?\W*$/i,
  /^\W*(?:2|two|(?:the )?second(?: one)?|2番(?:目)?|二番(?:目)?)(?:です|で|を)?\W*$/i,
  /^\W*(?:3|three|(?:the )?third(?: one)?|3番(?:目)?|三番(?:目)?)(?:です|で|を)?\W*$/i,
];

export function answerTo(open: OpenQuestion, reading: Reading, index: ToolIndex): Answer | undefined {
  const text = reading.folded.trim();
  switch (open.type) {
    case "confirm":
      if (YES.test(text)) return { type: "go-on", proposal: open.proposal };
      return NO.test(text) ? { type: "no" } : undefined;
    case "choice":
      return chosen(open.proposals, reading);
    case "values":
      if (NO.test(text) && text.length < 20) return { type: "no" };
      if (isNewRequest(reading, index, open.proposal)) return undefined;
      return withValues(open.proposal, reading);
  }
}

function chosen(proposals: readonly Proposal[], reading: Reading): Answer | undefined {
  const text = reading.folded.trim();
  const position = ORDINALS.findIndex((pattern) => pattern.test(text));
  const byNumber = proposals[position];
  if (byNumber !== undefined) return { type: "go-on", proposal: byNumber };
  const named = mentionsIn(
    reading,
    proposals.map(({ tool }) => tool),
  ).tools;
  const byName = proposals.filter(({ tool }) => named.has(tool.name));
  if (byName.length === 1 && byName[0] !== undefined) return { type: "go-on", proposal: byName[0] };
  return NO.test(text) && text.length < 20 ? { type: "no" } : undefined;
}

/** Long enough to be a request, and sure of a tool: then it is one. */
function isNewRequest(reading: Reading, index: ToolIndex, asked: Proposal): boolean {
  if (reading.tokens.filter(({ type }) => type !== "mark").length < 4) return false;
  const best = propose(reading, index);
  return judge(best, reading).type === "call" && best[0]?.tool !== asked.tool;
}

function withValues(proposal: Proposal, reading: Reading): Answer | undefined {
  const wanted = unsettled(proposal);
  const plain = plainText(wanted, reading);
  const given =
    plain.length > 0
      ? plain
      : fillArguments(onlyThese(proposal, wanted), reading).filled.filter(
          ({ provenance }) => provenance.from === "request",
        );
  const taken = given.length > 0 ? given : wholeText(wanted, reading);
  if (taken.length === 0) return undefined;
  const said = taken.map(
    (one): FilledArgument => ({
      ...one,
      // What a question was answered with is no guess.
      certain: true,
      parameter: wanted.find(({ name }) => name === one.parameter.name) ?? one.parameter,
    }),
  );
  return { type: "go-on", proposal: withArguments(proposal, said) };
}

/** The tool as if it had only the parameters that were asked for. */
function onlyThese({ tool }: Proposal, wanted: readonly Parameter[]) {
  const properties = Object.fromEntries(wanted.map(({ name, schema }) => [name, schema]));
  return {
    ...tool,
    description: "",
    inputSchema: { type: "object", properties, required: wanted.map(({ name }) => name) },
  };
}

/** Asked for one text and answered with no more than that: nothing is picked out of it. */
function plainText(wanted: readonly Parameter[], reading: Reading): readonly FilledArgument[] {
  const only = wanted[0];
  if (wanted.length !== 1 || only?.type !== "string" || only.closed || only.kinds.has("date")) return [];
  if (reading.literals.length > 0 || reading.original.length > 80) return [];
  return /[.。!?！？]\s*\S|\bis\b|[=:：]|は/.test(reading.original) ? [] : wholeText(wanted, reading);
}

/** One question, one answer: then all of the message is the value. */
function wholeText(wanted: readonly Parameter[], reading: Reading): readonly FilledArgument[] {
  const parameter = wanted[0];
  if (parameter === undefined || wanted.length > 1) return [];
  const text = reading.original
    .trim()
    .replace(/^["'「『“]|["'」』”]$/g, "")
    .replace(/(?:です|でお願いします|でお願い|にして(?:ください)?)?[。.!！]*$/, "");
  const value = convert(text, parameter);
  if (value === undefined) return [];
  const spans = [{ start: 0, end: reading.original.length }];
  return [{ parameter, value, score: 5, certain: true, provenance: { from: "request", spans, text } }];
}

function convert(text: string, parameter: Parameter): JsonValue | undefined {
  switch (parameter.type) {
    case "string":
    case "any":
      return text === "" || parameter.closed ? undefined : text;
    case "array":
      return text === "" ? undefined : text.split(/\s*[,、]\s*/).filter(Boolean);
    case "boolean":
      return YES.test(text) ? true : NO.test(text) ? false : undefined;
    default:
      return undefined;
  }
}
