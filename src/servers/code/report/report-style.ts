/** The report's style sheet. Colours are variables, so that dark is the same page with other values. */
export const STYLE = `
:root{--page:#fbfbf9;--card:#fff;--ink:#1d2129;--soft:#5d6673;--rule:#dfe2e6;--accent:#3566a8;
--h0:#cfe3f1;--h1:#9dcbe0;--h2:#f2dfa0;--h3:#f0b66b;--h4:#e0804a;--h5:#bf4a38;--hn:#e3e5e8;--f1:#eef0f2;--f2:#e7eaed;--f3:#e0e4e8;--f4:#d9dee3;--boxline:#fff;--hot-ink:#1d2129;
--l0:#3566a8;--l1:#d98a3d;--l2:#4f9d69;--l3:#b9545f;--l4:#8468b3;--l5:#7a6a58;--l6:#c76fa1;--l7:#3f9aa5;--l8:#a3a33d;--lo:#a9b0b8}
@media (prefers-color-scheme:dark){:root{--page:#14171b;--card:#1b1f25;--ink:#e5e8ec;--soft:#9aa4b0;--rule:#2e343c;--accent:#7fb0ea;
--h0:#27445a;--h1:#2f6480;--h2:#6e6330;--h3:#8b6530;--h4:#9c4f2b;--h5:#a33a2d;--hn:#333a42;--f1:#20252b;--f2:#262c33;--f3:#2c333b;--f4:#323a43;--boxline:#14171b;--hot-ink:#eef1f4;
--l0:#6f9fdc;--l1:#e0a05a;--l2:#6fbd89;--l3:#d87a84;--l4:#a78bd4;--l5:#a8967f;--l6:#d98fba;--l7:#5fbcc7;--l8:#c2c25a;--lo:#5f6872}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI","Hiragino Sans","Noto Sans JP","Noto Sans CJK JP","Yu Gothic",Meiryo,sans-serif}
main{max-width:1200px;margin:0 auto;padding:32px 20px 48px}
h1{font-size:30px;line-height:1.2;margin:0;overflow-wrap:anywhere}
h2{font-size:18px;margin:0 0 10px}
section{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:18px 20px;margin:18px 0 0}
.sub,.note{color:var(--soft);margin:4px 0 10px;overflow-wrap:anywhere}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:18px 0 0}
.cards div{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:12px 16px}
dt{color:var(--soft);font-size:13px}
dd{margin:2px 0 0;font-size:24px;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--rule);vertical-align:top}
th{color:var(--soft);font-weight:600;white-space:nowrap}
tr:last-child td{border-bottom:0}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.path{overflow-wrap:anywhere;min-width:220px}
.dot{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:7px;vertical-align:-1px}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;margin:0 0 10px;font-size:13px;color:var(--soft)}
svg{display:block;width:100%;height:auto}
.bar{height:18px;margin:0 0 12px}
.map{border-radius:6px}
.map rect{stroke:var(--boxline);stroke-width:.6}
.map g:hover>rect{stroke:var(--ink);stroke-width:1.6}
.map text{font-size:10.5px;pointer-events:none;fill:var(--hot-ink)}
.map .folder-name{font-weight:600;fill:var(--soft)}
.map .heat-5+text{fill:#fff}
.months text{font-size:11px;fill:var(--soft)}
.commits{fill:var(--accent)}
.rule{stroke:var(--rule)}
.authors{display:flex;flex-wrap:wrap;gap:4px 18px;margin:12px 0 0;padding:0;list-style:none;font-size:14px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(440px,1fr));gap:0 18px}
footer{color:var(--soft);font-size:13px;margin-top:20px}
.heat-0{fill:var(--h0);background:var(--h0)}.heat-1{fill:var(--h1);background:var(--h1)}.heat-2{fill:var(--h2);background:var(--h2)}.heat-3{fill:var(--h3);background:var(--h3)}.heat-4{fill:var(--h4);background:var(--h4)}.heat-5{fill:var(--h5);background:var(--h5)}.heat-none{fill:var(--hn);background:var(--hn)}
.folder.d1{fill:var(--f1)}.folder.d2{fill:var(--f2)}.folder.d3{fill:var(--f3)}.folder.d4{fill:var(--f4)}
.lang-0{fill:var(--l0);background:var(--l0)}.lang-1{fill:var(--l1);background:var(--l1)}.lang-2{fill:var(--l2);background:var(--l2)}.lang-3{fill:var(--l3);background:var(--l3)}.lang-4{fill:var(--l4);background:var(--l4)}.lang-5{fill:var(--l5);background:var(--l5)}.lang-6{fill:var(--l6);background:var(--l6)}.lang-7{fill:var(--l7);background:var(--l7)}.lang-8{fill:var(--l8);background:var(--l8)}.lang-other{fill:var(--lo);background:var(--lo)}
@media (max-width:560px){.pair{grid-template-columns:1fr}main{padding:20px 12px}}
@media print{section{break-inside:avoid}}
`.replace(/\n/g, "");
