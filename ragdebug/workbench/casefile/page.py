"""A case file as one HTML document."""

from __future__ import annotations

from ragdebug.counting import many
from ragdebug.workbench.casefile import embedded, frame, parts
from ragdebug.workbench.casefile.included import included
from ragdebug.workbench.casefile.markdown import markdown
from ragdebug.workbench.casefile.markup import Html, el, join
from ragdebug.workbench.casefile.plain import plain
from ragdebug.workbench.casefile.records import Case, Side
from ragdebug.workbench.casefile.sentences import lost, sentences
from ragdebug.workbench.tracing.reports import DELIVERED


def case_page(case: Case) -> str:
    """The whole file."""
    body = join(
        el("h1", "Case file: where a passage was found or lost"),
        el("section", (el("p", s) for s in sentences(case)), class_="lead", id="sentences"),
        _sides(case),
        _where(case),
        el("h2", "In detail"),
        (
            _folded(f"List: {one.name}", el("p", el("code", one.strategy)), parts.hits(one))
            for one in case.lists
        ),
        _folded(f"Trace: {case.today.list.name}", parts.trace(case.today)),
        [_folded(f"Trace: {case.proposed.list.name}", parts.trace(case.proposed))]
        if case.proposed is not None
        else [],
        [_folded("How the scores came about", *map(parts.table, case.tables))]
        if case.tables
        else [],
        _folded(
            "Copy as Markdown",
            el("p", "One click chooses all of it.", class_="dim"),
            el("pre", markdown(case), class_="copy", id="markdown"),
        ),
        _folded(
            "What this file holds",
            el("ul", (el("li", f"{one.what}: {one.detail}") for one in included(case))),
        ),
        _foot(case),
    )
    return frame.page(f"Case: {case.query[:80]}", body, embedded.block(plain(case)))


def _sides(case: Case) -> Html:
    """Today against what is proposed, or beside what does not bring it back either."""
    first, second = case.titles
    today = _card(first, case.today)
    if case.proposed is None:
        return join(el("h2", first), today)
    both = el("div", today, _card(second, case.proposed), class_="two")
    return join(el("h2", "Today against proposed" if case.brings_back else "Two strategies"), both)


def _card(title: str, side: Side) -> Html:
    delivered = side.why.stage == DELIVERED
    return el(
        "div",
        el("h3", f"{title}: {side.list.name}"),
        el("p", el("code", side.list.strategy), class_="dim"),
        el("p", lost(side), class_="good" if delivered else "bad"),
        parts.names(side.list),
        [el("p", note, class_="dim") for note in side.list.notes],
        class_="card",
    )


def _where(case: Case) -> Html:
    """The page that the answer stands on, or the text around it."""
    made: list[Html] = []
    drawn = el(
        "p",
        "The answer is marked; a line shows where a chunk begins. "
        f"Chunks are those of {case.today.list.name}.",
        class_="dim",
    )
    if case.picture is not None:
        made += [
            el("h2", f"Page {case.picture.page} of {case.picture.source}"),
            drawn,
            parts.page_picture(case.picture),
        ]
    if case.excerpt is not None:
        text = parts.around(case.excerpt)
        if case.picture is not None:
            made.append(_folded(f"Text of {case.excerpt.source} around the answer", text))
        else:
            made.append(el("h2", f"Where the answer stands in {case.excerpt.source}"))
            if not case.excerpt.withheld:
                made.append(drawn)
            made.append(text)
    return join(made)


def _folded(title: str, *inside: Html) -> Html:
    return el("details", el("summary", title), *inside)


def _foot(case: Case) -> Html:
    made = f"Made {case.made_at[:16].replace('T', ' ')} UTC by ragdebug {case.version}"
    corpus = f"{many(case.documents, 'document')}, corpus {case.corpus[:12]}"
    return el(
        "footer",
        el("p", f"{made} · {corpus}"),
        el(
            "p",
            "Where these documents are, ",
            el("code", "ragdebug open FILE"),
            " brings this view back.",
        ),
        [el("p", note) for note in case.notes],
    )
