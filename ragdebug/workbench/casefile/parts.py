"""The parts of a case file as markup: hits, paths, tables, the page, the text around the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan
from typing import Any

from ragdebug.workbench.casefile.frame import data_url
from ragdebug.workbench.casefile.markup import Html, el, join, marked
from ragdebug.workbench.casefile.records import CaseHit, Excerpt, HitList, Picture, Side, Table
from ragdebug.workbench.tracing.reports import ChunkFacts, PathStep
from ragdebug.workbench.tracing.sentences import short_of

WITHHELD = "The text is withheld."
_STATUS = {"ok": "passed", "lost": "lost here", "warning": "odd", "unknown": "unknown", "later": ""}


def place_of(hit: CaseHit) -> str:
    """Document, page, section and span of a hit."""
    page = f", page {hit.page}" if hit.page is not None else ""
    if page and hit.page_label not in ("", str(hit.page)):
        page += f" (printed {hit.page_label})"
    section = f" · {' > '.join(hit.section)}" if hit.section else ""
    where = f"{hit.start:,}–{hit.end:,}" if hit.start >= 0 else "not placed"
    return f"{hit.source}{page}{section} · {where}"


def score_of(hit: CaseHit) -> str:
    """Score and kind; another system may have returned none."""
    return "no score" if isnan(hit.score) else f"{hit.score:.4g} {hit.score_kind}"


def hits(one: HitList) -> Html:
    """A list with the texts of its hits."""
    if not one.hits:
        return el("p", one.note or "No hits.", class_="dim")
    return el("ol", (_hit(h) for h in one.hits), class_="hits")


def _hit(hit: CaseHit) -> Html:
    head = [f"{hit.rank}. {score_of(hit)}"]
    head += [f"{name} {'–' if rank is None else rank}" for name, rank, _ in hit.shares]
    held = f"holds {hit.coverage:.0%} of the answer" if hit.coverage else ""
    text = (
        el("p", WITHHELD, class_="dim")
        if hit.withheld
        else el("div", marked(hit.text, hit.marks), class_="text")
    )
    more = f"… and {hit.cut:,} more characters" if hit.cut else ""
    return el(
        "li",
        el("p", el("strong", " · ".join(head)), " ", el("span", held, class_="good")),
        el("p", place_of(hit), class_="dim"),
        text,
        [el("p", more, class_="dim")] if more else [],
        [el("p", note, class_="dim") for note in hit.notes],
        class_="holds" if hit.coverage else "",
    )


def names(one: HitList) -> Html:
    """The first hits in short: where each comes from."""
    rows = [
        el(
            "li",
            el("strong", f"{h.rank}. "),
            place_of(h),
            [el("span", f" · {h.coverage:.0%} of the answer", class_="good")] if h.coverage else [],
            class_="holds" if h.coverage else "",
        )
        for h in one.hits
    ]
    return el("ol", rows, class_="hits") if rows else el("p", one.note or "No hits.", class_="dim")


def trace(side: Side) -> Html:
    """The path of every place, and the chunks that hold it."""
    made = []
    for at, need in enumerate(side.why.needs, 1):
        for one in need.places:
            many = f"Need {at}: " if len(side.why.needs) > 1 else ""
            head = f"{many}{one.place.source or 'no document'} · {one.stage.replace('_', ' ')}"
            if side.why.question and not need.measured:
                head += " · not measured"
            steps = [_step(step) for step in one.path]
            made += [
                el("h3", head),
                el(
                    "table",
                    el("tr", (el("th", name) for name in ("stage", "", "facts"))),
                    steps,
                ),
            ]
            if one.chunks:
                made.append(table(_chunks(one.chunks)))
            if one.total > (n := len(one.chunks)):
                said = f"{n:,} of {one.total:,} chunks that hold some of it."
                made.append(el("p", said, class_="dim"))
    return join(made, [el("p", n, class_="dim") for n in side.why.notes])


def _step(step: PathStep) -> Html:
    return el(
        "tr",
        el("td", step.label),
        el("td", _STATUS.get(step.status, step.status)),
        el("td", "; ".join(_facts(step.facts))),
        class_="lost" if step.status == "lost" else "",
    )


def _facts(facts: Mapping[str, Any]) -> Iterator[str]:
    for key, value in facts.items():
        if value is None or value == [] or value == {}:
            continue
        yield f"{key.replace('_', ' ')} {said(value)}"


def said(value: Any) -> str:  # noqa: ANN401 - a fact of any shape
    """A fact as a person reads it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {'–' if v is None else said(v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(said(v) for v in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None else str(value)


def _chunks(chunks: tuple[ChunkFacts, ...]) -> Table:
    """A row a list; what is said of the chunk itself stands in its first row."""
    head = ("chunk", "holds", "tokens", "beyond window", "list", "rank", "score", "short of")
    rows = []
    for c in chunks:
        own = [f"{c.span.start:,}–{c.span.end:,}", f"{c.coverage:.0%}"]
        own += [f"{n:,}" if n else "" for n in (c.tokens, c.beyond)]
        for name in c.ranks or {"": None}:
            known = map(said, (c.ranks.get(name), c.scores.get(name)))
            rows.append((*own, name.replace("_", " "), *known, short_of(c, name)))
            own = [""] * len(own)
    return Table("", head, tuple(rows))


def table(one: Table) -> Html:
    """A table with its title above and its note below."""
    return join(
        [el("h3", one.title)] if one.title else [],
        el(
            "table",
            el("tr", (el("th", name) for name in one.head)),
            (el("tr", (el("td", cell) for cell in row)) for row in one.rows),
        ),
        [el("p", one.note, class_="dim")] if one.note else [],
    )


def page_picture(one: Picture) -> Html:
    """The page with the answer marked and a line where each chunk begins."""
    w, h = one.width, one.height
    evidence = [
        el("rect", x=_n(a * w), y=_n(b * h), width=_n((c - a) * w), height=_n((d - b) * h),
           class_="evidence")
        for a, b, c, d in one.evidence
    ]  # fmt: skip
    cuts = [
        el("line", x1=_n(a * w - 8), y1=_n(b * h - 2), x2=_n(c * w), y2=_n(b * h - 2),
           class_="begins")
        for a, b, c, _ in one.cuts
    ]  # fmt: skip
    label = f"Page {one.page} of {one.source}"
    return el(
        "svg",
        el("title", label),
        el("image", href=data_url(one.image), width=w, height=h),
        evidence,
        cuts,
        viewBox=f"0 0 {w} {h}",
        role="img",
        class_="page",
    )


def around(one: Excerpt) -> Html:
    """The text around the answer, with where chunks begin."""
    if one.withheld:
        return el("p", WITHHELD, class_="dim")
    return el("div", marked(one.text, one.marks, one.cuts), class_="text card")


def _n(value: float) -> str:
    return f"{value:.1f}"
