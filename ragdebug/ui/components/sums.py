"""A small table of numbers that add up, shown literally.

    sums(["term", "tf", "adds"], [Line(["refund", "2", "1.204"], share=0.8)], key="bm25",
         total=["sum", "", "1.204"])

For long tables, or tables to sort, use `st.dataframe`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragdebug.ui.components.assets import component

_render = component("sums", scripts=("sums.js",), styles=("sums.css",))


@dataclass(frozen=True, slots=True)
class Line:
    """A row: its cells as text, first the name.

    `share`, -1 to 1, draws a bar in the last cell; None draws none. `quiet` rows are grey.
    """

    cells: Sequence[str]
    share: float | None = None
    quiet: bool = False


def sums(
    heads: Sequence[str],
    lines: Sequence[Line],
    *,
    key: str,
    total: Sequence[str] = (),
    helps: Mapping[str, str] | None = None,
    words: int = 1,
    height: int | None = None,
) -> None:
    """Draw the table.

    Args:
        heads: names of the columns.
        lines: as many cells each as there are columns.
        key: unique on the page.
        total: cells of a last row under a rule; empty for none.
        helps: what a column means, by its name.
        words: how many of the first columns hold words; the others are numbers.
        height: most pixels before it scrolls.
    """
    wrong = [x for x in (*(line.cells for line in lines), total) if x and len(x) != len(heads)]
    if wrong:
        raise ValueError(f"a row has {len(wrong[0])} cells, but there are {len(heads)} columns")
    _render(
        key=key,
        data={
            "heads": [{"name": h, "help": (helps or {}).get(h, "")} for h in heads],
            "lines": [
                {"cells": list(line.cells), "share": line.share, "quiet": line.quiet}
                for line in lines
            ],
            "total": list(total),
            "words": words,
            "height": height,
        },
    )
