/**
 * What to do next, from the whole conversation and nothing else: the planner keeps no state, so a stored session
 * goes on exactly where it was. An open question is found by deciding the earlier exchange once more.
 */
import type { JsonObject, ToolDefinition } from "../../conversation/index.ts";
import { type Answer, answerTo } from "./answers.ts";
import type { FilledArgument } from "./arguments/fill.ts";
import { CERTAIN } from "./arguments/offer.ts";
import { valueFromContext } from "./context-values.ts";
import { followUp } from "./follow-up.ts";
import { callsOf, type Exchange } from "./history.ts";
import { judge } from "./judge.ts";
import { type Lookup, listedValues, lookupFor } from "./lookup.ts";
import { type OpenQuestion, unsettled, withArguments } from "./open-question.ts";
import { type Proposal, propose } from "./propose.ts";
import { asksForHelp, plainWords } from "./reading/idioms.ts";
import { type Reading, readRequest } from "./reading/reading.ts";
import { type Language, readText } from "./reading/text.ts";
import { referenceIn, resolveReference } from "./references.ts";
import { stepsOf } from "./steps.ts";
import type { ToolIndex } from "./tool-index.ts";
import { isReadOnly } from "./tool-words.ts";
import * as say from "./wording.ts";

export type Decision =
  | {
      readonly type: "call";
      readonly tool: ToolDefinition;
      readonly arguments: JsonObject;
      readonly filled: readonly FilledArgument[];
      /** The call only finds out what another one needs. */
      readonly lookup?: Lookup;
    }
  | { readonly type: "say"; readonly text: string; readonly open?: OpenQuestion };

export interface Situation {
  readonly index: ToolIndex;
  /** Without the resources that stand among them. */
  readonly toolCount: number;
  readonly system: string;
  readonly now: Date;
}

/** How far back a chain of questions and answers is followed. */
const MAX_QUESTIONS = 8;

/** For the last exchange, whose calls (if any) are not looked at. */
export function decide(exchanges: readonly Exchange[], situation: Situation, depth = 0): Decision {
  const current = exchanges.at(-1);
  const earlier = exchanges.slice(0, -1);
  const reading = readRequest(current?.text ?? "", situation.now);
  if (reading.tokens.length === 0) return { type: "say", text: say.emptyRequest(reading.language) };
  const open = openQuestion(earlier, situation, depth);
  const answer = open === undefined ? undefined : answerTo(open, reading, situation.index);
  if (answer !== undefined) return afterAnswer(answer, reading, earlier, situation);
  const follow = followUp(reading, earlier, situation.index.tools);
  switch (follow?.type) {
    case "call":
      return { type: "call", tool: follow.tool, arguments: follow.arguments, filled: [] };
    case "no-next-page":
      return { type: "say", text: say.noNextPage(reading.language, follow.tool) };
    case "no-earlier-call":
      return { type: "say", text: say.noEarlierCall(reading.language) };
    case undefined:
      return decideStep(stepsOf(current?.text ?? "")[0] ?? "", earlier, situation);
  }
}

/** One step of a request, whose references point into the exchanges before it. */
export function decideStep(text: string, earlier: readonly Exchange[], situation: Situation): Decision {
  if (asksForHelp(text)) {
    const { language } = readText(text);
    return { type: "say", text: say.whatICanDo(language, [...situation.index.tools.values()]) };
  }
  const resolved = withReference(plainWords(text), earlier);
  const reading = readRequest(resolved.text, situation.now);
  const proposals = propose(reading, situation.index).map((one) => withContext(one, earlier, situation));
  const verdict = judge(proposals, reading);
  const { language } = readRequest(text, situation.now);
  if (resolved.unclear !== undefined && (verdict.type === "ask" || verdict.type === "choose"))
    return { type: "say", text: say.unclearReference(language, resolved.unclear) };
  switch (verdict.type) {
    case "call":
      return callOf(verdict.proposal);
    case "confirm": {
      const { tool, filling } = verdict.proposal;
      const open: OpenQuestion = { type: "confirm", proposal: verdict.proposal };
      return { type: "say", text: say.confirmCall(language, tool, filling.arguments), open };
    }
    case "ask":
      return settle(verdict.proposal, language, situation);
    case "choose":
      return {
        type: "say",
        text: say.chooseFrom(language, verdict.proposals),
        open: { type: "choice", proposals: verdict.proposals },
      };
    case "nothing":
      return { type: "say", text: say.nothingFits(language, situation.toolCount) };
  }
}

function callOf({ tool, filling }: Proposal): Extract<Decision, { type: "call" }> {
  return { type: "call", tool, arguments: filling.arguments, filled: filling.filled };
}

/** Looks the missing value up where that is possible, else asks for it. */
function settle(proposal: Proposal, language: Language, situation: Situation): Decision {
  const lookup = lookupFor(proposal, situation.index.tools.values());
  if (lookup !== undefined) return { type: "call", tool: lookup.lister, arguments: {}, filled: [], lookup };
  return askOf(proposal, language);
}

function askOf(proposal: Proposal, language: Language): Decision {
  const text = say.askFor(language, proposal.tool, unsettled(proposal));
  return { type: "say", text, open: { type: "values", proposal } };
}

function openQuestion(
  earlier: readonly Exchange[],
  situation: Situation,
  depth: number,
): OpenQuestion | undefined {
  const last = earlier.at(-1);
  if (last === undefined || last.calls.length > 1 || depth >= MAX_QUESTIONS) return undefined;
  const decision = decide(earlier, situation, depth + 1);
  if (decision.type === "call")
    return decision.lookup === undefined ? undefined : { type: "values", proposal: decision.lookup.proposal };
  return last.calls.length === 0 ? decision.open : undefined;
}

function afterAnswer(
  answer: Answer,
  reading: Reading,
  earlier: readonly Exchange[],
  situation: Situation,
): Decision {
  if (answer.type === "no") return { type: "say", text: say.notRun(reading.language) };
  const proposal = withContext(answer.proposal, earlier, situation);
  if (unsettled(proposal).length > 0) return settle(proposal, reading.language, situation);
  return callOf(proposal);
}

/** Missing values that are plain from the surroundings need no question. */
function withContext(proposal: Proposal, exchanges: readonly Exchange[], situation: Situation): Proposal {
  const { tool } = proposal;
  const needed = unsettled(proposal);
  const found = needed.flatMap(
    (parameter) => valueFromContext(parameter, tool, { exchanges, system: situation.system }) ?? [],
  );
  if (found.length === 0) return proposal;
  return withArguments(proposal, found);
}

/** "that file" becomes the file. `unclear` holds the words when the last result does not say which. */
function withReference(
  text: string,
  earlier: readonly Exchange[],
): { readonly text: string; readonly unclear?: string } {
  const reference = referenceIn(text);
  if (reference === undefined) return { text };
  const target = resolveReference(reference, callsOf(earlier));
  const words = text.slice(reference.start, reference.end);
  if (target === undefined) return { text, unclear: words };
  return { text: `${text.slice(0, reference.start)} ${target} ${text.slice(reference.end)}` };
}

/** After a result: the call of the request's next step, where that is certain and only reads. */
export function nextStep(exchanges: readonly Exchange[], situation: Situation): NextStep {
  const current = exchanges.at(-1);
  const planned = decide(exchanges, situation);
  if (planned.type === "call" && planned.lookup !== undefined && current?.calls.length === 1)
    return afterLookup(planned.lookup, current);
  const steps = stepsOf(current?.text ?? "");
  const step = steps[current?.calls.length ?? 0];
  if (current === undefined || step === undefined) return { type: "done" };
  if (current.calls.at(-1)?.response?.isError === true) return { type: "stopped", step };
  const decision = decideStep(step, exchanges, situation);
  if (decision.type === "call" && isReadOnly(decision.tool)) return { type: "call", decision };
  return { type: "stopped", step };
}

function afterLookup({ proposal, parameter }: Lookup, { text, calls }: Exchange): NextStep {
  const response = calls[0]?.response;
  const values = response === undefined ? [] : listedValues(response, parameter);
  const [only] = values;
  const { language } = readText(text);
  if (only === undefined || values.length > 1)
    return { type: "say", text: say.askAmong(language, proposal.tool, parameter, values) };
  const provenance = { from: "result", text: only } as const;
  const found = { parameter, value: only, score: CERTAIN, certain: true, provenance };
  return { type: "call", decision: callOf(withArguments(proposal, [found])) };
}

export type NextStep =
  | { readonly type: "done" }
  | { readonly type: "say"; readonly text: string }
  | { readonly type: "call"; readonly decision: Extract<Decision, { type: "call" }> }
  | { readonly type: "stopped"; readonly step: string };
