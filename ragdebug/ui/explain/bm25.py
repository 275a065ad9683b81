"""A BM25 score, a row a term."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.explain import BM25Explanation, TermRow


def draw(made: BM25Explanation, key: str, most: float) -> None:
    """Draw the table of one chunk; `most` is the longest bar."""
    standing = f"rank {made.rank:,} of {made.ranked:,}" if made.rank else "not in the list"
    st.markdown(f"**{literal.number(round(made.score, 4))}** {made.settings.variant} · {standing}")
    if not made.rows:
        st.caption("The query has no words to look up.")
        return
    st.dataframe(
        [_row(r) for r in made.rows],
        hide_index=True,
        height="content",
        column_config=_columns(most, any(r.contribution < 0 for r in made.rows)),
        key=key,
    )
    st.caption(
        f"The last column adds up to the score. {made.length:,} terms here,"
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


def _row(row: TermRow) -> dict[str, Any]:
    return {
        "word → term": _word(row),
        "tf": row.tf,
        "chunks": row.frequency,
        "idf": row.idf,
        "tf part": row.tf_part,
        "adds": row.contribution,
    }


def _columns(most: float, negative: bool) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    bar = st.column_config.ProgressColumn
    adds = "×times, where the query has it more than once: times · idf · tf part."
    return {
        "word → term": st.column_config.TextColumn(
            width=140, help="As it stands in the query → as it is looked up."
        ),
        "tf": number(width=40, help="How often the chunk has it."),
        "chunks": number(width=62, help="How many chunks have it (document frequency)."),
        "idf": number(width=56, format="%.3f", help="The rarer the term, the more."),
        "tf part": number(
            width=64, format="%.3f", help="What frequency and length of the chunk make of it."
        ),
        "adds": number(width=90, format="%.4f", help=adds)
        if negative
        else bar(width=120, format="%.4f", min_value=0, max_value=max(most, 1e-9), help=adds),
    }
