/**
 * The look of the page: paper and ink, vermilion for seals and indigo for links. Vertical writing is the natural
 * form; on a narrow screen the words stay vertical and everything around them turns. Only fonts of the reader's
 * own machine, no outside resource.
 */
export const STYLE = `
:root{color-scheme:light dark;--paper:#f6f0e2;--sheet:#fdfaf2;--ink:#2b2622;--faint:#6d6358;--rule:#e4d8bf;--line:#d8c9aa;--seal:#b3372a;--stamp:#b3372a;--link:#2c4c78;--shade:rgb(80 60 30/.14)}
@media (prefers-color-scheme:dark){:root{--paper:#16161a;--sheet:#201f24;--ink:#ece5d7;--faint:#a89f91;--rule:#2f2d33;--line:#3a373d;--seal:#e5806b;--stamp:#b8412f;--link:#a9c4ea;--shade:rgb(0 0 0/.5)}}
*{box-sizing:border-box}
html{font-family:"Hiragino Mincho ProN","Yu Mincho",YuMincho,"Noto Serif CJK JP","Noto Serif JP","Source Han Serif JP",serif;background:var(--paper);color:var(--ink);line-height:1.8;font-feature-settings:"palt" 0;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;background:radial-gradient(60rem 40rem at 110% -10%,rgb(179 55 42/.08),transparent),radial-gradient(50rem 40rem at -20% 110%,rgb(44 76 120/.08),transparent)}
a{color:var(--link);text-underline-offset:.25em;text-decoration-thickness:1px}
a:focus-visible,button:focus-visible,input:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--seal);outline-offset:3px;border-radius:2px}
.skip{position:absolute;inset-inline-start:1rem;top:-4rem;background:var(--sheet);padding:.5rem 1rem;z-index:2}
.skip:focus{top:1rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.frame{display:grid;grid-template-columns:minmax(0,1fr) auto;grid-template-areas:"main banner" "foot banner";max-width:84rem;margin:0 auto;gap:0 2.5rem;padding:0 2rem}
.banner{grid-area:banner;position:sticky;top:0;align-self:start;height:100vh;padding:2.5rem 0;display:flex;flex-direction:row-reverse;gap:1.75rem}
.slip{writing-mode:vertical-rl;background:var(--sheet);border:1px solid var(--line);outline:1px solid var(--line);outline-offset:4px;padding:2rem 1rem;box-shadow:0 .4rem 1.6rem var(--shade);height:fit-content;max-height:100%}
h1{font-size:clamp(1.5rem,3.6vh,2.3rem);letter-spacing:.14em;font-weight:600;margin:0;line-height:1.4;text-wrap:balance;word-break:auto-phrase}
.tools{writing-mode:vertical-rl;display:flex;flex-direction:row;gap:1.75rem;font-size:1rem;max-height:100%}
.tools ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.9rem .4rem}
.tools a{text-decoration:none;padding:.35rem .1rem;color:var(--ink)}
.tools a:hover{color:var(--seal)}
.tools [aria-current]{color:var(--seal);border-inline-start:3px solid var(--seal);font-weight:600;padding-inline-start:.5rem}
main{grid-area:main;min-width:0;padding:2.5rem 0 3rem}
h2{font-size:1.35rem;letter-spacing:.3em;font-weight:600;margin:0 0 1.5rem;display:flex;align-items:center;gap:1.25rem}
h2::before,h2::after{content:"";flex:1;border-top:1px solid var(--line)}
article{background:var(--sheet);border:1px solid var(--line);box-shadow:0 .4rem 1.6rem var(--shade);margin:0 0 2.25rem auto;scroll-margin-top:1.5rem;overflow-x:auto;overflow-y:hidden}
.seal{display:inline-grid;place-items:center;min-inline-size:2.1em;min-block-size:2.1em;background:var(--stamp);color:#fff;border-radius:.35em;font-size:1.3rem;line-height:1;letter-spacing:0;padding:.3em}
h3{margin:0;font-weight:600;font-size:1.05rem;letter-spacing:.06em;display:flex;align-items:center;gap:1rem}
figure{margin:0}
figure a{display:block}
img{display:block;max-width:100%;object-fit:contain;background:var(--rule)}
blockquote{margin:0;font-size:1.75rem;letter-spacing:.12em;line-height:2.1;white-space:pre-line;overflow-wrap:anywhere;text-wrap:balance;word-break:auto-phrase}
blockquote.prose{text-wrap:pretty;word-break:normal;font-size:1.2rem;letter-spacing:.06em;line-height:2.2}
.about{font-size:.92rem;color:var(--faint);line-height:1.9}
.about p,.about ul{margin:0}
.about ul{list-style:none;padding:0}
.about q{quotes:"「" "」"}
.note{color:var(--seal);font-size:.95rem;margin:0}
.vertical article{writing-mode:vertical-rl;height:31rem;width:100%;padding:2rem 2.25rem;display:block}
.vertical article>*{margin-block-start:1.9rem}
.vertical article>:first-child{margin-block-start:0}
.vertical h3{height:100%}
.vertical img{height:27rem;width:auto;max-width:min(27rem,60vw)}
.vertical blockquote{height:100%;background:linear-gradient(to left,var(--rule) 1px,transparent 1px) right/2.1em 100%}
.vertical blockquote.prose{background-size:2.2em 100%}
.vertical .about{height:100%;display:flex;flex-direction:column;gap:.9rem}
.vertical .about a{overflow-wrap:anywhere}
.horizontal article{display:grid;grid-template-columns:minmax(12rem,20rem) minmax(0,1fr);gap:1rem 2rem;padding:2rem;width:100%}
.horizontal h3{grid-column:2}
.horizontal figure{grid-column:1;grid-row:1/span 6}
.horizontal img{width:100%;height:auto}
.horizontal blockquote,.horizontal .about,.horizontal .note{grid-column:2}
.horizontal blockquote{font-size:1.4rem;line-height:2}
.horizontal blockquote.prose{font-size:1.1rem}
.horizontal .about{display:grid;gap:.75rem}
footer{grid-area:foot;color:var(--faint);font-size:.85rem;padding:0 0 2.5rem;border-top:1px solid var(--line);padding-top:1rem;margin-top:auto}
footer code{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,monospace;font-size:.9em}
form{display:flex;gap:.5rem}
input,button{font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--line);border-radius:3px;padding:.3rem .6rem}
button{cursor:pointer}
button:hover{border-color:var(--seal);color:var(--seal)}
.search{display:flex;gap:1rem;align-items:center;margin:0 0 2rem;justify-content:flex-end}
.search input{width:14rem}
.found{list-style:none;padding:0;margin:0;display:grid;gap:1.25rem}
.found li{background:var(--sheet);border:1px solid var(--line);padding:1.25rem 1.5rem}
.pages{display:flex;gap:2rem;justify-content:center;margin-top:1rem}
@media (max-width:60rem){
.frame{display:block;padding:0 1rem}
.banner{position:static;height:auto;flex-direction:column;gap:1rem;padding:1.5rem 0 .5rem;align-items:stretch}
.slip{writing-mode:horizontal-tb;text-align:center;padding:.9rem 1rem;margin:.3rem}
h1{font-size:1.45rem;letter-spacing:.08em}
.tools{writing-mode:horizontal-tb;flex-flow:row wrap;gap:.25rem 2rem;justify-content:space-between}
.tools a{display:inline-block;min-width:2.75rem;padding:.5rem .4rem;text-align:center}
.tools [aria-current]{border-inline-start:0;border-block-end:3px solid var(--seal);padding-inline-start:.4rem}
main{padding-top:1rem}
.search{justify-content:stretch}
.search input{flex:1;width:auto;min-width:0}
.vertical article,.horizontal article{writing-mode:horizontal-tb;display:block;height:auto;width:100%;padding:1.25rem}
.vertical article>*,.horizontal article>*{margin-block-start:1.25rem}
.vertical h3{height:auto}
.vertical img,.horizontal img{width:100%;height:auto;max-width:100%}
.vertical blockquote{writing-mode:vertical-rl;height:min(24rem,70vh);width:fit-content;max-width:100%;overflow-x:auto;margin:1.5rem auto 0}
.vertical .about{height:auto}
}
@media print{.banner{position:static;height:auto}.search,footer,.skip{display:none}article{box-shadow:none;break-inside:avoid}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`;
