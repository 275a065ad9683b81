"""How a case file looks: light or dark as the reader's system is, and on paper."""

STYLE = """
:root{--back:#fff;--text:#1b1f24;--dim:#5b6570;--line:#d5dae0;--soft:#f4f6f8;--mark:#ffe48a;
--mark-text:#1b1f24;--bad:#b3261e;--good:#1a6b3c;--cut:#6b3fa0;--c0:#2563a8;--c1:#b4560f;
--c2:#1a7f4b;--c3:#8a3ea8;--c4:#5f6b00;--c5:#a01f4f}
@media (prefers-color-scheme:dark){:root{--back:#14171b;--text:#e6e9ec;--dim:#a3adb7;--line:#38404a;
--soft:#1d2228;--mark:#6b5600;--mark-text:#fff6d6;--bad:#ff9c92;--good:#7fd8a4;--cut:#c9a8f0;
--c0:#7db8f5;--c1:#f3a76b;--c2:#79d6a4;--c3:#d79cf0;--c4:#c9d36a;--c5:#f58fb4}}
*{box-sizing:border-box}
html{background:var(--back);color:var(--text);color-scheme:light dark}
body{margin:0 auto;padding:2rem 1.5rem 4rem;max-width:1080px;
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
h1{font-size:1.1rem;color:var(--dim);font-weight:600;margin:0 0 1rem}
h2{font-size:1.15rem;margin:2.2rem 0 .6rem}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
p{margin:.4rem 0;overflow-wrap:anywhere}
.lead p{font-size:1.2rem;line-height:1.45;margin:.5rem 0;max-width:60rem}
.dim{color:var(--dim);font-size:.87rem}
.bad{color:var(--bad)}.good{color:var(--good)}
.two{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
.two>*{min-width:0}
.card{border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem}
.card h3{margin-top:0}
pre,.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0;font:inherit}
.text{unicode-bidi:plaintext}
pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--soft);
border-radius:6px;padding:.7rem .9rem}
pre.copy{user-select:all}
code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
mark{background:var(--mark);color:var(--mark-text);border-radius:2px}
.cut{display:inline-block;border-left:3px solid var(--cut);color:var(--cut);padding:0 .4em;
font-size:.75rem;margin:0 .2em}
table{border-collapse:collapse;font-size:.88rem;margin:.4rem 0;max-width:100%}
th,td{text-align:left;padding:.25rem .7rem .25rem 0;border-bottom:1px solid var(--line);
vertical-align:top;overflow-wrap:break-word}
th{color:var(--dim);font-weight:600}
tr.lost td{color:var(--bad);font-weight:600}
details{border-top:1px solid var(--line);padding:.5rem 0}
details>summary{cursor:pointer;font-weight:600}
ol.hits{list-style:none;margin:0;padding:0}
ol.hits>li{border-top:1px solid var(--line);padding:.6rem 0}
ol.hits>li:first-child{border-top:0}
ol.hits>li.holds{border-left:4px solid var(--good);padding-left:.7rem}
svg{max-width:100%;height:auto;display:block}
svg.page{border:1px solid var(--line);background:#fff}
.evidence{fill:#ffd33d;fill-opacity:.42;stroke:#9a6700;stroke-width:1}
.begins{stroke:#6b3fa0;stroke-width:3;stroke-dasharray:9 5;fill:none}
svg text{font:12px system-ui,sans-serif;fill:var(--text)}
svg .axis{stroke:var(--line);stroke-width:1;fill:none}
.curve{fill:none;stroke-width:2.2}.band{fill-opacity:.13;stroke:none}
.s0{stroke:var(--c0);fill:var(--c0)}.s1{stroke:var(--c1);fill:var(--c1)}
.s2{stroke:var(--c2);fill:var(--c2)}.s3{stroke:var(--c3);fill:var(--c3)}
.s4{stroke:var(--c4);fill:var(--c4)}.s5{stroke:var(--c5);fill:var(--c5)}
polygon.band{stroke:none}
.curve.s0,.curve.s1,.curve.s2,.curve.s3,.curve.s4,.curve.s5{fill:none}
svg.swatch{display:inline-block;vertical-align:middle;margin-right:.4rem}
.key{display:inline-block;margin-right:1.2rem}
footer{margin-top:3rem;color:var(--dim);font-size:.85rem}
@media screen and (max-width:720px){.two{grid-template-columns:1fr}}
@media print{body{max-width:none;padding:0;font-size:10pt}.lead p{font-size:1.1rem}
details:not([open])>*{display:block}details::details-content{content-visibility:visible}
h1,h2,h3,summary,h2+p{break-after:avoid}.two>.card,svg,tr,ol.hits>li{break-inside:avoid}
svg.page{max-height:205mm;width:auto}thead{display:table-header-group}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
@media print and (prefers-color-scheme:dark){:root{--back:#fff;--text:#1b1f24;--dim:#5b6570;
--line:#d5dae0;--soft:#f4f6f8;--mark:#ffe48a;--mark-text:#1b1f24;--bad:#b3261e;--good:#1a6b3c;
--cut:#6b3fa0}html{color-scheme:light}}
"""
