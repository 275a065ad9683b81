"""All documents as a table: choose one to read, tag several, take them out and bring them back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.records import DocumentInfo
from ragdebug.settings import DEFAULT_EMBEDDER, ChunkingSettings, parse_pairs
from ragdebug.ui import indexing, literal

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST_ROWS = 5000  # rows sent to the browser
_UNDO = "_corpus_undo"


def summary(wb: Workbench) -> None:
    """The corpus in one line, and what is still to be indexed."""
    corpus = wb.corpus()
    languages = ", ".join(
        f"{code or 'unknown'} {n}"
        for code, n in sorted(corpus.languages.items(), key=lambda i: -i[1])
    )
    failed = f" · :red[{corpus.failed} not read]" if corpus.failed else ""
    st.markdown(
        f"**{corpus.documents:,} documents** · {corpus.tokens:,} tokens · languages: "
        f"{literal.plain(languages, 120)}{failed}"
    )
    if corpus.fits_prompt:
        st.caption(
            f":material/info: All {corpus.tokens:,} tokens would fit into one prompt of a large "
            "model: for this corpus alone, no retrieval is needed."
        )
    if not wb.jobs.active("ingest"):
        indexing.offer(wb, ChunkingSettings(), DEFAULT_EMBEDDER)


def table(wb: Workbench, infos: Sequence[DocumentInfo], opened: str) -> str:
    """Draw the table; returns the id of the document that is open."""
    wanted = st.text_input(
        "Find in names and metadata",
        key="_corpus_find",
        placeholder="refund, tenant=acme, pdf …",
        persist_state="session",
    ).strip()
    shown = [d for d in infos if _matches(d, wanted)]
    if not shown:
        st.caption(f"No document matches {literal.code(wanted, 60)}.")
        return opened
    if len(shown) > MOST_ROWS:
        st.caption(f"{MOST_ROWS:,} of {len(shown):,} shown; narrow the list with the field above.")
        shown = shown[:MOST_ROWS]
    event = st.dataframe(
        _frame(shown),
        key="_corpus_table",
        on_select="rerun",
        selection_mode="multi-row",
        height=min(40 + 35 * len(shown), 420),
        column_config={
            "document": st.column_config.TextColumn(width="large", pinned=True),
            "tokens": st.column_config.NumberColumn(format="localized"),
            "pages": st.column_config.NumberColumn(width="small"),
            "language": st.column_config.TextColumn(width="small"),
            "notes": st.column_config.TextColumn(width="large"),
        },
    )
    rows = [r for r in event.selection.rows if r < len(shown)]
    chosen = [shown[r] for r in rows]
    if chosen:
        _actions(wb, chosen)
        readable = [d for d in chosen if d.version]
        return readable[-1].id if readable else opened
    st.caption("Choose rows to read a document, tag it, or take it out.")
    return opened


def _matches(d: DocumentInfo, wanted: str) -> bool:
    values = [
        d.source,
        d.title,
        d.kind,
        d.language,
        d.error,
        *(f"{k}={v}" for k, v in d.metadata.items()),
    ]
    text = "\n".join(values).casefold()
    return all(word.casefold() in text for word in wanted.split())


def _frame(infos: Sequence[DocumentInfo]) -> pd.DataFrame:
    keys = sorted({k for d in infos for k in d.metadata})[:8]
    rows = [
        {
            "document": d.source,
            "kind": d.kind or "not read",
            "tokens": d.tokens if d.version else None,
            "pages": d.pages or None,
            "language": d.language,
            **{k: d.metadata.get(k, "") for k in keys},
            "notes": d.error or " ".join(w.message for w in d.warnings),
        }
        for d in infos
    ]
    frame = pd.DataFrame(rows)
    return frame.astype({"tokens": "Int64", "pages": "Int64"})


def _actions(wb: Workbench, chosen: Sequence[DocumentInfo]) -> None:
    names = chosen[0].source if len(chosen) == 1 else f"{len(chosen)} documents"
    ids = [d.id for d in chosen]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{literal.plain(names, 60)}**", width="content")
        with st.popover("Metadata", icon=":material/sell:"):
            _tags(wb, chosen)
        if st.button("Take out", icon=":material/remove_circle:", help="It can be brought back."):
            wb.remove(ids)
            st.session_state[_UNDO] = ids
            st.session_state.pop("_corpus_table", None)
            st.rerun()


def _tags(wb: Workbench, chosen: Sequence[DocumentInfo]) -> None:
    common = {
        k: v for k, v in chosen[0].metadata.items() if all(d.metadata.get(k) == v for d in chosen)
    }
    text = st.text_area(
        "One key=value a line",
        "\n".join(f"{k}={v}" for k, v in sorted(common.items())),
        height=140,
        key="_tags_" + ",".join(d.id for d in chosen)[:80],
        help="What all chosen documents share. A line that is deleted is removed from them.",
    )
    languages = {d.language for d in chosen}
    language = st.text_input(
        "Language",
        languages.pop() if len(languages) == 1 else "",
        placeholder="such as en, de, zh",
        max_chars=8,
        key="_language_" + ",".join(d.id for d in chosen)[:80],
    )
    if st.button("Save", type="primary"):
        try:
            given = dict(parse_pairs((p for p in text.splitlines() if p.strip()), "metadata"))
        except RagDebugError as error:
            literal.problem(error)
            return
        wb.tag([d.id for d in chosen], given, [k for k in common if k not in given])
        for d in chosen:
            if language.strip() and language.strip() != d.language:
                wb.set_language(d.id, language.strip().lower())
        st.rerun()


def removed(wb: Workbench) -> None:
    """Documents that were taken out, to bring back or to delete for good."""
    ids = st.session_state.get(_UNDO)
    if ids:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"{len(ids)} taken out of every index.", width="content")
            if st.button("Undo", icon=":material/undo:"):
                wb.restore(ids)
                del st.session_state[_UNDO]
                st.rerun()
    gone = wb.documents(removed=True)
    if not gone:
        return
    with st.expander(f"Taken out: {len(gone)}", icon=":material/inventory_2:"):
        for d in gone[:100]:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(literal.plain(d.source, 80), width="content")
                if st.button("Bring back", key=f"_restore_{d.id}"):
                    wb.restore([d.id])
                    st.rerun()
                with st.popover("Delete for good"):
                    st.markdown(
                        "Text, chunks, vectors, scores and upload are deleted. "
                        "**There is no way back.**"
                    )
                    if st.button("Delete", key=f"_purge_{d.id}", type="primary"):
                        report = wb.purge([d.id])
                        for line in (*report.quoted_by, *report.remains):
                            st.toast(literal.plain(line))
                        st.rerun()
