"""What a case file would hold, said before it is written."""

from __future__ import annotations

from dataclasses import dataclass

from ragdebug.workbench.casefile.records import Case, HitList


@dataclass(frozen=True, slots=True)
class Included:
    """One line: what, and how much or from where."""

    what: str
    detail: str


def included(case: Case) -> tuple[Included, ...]:
    """All that the file says, and what is left out of it."""
    query = f"“{case.query[:200]}”"
    made = [Included("Question", query + (f", id {case.question}" if case.question else ""))]
    for need in case.answers:
        for one in need:
            words = "withheld" if one.withheld else f"{len(one.quote):,} characters"
            made.append(Included("Answer", f"{one.source or 'no document'}, {words}"))
    made += [Included(f"List {one.name}", _list(one)) for one in case.lists]
    if case.picture is not None:
        page = f"page {case.picture.page} of {case.picture.source}, all that is on it"
        made.append(Included("Picture", page))
    if case.excerpt is not None:
        around = "withheld" if case.excerpt.withheld else f"{len(case.excerpt.text):,} characters"
        made.append(Included("Text around the answer", f"{case.excerpt.source}, {around}"))
    for table in case.tables:
        if table.passage is not None:
            characters = sum(len(cells[0]) for cells in table.rows)
            text = f"{table.title}, {characters:,} characters of text"
            made.append(Included("Weighed sentences", text))
    made.append(Included("Names of documents", ", ".join(sources(case)) or "none"))
    made.append(Included("Strategies", "; ".join(one.strategy for one in case.lists)))
    if case.blacked_out:
        times = "once" if case.blacked_out == 1 else f"{case.blacked_out:,} times"
        made.append(Included("Made unreadable", f"what looks like a key, {times}"))
    made.append(
        Included("Left out", "paths, keys and names of this machine; documents not named above")
    )
    return tuple(made)


def sources(case: Case) -> tuple[str, ...]:
    """Names of the documents that the file mentions, each once."""
    answers = [a.source for need in case.answers for a in need if a.source]
    hits = [h.source for one in case.lists for h in one.hits]
    return tuple(dict.fromkeys([*answers, *hits]))


def _list(one: HitList) -> str:
    shown = [h for h in one.hits if not h.withheld]
    hits = f"{len(one.hits):,} hit{'s' if len(one.hits) != 1 else ''}"
    characters = f"{sum(len(h.text) for h in shown):,} characters of text"
    withheld = [str(h.rank) for h in one.hits if h.withheld]
    if not withheld:
        return f"{hits}, {characters}"
    *first, last = withheld
    named = f"hits {', '.join(first)} and {last} are" if first else f"hit {last} is"
    return f"{hits}, {characters}; {named} withheld"
