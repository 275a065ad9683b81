"""A case as Markdown for a ticket; all text from outside stands in code, where nothing acts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragdebug.counting import many
from ragdebug.workbench.casefile.markup import literal
from ragdebug.workbench.casefile.parts import place_of, score_of
from ragdebug.workbench.casefile.records import Case, HitList, Table
from ragdebug.workbench.casefile.sentences import sentences

TEXT_CHARS = 600  # of each hit


def markdown(case: Case) -> str:
    """The sentences, the lists in short, the first texts."""
    return "\n".join(_lines(case)) + "\n"


def _lines(case: Case) -> Iterator[str]:
    for one in sentences(case):
        yield code(one)
        yield ""
    for title, side in zip(case.titles, (case.today, case.proposed), strict=True):
        if side is not None:
            yield f"**{title}:** {code(side.list.strategy)}"
            yield ""
            yield from _hits(side.list)
            yield ""
    if case.excerpt is not None and not case.excerpt.withheld:
        yield f"**Where the answer stands:** {code(case.excerpt.source)}"
        yield ""
        yield block(case.excerpt.text)
        yield ""
    for table in case.tables:
        yield f"**{_plain(table.title)}**"
        yield ""
        yield block("\n".join(_columns(table)))
        yield ""
        if table.note:
            yield code(table.note)
            yield ""
    yield f"{many(case.documents, 'document')}, corpus {code(case.corpus[:12])}"


def _hits(one: HitList) -> Iterator[str]:
    if not one.hits:
        yield code(one.note or "No hits.")
    for hit in one.hits:
        held = f", holds {hit.coverage:.0%} of the answer" if hit.coverage else ""
        yield f"{hit.rank}. {code(place_of(hit))} {score_of(hit)}{held}"
        if hit.withheld:
            yield "   (text withheld)"
        elif hit.coverage:
            yield ""
            yield "\n".join("   " + line for line in block(hit.text[:TEXT_CHARS]).split("\n"))


def code(text: str) -> str:
    """Inline code that shows a text as it is, on one line."""
    flat = " ".join(literal(text).split()) or " "
    fence = "`" * (_longest(flat) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def block(text: str) -> str:
    """A block of code that shows a text as it is; its fence is longer than any run in it."""
    # A lone CR ends a line, too: what follows it would stand outside of a list's block.
    shown = literal(text).replace("\r\n", "\n").replace("\r", "\n")
    fence = "`" * max(3, _longest(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}"


def _longest(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#&$~|])", r"\\\1", " ".join(literal(text).split()))


def _columns(table: Table) -> Iterator[str]:
    widths = [max(len(r[i]) for r in (table.head, *table.rows)) for i in range(len(table.head))]
    for row in (table.head, *table.rows):
        yield "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()
