/**
 * Everything the planner says in its own words, in English and Japanese. It never speaks as if it understood:
 * each sentence names what it is, or what it needs.
 */
import type { JsonObject, ToolDefinition } from "../../conversation/index.ts";
import type { Parameter } from "./arguments/parameter.ts";
import type { Proposal } from "./propose.ts";
import type { Language } from "./reading/text.ts";

const MAX_DESCRIPTION = 120;

export function notice(language: Language): string {
  return language === "ja"
    ? "オフラインプランナーで動いています。これは言語モデルではありません。言葉からツールを選び、引数を埋めて実行するだけです。`kari configure` でプロバイダー（OpenAI、Anthropic、Google、Ollama など）を設定できます。"
    : "Running with the offline planner. It is not a language model: it picks a tool by the words of your request, fills its arguments and runs it. `kari configure` sets up a provider (OpenAI, Anthropic, Google, Ollama …).";
}

export function nothingFits(language: Language, tools: number): string {
  if (language === "ja")
    return `これは言語モデルではなくオフラインプランナーで、ツールを実行することしかできません。${tools === 0 ? "使えるツールがありません" : `使える ${tools} 個のツールの中に、この依頼に合うものが見つかりませんでした`}。文章を書く・考えるといった依頼には、\`kari configure\` でプロバイダーを設定してください。`;
  return `I am the offline planner, not a language model: I can only run tools, and ${tools === 0 ? "there are none" : `none of the ${tools} tools here fits this request`}. For writing, thinking or talking, set up a provider with \`kari configure\`.`;
}

const MAX_EXTENSIONS = 30;
const MAX_TITLES = 12;

/** What there is to ask for: each extension with the titles of its tools. */
export function whatICanDo(language: Language, tools: readonly ToolDefinition[]): string {
  const owners = new Map<string, string[]>();
  for (const tool of tools) {
    if ("hint" in tool) continue;
    const titles = owners.get(tool.extension) ?? [];
    owners.set(tool.extension, titles);
    titles.push(tool.title ?? tool.annotations?.title ?? tool.toolName);
  }
  const more = (count: number) => (language === "ja" ? `ほか ${count} 件` : `and ${count} more`);
  const lines = [...owners].slice(0, MAX_EXTENSIONS).map(([extension, titles]) => {
    const rest = titles.length - MAX_TITLES;
    const shown = [...titles.slice(0, MAX_TITLES), ...(rest > 0 ? [more(rest)] : [])];
    return `- ${extension}: ${shown.join(language === "ja" ? "、" : ", ")}`;
  });
  if (owners.size > MAX_EXTENSIONS) lines.push(`- ${more(owners.size - MAX_EXTENSIONS)}`);
  const lead =
    language === "ja"
      ? "これは言語モデルではなくオフラインプランナーです。次のことを、言葉に合うツールで実行できます。文章を書く・考えるといった依頼には、`kari configure` でプロバイダーを設定してください。"
      : "I am the offline planner, not a language model: I run the tool that fits your words. For writing, thinking or talking, set up a provider with `kari configure`. There is:";
  return [lead, ...lines].join("\n");
}

export function emptyRequest(language: Language): string {
  return language === "ja" ? "何をしますか？（オフラインプランナー）" : "What shall I run? (offline planner)";
}

export function askFor(language: Language, tool: ToolDefinition, missing: readonly Parameter[]): string {
  const lead =
    language === "ja"
      ? `\`${tool.name}\` を実行できますが、足りない値があります（オフラインプランナー）。`
      : `I can run \`${tool.name}\`, but a value is missing (offline planner).`;
  return [lead, ...missing.map((parameter) => question(language, parameter))].join("\n");
}

/** After a listing: which of these, or that there are none. */
export function askAmong(
  language: Language,
  tool: ToolDefinition,
  parameter: Parameter,
  values: readonly string[],
): string {
  const shown = values.slice(0, MAX_SHOWN).map((value) => `- ${value}`);
  const rest = values.length - shown.length;
  if (rest > 0) shown.push(language === "ja" ? `（ほか ${rest} 件）` : `(and ${rest} more)`);
  return [askFor(language, tool, [parameter]), ...shown].join("\n");
}

const MAX_SHOWN = 20;

function question(language: Language, parameter: Parameter): string {
  const about = firstSentence(parameter.description);
  const choices = parameter.choices
    .slice(0, 8)
    .map(({ value }) => String(value))
    .join(" / ");
  const name = parameter.path.join(".");
  if (language === "ja")
    return `- \`${name}\` は何ですか？${about === "" ? "" : `（${about}）`}${choices === "" ? "" : ` 選択肢: ${choices}`}`;
  return `- What is \`${name}\`?${about === "" ? "" : ` (${about})`}${choices === "" ? "" : ` One of: ${choices}`}`;
}

export function confirmCall(language: Language, tool: ToolDefinition, values: JsonObject): string {
  const call = `\`${tool.name}\` ${JSON.stringify(values)}`;
  return language === "ja"
    ? `これで合っていますか？ ${call}\n「はい」で実行します。オフラインプランナーの推測なので、確かめてください。`
    : `Is this what you mean? ${call}\nSay "yes" to run it. This is the offline planner's guess, so please check it.`;
}

export function chooseFrom(language: Language, proposals: readonly Proposal[]): string {
  const lead =
    language === "ja"
      ? "どのツールか確信が持てません（オフラインプランナー）。番号で選んでください。"
      : "I am not sure which tool you mean (offline planner). Choose by number:";
  return [
    lead,
    ...proposals.map(
      ({ tool }, index) =>
        `${index + 1}. \`${tool.name}\` ${firstSentence(tool.description ?? tool.title ?? "")}`,
    ),
  ].join("\n");
}

export function notRun(language: Language): string {
  return language === "ja" ? "わかりました。実行しません。" : "All right, nothing was run.";
}

export function noNextPage(language: Language, tool: ToolDefinition): string {
  return language === "ja"
    ? `\`${tool.name}\` の前回の結果に次のページはありません。`
    : `The last result of \`${tool.name}\` has no next page.`;
}

export function noEarlierCall(language: Language): string {
  return language === "ja"
    ? "まだ何も実行していないので、続きはありません。"
    : "Nothing was run yet, so there is nothing to continue.";
}

export function unclearReference(language: Language, words: string): string {
  return language === "ja"
    ? `「${words}」が何を指すか、前回の結果からは決められません。名前かパスで教えてください。`
    : `I cannot tell from the last result what "${words}" is. Give me its name or path.`;
}

export function stepNotDone(language: Language, step: string): string {
  return language === "ja" ? `まだしていないこと: 「${step}」` : `Not done: "${step}"`;
}

export function cutRequest(language: Language, characters: number): string {
  return language === "ja"
    ? `依頼が長いため、途中の ${characters} 文字は読んでいません。`
    : `The request is long: ${characters} characters in its middle were not read.`;
}

function firstSentence(text: string): string {
  const sentence = text.split(/(?<=[.。])\s|\n/)[0]?.trim() ?? "";
  return sentence.length > MAX_DESCRIPTION ? `${sentence.slice(0, MAX_DESCRIPTION - 1)}…` : sentence;
}
