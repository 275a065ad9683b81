"""A BM25 score, a row a term."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.ui import literal
from ragdebug.ui.components.sums import Line, sums

if TYPE_CHECKING:
    from ragdebug.explain import BM25Explanation, TermRow


_HELPS = {
    "word → term": "As it stands in the query → as it is looked up.",
    "tf": "How often the chunk has it.",
    "chunks": "How many chunks have it: document frequency.",
    "idf": "The rarer the term, the more.",
    "tf part": "What frequency and length of the chunk make of it.",
    "adds": "idf · tf part, times how often the query has it (×2).",
}


def draw(made: BM25Explanation, key: str, most: float) -> None:
    """Draw the table of one chunk; `most` is the longest bar."""
    standing = f"rank {made.rank:,} of {made.ranked:,}" if made.rank else "not in the list"
    st.markdown(f"**{literal.number(round(made.score, 4))}** {made.settings.variant} · {standing}")
    if not made.rows:
        st.caption("The query has no words to look up.")
        return
    sums(
        ["word → term", "tf", "chunks", "idf", "tf part", "adds"],
        [_line(r, most) for r in made.rows],
        key=key,
        total=["sum", "", "", "", "", f"{made.score:.4f}"],
        helps=_HELPS,
        height=420,
    )
    st.caption(
        f"{made.length:,} terms here,"
        f" {made.average_length:.1f} on average: length factor {made.length_factor:.3f}."
    )
    for line in missing(made):
        literal.small(line)


def largest(made: Sequence[BM25Explanation]) -> float:
    """The largest contribution of any term to any of the chunks."""
    return max((r.contribution for m in made for r in m.rows), default=0.0)


def missing(made: BM25Explanation) -> list[str]:
    """What the chunk lacks, and what is not looked up at all."""
    lines = []
    lacking = [_word(r) + ("" if r.frequency else ", which no chunk has") for r in made.missing]
    if lacking:
        lines.append(f"Missing here: {'; '.join(lacking)}.")
    if made.stop_words:
        lines.append(f"Not looked up (stop words): {', '.join(made.stop_words)}.")
    return lines


def _word(row: TermRow) -> str:
    changed = row.term != row.surface.casefold()
    times = f" ×{row.times}" if row.times > 1 else ""
    return f"{row.surface}{f' → {row.term}' if changed else ''}{times}"


def _line(row: TermRow, most: float) -> Line:
    return Line(
        [
            _word(row),
            f"{row.tf:,}",
            f"{row.frequency:,}",
            f"{row.idf:.3f}",
            f"{row.tf_part:.3f}",
            f"{row.contribution:.4f}",
        ],
        share=row.contribution / most if most > 0 else None,
        quiet=not row.tf,
    )
