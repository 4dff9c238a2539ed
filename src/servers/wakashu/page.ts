/**
 * The anthology as a page for people: one edition with its posts, or what a search found. Made on the server, no
 * script, every word escaped. The order in the source is the order of reading: rank, picture, words, the rest.
 */
import { Html, type HtmlPart, html } from "./html.ts";
import type { Collection, Edition } from "./library.ts";
import { STYLE } from "./page-style.ts";
import { headLine, type ReadPost } from "./post.ts";

export interface PageView {
  readonly collections: readonly Collection[];
  readonly collection: Collection | undefined;
  readonly editions: readonly Edition[];
  readonly layout: Layout;
  readonly query: string;
  readonly content: PageContent;
}

export type Layout = "vertical" | "horizontal";

export type PageContent =
  | {
      readonly kind: "edition";
      readonly edition: Edition;
      readonly posts: readonly ReadPost[];
      readonly previous: number | undefined;
      readonly next: number | undefined;
    }
  | { readonly kind: "search"; readonly total: number; readonly hits: readonly ReadPost[] }
  | { readonly kind: "message"; readonly text: string };

const PROSE_CHARACTERS = 60;
const LONGEST_SIDE = 640;

export function renderPage(view: PageView): string {
  const { collection, layout, content } = view;
  const name = collection?.name ?? "和歌集";
  const page = html`<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(content)}${name}</title>
<style>${new Html(STYLE)}</style>
</head>
<body class="${layout}">
<a class="skip" href="#posts">本文へ移動</a>
<div class="frame">
<header class="banner">
<div class="slip"><h1>${name}</h1></div>
<div class="tools">${navigation(view)}</div>
</header>
<main id="posts" tabindex="-1">
<form class="search" role="search" action="/" method="get">
<label for="q">ことばで探す</label><input id="q" name="q" type="search" value="${view.query}" maxlength="200">
<input type="hidden" name="layout" value="${layout}"><button>探す</button>
</form>
${contentOf(view)}
</main>
<footer><p>この和歌集は MCP サーバーからも読めます：<code>/mcp</code>（Model Context Protocol）、<code>POST /</code>（JSON-RPC）。</p></footer>
</div>
</body>
</html>
`;
  return page.source;
}

function navigation(view: PageView): HtmlPart {
  const { collections, collection, editions, layout, content } = view;
  const current = content.kind === "edition" ? content.edition.edition : undefined;
  return [
    collections.length > 1 &&
      html`<nav aria-label="和歌集"><ul>${collections.map(
        (other) =>
          html`<li><a href="${link(view, { collection: other })}"${markCurrent(other.path === collection?.path)}>${other.name}</a></li>`,
      )}</ul></nav>`,
    html`<nav aria-label="回"><ul>${editions.map(
      ({ edition }) =>
        html`<li><a href="${link(view, { edition })}"${markCurrent(edition === current)}>第${kanji(edition)}回</a></li>`,
    )}</ul></nav>`,
    html`<nav aria-label="組み方"><ul>${(["vertical", "horizontal"] as const).map(
      (choice) =>
        html`<li><a href="${link(view, { layout: choice, ...(current !== undefined && { edition: current }), query: view.query })}"${markCurrent(choice === layout)}>${choice === "vertical" ? "縦書き" : "横書き"}</a></li>`,
    )}</ul></nav>`,
  ];
}

function contentOf(view: PageView): HtmlPart {
  const { content } = view;
  switch (content.kind) {
    case "message":
      return html`<p role="status">${content.text}</p>`;
    case "search":
      return [
        html`<h2>「${view.query}」${content.total}件</h2>`,
        html`<ol class="found">${content.hits.map((hit) => {
          const { edition, rank } = hit.post;
          const target = `${link(view, { collection: edition.collection, edition: edition.edition, rank })}#${anchor(hit)}`;
          return html`<li><a href="${target}">「${edition.collection.name}」第${kanji(edition.edition)}回　${headLine(hit)}</a><p>${hit.data.text ?? ""}</p></li>`;
        })}</ol>`,
        content.total > content.hits.length &&
          html`<p>はじめの${content.hits.length}件です。言葉を足すと絞れます。</p>`,
      ];
    case "edition": {
      const { previous, next } = content;
      const { edition } = content.edition;
      return [
        html`<h2>第${kanji(edition)}回</h2>`,
        content.posts.map((post) => article(post)),
        content.posts.length === 0 && html`<p role="status">この回には、まだ投稿がありません。</p>`,
        (previous !== undefined || next !== undefined) &&
          html`<nav class="pages" aria-label="順位の続き">${previous !== undefined && html`<a href="${link(view, { edition, rank: previous })}">前の順位</a>`}${next !== undefined && html`<a href="${link(view, { edition, rank: next })}">${next}位から</a>`}</nav>`,
      ];
    }
    default:
      return content satisfies never;
  }
}

function article(read: ReadPost): Html {
  const { post, account, data, textProblems, pictureProblem } = read;
  const id = anchor(read);
  const problems = [...(pictureProblem === undefined ? [] : [pictureProblem]), ...textProblems];
  return html`<article id="${id}" aria-labelledby="${id}-name" tabindex="0">
<h3 id="${id}-name"><span class="seal" aria-hidden="true">${kanji(post.rank)}</span><span class="hidden">${post.rank}位：</span><span>@${account}</span></h3>
${picture(read)}
${data.text !== undefined && html`<blockquote${new Html(data.text.length > PROSE_CHARACTERS ? ' class="prose"' : "")}>${data.text}</blockquote>`}
${problems.map((problem) => html`<p class="note" role="note">※ ${problem}</p>`)}
${(data.prompt !== undefined || data.urls.length > 0) && html`<div class="about">${data.prompt !== undefined && html`<p>ジャケット生成に使ったプロンプト<br><q>${data.prompt}</q></p>`}${data.urls.length > 0 && html`<ul aria-label="リンク">${data.urls.map((url) => html`<li>${urlOf(url)}</li>`)}</ul>`}</div>`}
</article>
`;
}

function picture({ post, account, picture: info }: ReadPost): HtmlPart {
  if (!info) return undefined;
  const { collection, edition } = post.edition;
  const source = `/picture/${[collection.name, edition, post.tied ? post.directory : post.rank].map((part) => encodeURIComponent(part)).join("/")}`;
  const { width = LONGEST_SIDE, height = LONGEST_SIDE } = info.header.size ?? {};
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height, 1));
  const size = html`width="${Math.max(1, Math.round(width * scale))}" height="${Math.max(1, Math.round(height * scale))}"`;
  return html`<figure><a href="${source}?original"><img src="${source}" ${size} alt="${post.rank}位 @${account} の投稿の画像（原本を開く）" loading="lazy" decoding="async"></a></figure>`;
}

/** Only web addresses become links; anything else a file may say stays text. */
function urlOf(url: string): HtmlPart {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:") return url;
  return html`<a href="${parsed.href}" rel="noopener noreferrer nofollow external">${url}</a>`;
}

function link(
  view: PageView,
  to: { collection?: Collection; edition?: number; layout?: Layout; query?: string; rank?: number },
): string {
  const collection = to.collection ?? view.collection;
  const parameters = new URLSearchParams();
  if (to.query) parameters.set("q", to.query);
  else {
    if (collection && view.collections.length > 1) parameters.set("wakashu", collection.name);
    if (to.edition !== undefined) parameters.set("edition", String(to.edition));
    if (to.rank !== undefined) parameters.set("from", String(to.rank));
  }
  const layout = to.layout ?? view.layout;
  if (layout !== "vertical") parameters.set("layout", layout);
  return `/${parameters.size > 0 ? `?${parameters}` : ""}`;
}

function anchor({ post }: ReadPost): string {
  return post.tied
    ? `rank-${post.rank}-${encodeURIComponent(post.name).replaceAll("%", "_")}`
    : `rank-${post.rank}`;
}

function titleOf(content: PageContent): string {
  switch (content.kind) {
    case "edition":
      return `第${content.edition.edition}回　`;
    case "search":
      return "検索　";
    case "message":
      return "";
    default:
      return content satisfies never;
  }
}

function markCurrent(is: boolean): Html {
  return new Html(is ? ' aria-current="page"' : "");
}

/** 1 → 一, 12 → 十二, 105 → 百五; from ten thousand on in digits. */
export function kanji(number: number): string {
  if (!Number.isInteger(number) || number < 1 || number > 9999) return String(number);
  return [...String(number)]
    .map((digit, index, digits) => {
      const unit = ["", "十", "百", "千"][digits.length - 1 - index] ?? "";
      if (digit === "0") return "";
      return digit === "1" && unit !== "" ? unit : `${"一二三四五六七八九"[Number(digit) - 1]}${unit}`;
    })
    .join("");
}
