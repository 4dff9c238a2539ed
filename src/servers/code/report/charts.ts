/** The report's drawings as inline SVG: they need no script, no network and follow the page's colours. */

import type { ReportData, ReportFile } from "./report-data.ts";
import { escapeHtml, shortenToWidth } from "./text.ts";
import { type PlacedNode, placeTree, type TreeNode, treeOf } from "./treemap.ts";

const MAP_WIDTH = 1160;
const MAP_HEIGHT = 640;
/** Decisions and functions per 100 lines of code at which the colour changes. */
export const HEAT_STEPS = [4, 8, 12, 18, 26] as const;

/** Area: lines. Colour: complexity for each 100 lines of code. Grey: no program. */
export function treemapSvg(files: readonly ReportFile[]): string {
  const known = new Map(files.map((file) => [file.path, file]));
  const tree = treeOf(
    files.filter(({ lines }) => lines > 0).map(({ path, lines }) => ({ path, value: lines })),
  );
  const boxes = placeTree(tree, { x: 0, y: 0, width: MAP_WIDTH, height: MAP_HEIGHT });
  const drawn = boxes.map((box) => drawBox(box, known)).join("");
  return `<svg class="map" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" role="img" aria-label="Treemap of the project: area is lines, colour is complexity">${drawn}</svg>`;
}

function drawBox(box: PlacedNode, known: ReadonlyMap<string, ReportFile>): string {
  const { node, x, y, width, height, depth, leaf } = box;
  const place = `x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${fixed(height)}"`;
  if (!leaf) {
    if (depth === 0) return "";
    const label = width > 40 ? textAt(x + 4, y + 12, "folder-name", node.name, width - 8) : "";
    return `<g><rect ${place} class="folder d${Math.min(depth, 4)}"><title>${escapeHtml(`${node.path}/  ${node.value} lines`)}</title></rect>${label}</g>`;
  }
  const file = known.get(node.path);
  const total = sumUp(node, known);
  const title = file
    ? `${node.path}\n${file.language}, ${file.lines} lines, complexity ${file.complexity}`
    : `${node.path}/\n${node.value} lines, complexity ${total.complexity}`;
  const label = width > 46 && height > 15 ? textAt(x + 3, y + 12, "file-name", node.name, width - 6) : "";
  return `<g><rect ${place} class="${heatClass(total)}"><title>${escapeHtml(title)}</title></rect>${label}</g>`;
}

/** Code and complexity of the programs in a file or in a folder that is drawn as one box. */
function sumUp(node: TreeNode, known: ReadonlyMap<string, ReportFile>): { code: number; complexity: number } {
  const file = known.get(node.path);
  if (file && node.children.length === 0) return file.program ? file : { code: 0, complexity: 0 };
  let code = 0;
  let complexity = 0;
  for (const child of node.children) {
    const part = sumUp(child, known);
    code += part.code;
    complexity += part.complexity;
  }
  return { code, complexity };
}

function heatClass({ code, complexity }: { code: number; complexity: number }): string {
  if (code === 0) return "heat-none";
  const density = (100 * complexity) / code;
  const step = HEAT_STEPS.findIndex((limit) => density < limit);
  return `heat-${step < 0 ? HEAT_STEPS.length : step}`;
}

/** One bar, a part for each language; what is too small is summed up. */
export function languageBarSvg(languages: ReportData["languages"]): string {
  let x = 0;
  const shown = languages.filter(({ percentage }) => percentage >= 0.5).slice(0, 9);
  const rest = 100 - shown.reduce((sum, { percentage }) => sum + percentage, 0);
  const parts = [
    ...shown.map(({ name, percentage }) => ({ name, percentage })),
    ...(rest > 0.005 ? [{ name: "other", percentage: rest }] : []),
  ];
  const rects = parts.map(({ name, percentage }, i) => {
    const width = (percentage / 100) * MAP_WIDTH;
    const rect = `<rect x="${fixed(x)}" y="0" width="${fixed(Math.max(0, width - 1))}" height="18" rx="2" class="lang-${name === "other" ? "other" : i}"><title>${escapeHtml(`${name} ${percentage.toFixed(2)} %`)}</title></rect>`;
    x += width;
    return rect;
  });
  return `<svg class="bar" viewBox="0 0 ${MAP_WIDTH} 18" preserveAspectRatio="none" role="img" aria-label="Share of lines by language">${rects.join("")}</svg>`;
}

/** Commits a month as bars, over the lines added and deleted. */
export function monthsSvg(months: NonNullable<ReportData["history"]>["months"]): string {
  const shown = months.slice(-36);
  const height = 180;
  const base = height - 28;
  const step = MAP_WIDTH / Math.max(shown.length, 6);
  const most = Math.max(1, ...shown.map(({ commits }) => commits));
  const every = Math.max(1, Math.ceil(shown.length / 18));
  const bars = shown.map(({ month, commits, added, deleted }, i) => {
    const tall = (commits / most) * (base - 22);
    const x = i * step + step * 0.15;
    const title = `${month}: ${commits} commits, +${added} −${deleted} lines`;
    const label =
      i % every === 0
        ? `<text x="${fixed(x + step * 0.35)}" y="${height - 8}" class="axis" text-anchor="middle">${escapeHtml(month)}</text>`
        : "";
    const count =
      step > 26
        ? `<text x="${fixed(x + step * 0.35)}" y="${fixed(base - tall - 5)}" class="axis" text-anchor="middle">${commits}</text>`
        : "";
    return `<g><rect x="${fixed(x)}" y="${fixed(base - tall)}" width="${fixed(step * 0.7)}" height="${fixed(tall)}" rx="2" class="commits"><title>${escapeHtml(title)}</title></rect>${count}${label}</g>`;
  });
  return `<svg class="months" viewBox="0 0 ${MAP_WIDTH} ${height}" role="img" aria-label="Commits by month"><line x1="0" x2="${MAP_WIDTH}" y1="${base}" y2="${base}" class="rule"/>${bars.join("")}</svg>`;
}

function textAt(x: number, y: number, kind: string, text: string, width: number): string {
  const shown = shortenToWidth(text, width, 10.5);
  return shown === ""
    ? ""
    : `<text x="${fixed(x)}" y="${fixed(y)}" class="${kind}">${escapeHtml(shown)}</text>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
