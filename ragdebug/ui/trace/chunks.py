"""The chunks that hold some of the passage, with their rank and score in every list."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from ragdebug.ui import literal, tables
from ragdebug.workbench.tracing.reports import ChunkFacts, PlaceTrace, WhyReport
from ragdebug.workbench.tracing.sentences import short_of

SHOWN = 4  # chunks of a passage
# Name -> width in px, together what a narrow screen has, and help.
COLUMNS = {
    "list": (60, None),
    "rank": (44, None),
    "score": (62, None),
    "short of": (
        144,
        "By how much its score misses that of the last one that goes on or is shown.",
    ),
}
TITLES = {
    "vector": "vector",
    "bm25": "BM25",
    "fused": "fused",
    "fused_whole": "fused, no depth",
    "reranked": "reranked",
    "list": "as returned",
    "searcher": "as returned",
}


def draw(trace: PlaceTrace, report: WhyReport) -> None:
    """Draw a table a chunk: a row a list."""
    if not trace.chunks:
        _elsewhere(trace)
        return
    many = trace.total
    st.markdown(f"**{'One chunk holds' if many == 1 else f'{many:,} chunks hold'} some of it**")
    if report.strategy.startswith(("list:", "searcher:")):
        literal.small("Ranks are those of the hits as they were returned.")
    else:
        literal.small(_over(trace, report))
    for at, chunk in enumerate(trace.chunks[:SHOWN]):
        with st.container(gap="xsmall", key=f"trace_chunk_{at}"):
            _chunk(chunk)
    if (more := many - SHOWN) > 0:
        st.caption(f"{more:,} more {'holds' if more == 1 else 'hold'} as much of it or less.")


def _over(trace: PlaceTrace, report: WhyReport) -> str:
    """What the ranks of each list are counted over."""
    chunks, facts = f"{report.allowed:,} chunks", {s.stage: s.facts for s in trace.path}
    if "fused" not in trace.chunks[0].ranks:
        return f"Ranks are over {chunks}."
    said = (
        f"Ranks of vector and BM25 are over {chunks}, those of fused over what each of them gives "
        f"in its first {facts['not_retrieved']['depth']:,}"
    )
    if "reranked" not in trace.chunks[0].ranks:
        return f"{said}."
    pool = facts["lost_in_rerank"].get("pool", 0)
    return f"{said}, those of reranked over the first {pool:,} of fused."


def _chunk(chunk: ChunkFacts) -> None:
    window = ""
    if chunk.window:
        window = f" · {chunk.tokens:,} tokens, the model reads {min(chunk.tokens, chunk.window):,}"
    elif chunk.tokens:
        window = f" · {chunk.tokens:,} tokens"
    mark = ":red[:material/content_cut:]" if not chunk.whole else ":material/segment:"
    st.markdown(
        f"{mark} holds **{chunk.coverage:.0%}** of it · "
        f"{chunk.span.start:,}–{chunk.span.end:,}{window}"
    )
    if chunk.beyond:
        literal.note(f"{chunk.beyond:,} tokens stand beyond the window of the embedding model.")
    rows = [_row(name, chunk) for name in chunk.ranks]
    row_px = tables.row_px(rows, {name: width for name, (width, _) in COLUMNS.items()})
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        height=tables.ROW_PX + len(rows) * row_px + 3,
        row_height=row_px,
        width="stretch",
        column_config={
            name: st.column_config.TextColumn(width=width, help=text)
            for name, (width, text) in COLUMNS.items()
        },
    )
    if chunk.would_rank is not None and chunk.ranks.get("reranked") is None:
        st.caption(f"Among the reranker's candidates it would stand at rank {chunk.would_rank:,}.")


def _row(name: str, chunk: ChunkFacts) -> dict[str, str]:
    rank = chunk.ranks[name]
    return {
        "list": TITLES.get(name, name),
        "rank": "–" if rank is None else f"{rank:,}",
        "score": _number(chunk.scores, name),
        "short of": short_of(chunk, name),
    }


def _number(values: Mapping[str, float | None], name: str) -> str:
    value = values.get(name)
    return "–" if value is None else f"{value:.4g}"


def _elsewhere(trace: PlaceTrace) -> None:
    """What other readers see of a passage that the text does not have."""
    facts = trace.facts
    if "reads" in facts:
        page = f", page {facts['page']}" if "page" in facts else ""
        st.markdown(f"**What {literal.plain(str(facts['reader']))} sees**")
        literal.small(f"{facts['source']}{page}")
        literal.text(str(facts["reads"]))
    for source, pages in dict(facts.get("pages_unknown", {})).items():
        numbers = ", ".join(str(p) for p in pages[:20])
        literal.note(
            f"{source} has pages without a text layer ({numbers}): whether it stands there cannot "
            "be known from its text."
        )
    if "not_read" in facts:
        literal.small(f"{facts['not_read']} files were not read a second time.")
