"""A pasted quote is found as it stands, and in spite of what copying does to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import QuoteNotFound
from ragdebug.workbench.quotes import MOST, find

TEXT = (
    "First line.\nThe fee\u2019s \u201cfixed\u201d \u2013 always\u2026 paid   monthly.\n"
    "The fee is due. The fee is due."
)


def spans(quote: str, text: str = TEXT) -> list[tuple[int, int]]:
    return [(p.start, p.end) for p in find(quote, [("d", "v", "d.md", text)])]


def test_every_exact_place_is_given() -> None:
    first = TEXT.index("The fee is due.")
    assert spans("The fee is due.") == [(first, first + 15), (first + 16, first + 31)]


@pytest.mark.parametrize(
    "quote",
    [
        'The fee\'s "fixed" - always... paid monthly.',
        "the FEE\u2019s \u00abfixed\u00bb \u2014 always\u2026 paid monthly.",
        "  The fee's\n\u201cfixed\u201d \u2013 always... paid\tmonthly.  ",
    ],
)
def test_blanks_case_and_typography_do_not_matter(quote: str) -> None:
    start, end = TEXT.index("The fee\u2019s"), TEXT.index("monthly.") + 8
    assert spans(quote) == [(start, end)]


def test_an_exact_place_wins_over_folded_ones() -> None:
    assert spans("Due now", "due now. Due now.") == [(9, 16)]


def test_marks_of_patterns_are_literal() -> None:
    assert spans("a.*b (c)", "axxb (c) a.*b (c)") == [(9, 17)]


def test_what_is_not_there_is_not_found() -> None:
    assert spans("The fee is dew.") == []
    assert spans("   ") == []


def test_positions_count_code_points() -> None:
    assert spans("after", "\U0001f600e\u0301 after") == [(4, 9)]


def test_a_quote_that_stands_everywhere_is_refused_and_not_cut_off(
    wb: Workbench, folder: Path
) -> None:
    (folder / "a.txt").write_text("The gate is shut. " * (MOST + 1), "utf-8")
    (folder / "b.txt").write_text("The dike holds. " * MOST, "utf-8")
    wb.ingest([folder])
    with pytest.raises(QuoteNotFound, match=f"more than {MOST}"):
        wb.find_quote("The gate is shut.")
    assert len(wb.find_quote("The dike holds.")) == MOST
    with pytest.raises(QuoteNotFound, match="empty"):
        wb.find_quote(" \n")
