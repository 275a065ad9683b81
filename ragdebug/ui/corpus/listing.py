"""All documents as a table: choose one to read it, or several to tag or take out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from ragdebug.counting import many
from ragdebug.records import DocumentInfo
from ragdebug.settings import DEFAULT_EMBEDDER, ChunkingSettings, fingerprint
from ragdebug.ui import indexing, literal, state, tables
from ragdebug.ui.corpus import actions
from ragdebug.ui.state import Key
from ragdebug.workbench import export

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

MOST_ROWS = 5_000  # rows sent to the browser
MOST_KEYS = 6  # metadata keys with a column of their own
NOT_READ = "not-read"  # finds the files that failed
_FIND = "_corpus_find"
_TALL, _LOW = 430, 252  # pixels: by itself, and above an open document


def summary(wb: Workbench) -> None:
    """The corpus in one line, and what is still to be indexed."""
    corpus = wb.corpus()
    languages = ", ".join(
        f"{code or 'unknown'} {n:,}"
        for code, n in sorted(corpus.languages.items(), key=lambda i: (-i[1], i[0]))[:6]
    )
    failed = f" · :red[**{corpus.failed:,} not read**]" if corpus.failed else ""
    fits = (
        " · :material/info: fits into one prompt of a large model: no retrieval is needed for it"
        if corpus.fits_prompt
        else ""
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f"**{many(corpus.documents, 'document')}** · "
            f"{corpus.tokens:,} tokens · {literal.plain(languages, 120)}{failed}"
            f":gray[{fits}]",
            width="content",
        )
        if corpus.failed:
            st.button(
                "Show them" if corpus.failed > 1 else "Show it",
                key="corpus_failed",
                type="tertiary",
                icon=":material/filter_list:",
                on_click=_find,
                args=(NOT_READ,),
                help="Narrows the list to what was not read; the notes say why.",
            )
    if not wb.jobs.active("ingest"):
        indexing.offer(wb, ChunkingSettings(), DEFAULT_EMBEDDER)


def _find(words: str) -> None:
    st.session_state[_FIND] = words


def table(wb: Workbench, infos: Sequence[DocumentInfo], opened: str) -> None:
    """Draw the field that narrows the list, the table, and what can be done with ticked rows."""
    wanted = st.text_input(
        "Find in names and metadata",
        key=_FIND,
        placeholder="Find in names, titles, notes and metadata: refund, tenant=acme, pdf …",
        label_visibility="collapsed",
        icon=":material/filter_list:",
        persist_state="session",
    ).strip()
    shown = [d for d in infos if matches(d, wanted)]
    if not shown:
        st.markdown(f"No document matches {literal.code(wanted, 60)}.")
        return
    if len(shown) > MOST_ROWS:
        _in_part(shown)
        shown = shown[:MOST_ROWS]
    ids = [d.id for d in shown]
    chosen = [i for i in st.session_state.get(actions.CHOSEN, ()) if i in set(ids)]
    # The browser remembers ticked rows by their number. With other rows it is another table, so
    # that a tick never passes on to a document that nobody chose.
    key = f"_corpus_table_{fingerprint(ids)[:12]}_{st.session_state.get(actions.ROUND, 0)}"
    st.dataframe(
        _frame(shown),
        key=key,
        on_select=lambda: _selected(key, ids),
        selection_mode="multi-row",
        selection_default={"selection": {"rows": [ids.index(i) for i in chosen]}},
        hide_index=True,
        height=tables.height(len(shown), _LOW if opened else _TALL),
        column_config=_COLUMNS,
        placeholder="",
    )
    if chosen and chosen != [opened]:  # the one that is open has its buttons in its head
        by_id = {d.id: d for d in shown}
        actions.draw(wb, [by_id[i] for i in chosen])
    elif not opened:
        st.caption("Tick a row to read the document; tick several to tag them or take them out.")


def _in_part(shown: Sequence[DocumentInfo]) -> None:
    """Say that only the first rows are drawn, with the way to all of them."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            f"{MOST_ROWS:,} of {len(shown):,} shown; narrow the list with the field above.",
            width="content",
        )
        st.download_button(
            "All as CSV",
            data=lambda: export.documents_csv(shown),
            file_name="documents.csv",
            mime="text/csv",
            icon=":material/table:",
            type="tertiary",
            on_click="ignore",
            key="corpus_csv",
        )


def _selected(key: str, ids: Sequence[str]) -> None:
    """Rows were ticked or unticked: a newly ticked one is opened."""
    rows = st.session_state[key]["selection"]["rows"]
    before = set(st.session_state.get(actions.CHOSEN, ()))
    chosen = [ids[r] for r in rows if r < len(ids)]
    st.session_state[actions.CHOSEN] = chosen
    fresh = [i for i in chosen if i not in before]
    if len(fresh) == 1:
        open_document(fresh[0])


def open_document(document: str) -> None:
    """Open a document from its start; "" closes. For callbacks."""
    state.put(Key.DOCUMENT, document)
    state.put(Key.AT, "")
    state.put(Key.VERSION, "")
    if not document:
        actions.untick()


def matches(d: DocumentInfo, wanted: str) -> bool:
    """Whether all words stand somewhere in a document's name, title, notes or metadata."""
    values = [
        d.source,
        d.title,
        d.kind,
        d.language,
        NOT_READ if d.status == "failed" else "",
        d.error,
        *(w.message for w in d.warnings),
        *(f"{k}={v}" for k, v in d.metadata.items()),
    ]
    text = "\n".join(values).casefold()
    return all(word.casefold() in text for word in wanted.split())


_COLUMNS = {
    "document": st.column_config.TextColumn(width=310),
    "kind": st.column_config.TextColumn(width=80),
    "tokens": st.column_config.NumberColumn(format="localized", width=76),
    "pages": st.column_config.NumberColumn(format="localized", width=66),
    "language": st.column_config.TextColumn(width=82),
    "notes": st.column_config.TextColumn(width=200),
}


def _frame(infos: Sequence[DocumentInfo]) -> pd.DataFrame:
    """One row a document; what there is none of is left blank, and so are columns of blanks."""
    count: dict[str, int] = {}
    for d in infos:
        for k in d.metadata:
            count[k] = count.get(k, 0) + 1
    keys = sorted(sorted(count, key=lambda k: (-count[k], k))[:MOST_KEYS])
    columns: dict[str, pd.Series] = {
        "document": pd.Series([d.source for d in infos]),
        "kind": pd.Series([d.kind or "not read" for d in infos]),
        "tokens": pd.Series([d.tokens if d.version else None for d in infos], dtype="Int64"),
        "pages": pd.Series([d.pages or None for d in infos], dtype="Int64"),
        "language": pd.Series([d.language for d in infos]),
    }
    if not any(d.pages for d in infos):
        del columns["pages"]
    # Before the metadata, which may be wider than the page: what went wrong has to be seen.
    notes = [d.error or " ".join(w.message for w in d.warnings) for d in infos]
    if any(notes):
        columns["notes"] = pd.Series(notes)
    for k in keys:
        columns[k if k not in _COLUMNS else f"{k} (metadata)"] = pd.Series(
            [d.metadata.get(k, "") for d in infos]
        )
    return pd.DataFrame(columns)
