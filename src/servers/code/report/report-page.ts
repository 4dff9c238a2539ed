/**
 * The report as one HTML page: no script, no network (a policy in the page forbids both), light or dark as the
 * reader's system is, readable on paper.
 */
import { HEAT_STEPS, languageBarSvg, monthsSvg, treemapSvg } from "./charts.ts";
import type { ReportData } from "./report-data.ts";
import { STYLE } from "./report-style.ts";
import { escapeHtml } from "./text.ts";

const number = new Intl.NumberFormat("en-US");
const TOP = 20;
export const GENERATOR = "Kari code report";

export function reportPage(data: ReportData): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${GENERATOR}">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(data.name)} – code report</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${header(data)}
${languages(data)}
${map(data)}
${hotSpots(data)}
${files(data)}
${history(data)}
<footer>Lines are physical lines. Complexity is lexical: each if, loop, case, catch, ternary and logical operator counts one, each function one more.</footer>
</main>
</body>
</html>
`;
}

function header(data: ReportData): string {
  const commentShare =
    data.codeLines + data.commentLines === 0
      ? 0
      : (100 * data.commentLines) / (data.codeLines + data.commentLines);
  const cards = [
    ["Files", number.format(data.totalFiles)],
    ["Lines", number.format(data.totalLines)],
    ["Code lines", number.format(data.codeLines)],
    ["Comments", `${commentShare.toFixed(1)} %`],
    ["Languages", number.format(data.languages.length)],
    ["Average complexity", number.format(data.averageComplexity)],
  ];
  return `<header><h1>${escapeHtml(data.name)}</h1><p class="sub">${escapeHtml(data.root)} · ${escapeHtml(data.made.slice(0, 16).replace("T", " "))} UTC</p>
<dl class="cards">${cards.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl></header>`;
}

function languages({ languages: all }: ReportData): string {
  const rows = all
    .slice(0, 15)
    .map(
      ({ name, file_count, line_count, percentage, code_lines = 0, comment_lines = 0 }, i) =>
        `<tr><td><i class="dot lang-${i < 9 && percentage >= 0.5 ? i : "other"}"></i>${escapeHtml(name)}</td>${cells(file_count, line_count, code_lines, comment_lines)}<td class="n">${percentage.toFixed(2)} %</td></tr>`,
    );
  const more = all.length > 15 ? `<p class="note">and ${all.length - 15} more languages</p>` : "";
  return section(
    "Languages",
    `${languageBarSvg(all)}${table(["Language", "Files", "Lines", "Code", "Comment", "Share"], rows)}${more}`,
  );
}

function map({ files: all }: ReportData): string {
  const steps = [
    `under ${HEAT_STEPS[0]}`,
    ...HEAT_STEPS.map((limit, i) =>
      HEAT_STEPS[i + 1] === undefined ? `${limit} and more` : `${limit}–${HEAT_STEPS[i + 1]}`,
    ),
  ];
  const legend = steps.map((text, i) => `<span><i class="dot heat-${i}"></i>${text}</span>`).join("");
  return section(
    "Map",
    `<p class="note">Area: lines. Colour: complexity for each 100 lines of code; grey is data and prose. Point at a box for its numbers.</p>
<p class="legend">${legend}<span><i class="dot heat-none"></i>no program</span></p>${treemapSvg(all)}`,
  );
}

function hotSpots({ hotSpots: spots, historySince }: ReportData): string {
  if (spots.length === 0) return "";
  const rows = spots.map(
    ({ file, language, commits, complexity, line_count, score }) =>
      `<tr><td class="path">${escapeHtml(file)}</td><td>${escapeHtml(language)}</td>${cells(commits, complexity, line_count, score)}</tr>`,
  );
  return section(
    "Hot spots",
    `<p class="note">Files that are complex and often changed (since ${escapeHtml(historySince)}): commits × complexity.</p>${table(["File", "Language", "Commits", "Complexity", "Lines", "Score"], rows)}`,
  );
}

function files({ files: all }: ReportData): string {
  const row = (file: ReportData["files"][number]) =>
    `<tr><td class="path">${escapeHtml(file.path)}</td><td>${escapeHtml(file.language)}</td>${cells(file.lines, file.complexity)}</tr>`;
  const complex = [...all]
    .filter(({ program }) => program)
    .sort((a, b) => b.complexity - a.complexity)
    .slice(0, TOP);
  const large = [...all].sort((a, b) => b.lines - a.lines).slice(0, TOP);
  const head = ["File", "Language", "Lines", "Complexity"];
  return `<div class="pair">${section("Most complex files", table(head, complex.map(row)))}${section("Largest files", table(head, large.map(row)))}</div>`;
}

function history({ history: past, historySince }: ReportData): string {
  if (!past)
    return section("History", `<p class="note">No git history since ${escapeHtml(historySince)}.</p>`);
  const authors = past.authors
    .slice(0, 12)
    .map(({ name, commits }) => `<li>${escapeHtml(name)} <b>${number.format(commits)}</b></li>`);
  const more = past.authors.length > 12 ? `<li>and ${number.format(past.authors.length - 12)} more</li>` : "";
  const cut = past.cut ? " The oldest of them were not read." : "";
  return section(
    "History",
    `<p class="note">${number.format(past.commits)} commits by ${number.format(past.authors.length)} authors since ${escapeHtml(historySince)}.${cut}</p>${monthsSvg(past.months)}<ul class="authors">${authors.join("")}${more}</ul>`,
  );
}

function section(title: string, body: string): string {
  return `<section><h2>${title}</h2>${body}</section>`;
}

function table(head: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return `<p class="note">None.</p>`;
  const columns = head
    .map((name, i) => `<th${i === 0 || name === "Language" ? "" : ' class="n"'}>${name}</th>`)
    .join("");
  return `<div class="scroll"><table><thead><tr>${columns}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function cells(...values: readonly number[]): string {
  return values.map((value) => `<td class="n">${number.format(value)}</td>`).join("");
}
