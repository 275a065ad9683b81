"""The start page: first steps for an empty workspace, else the state of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.places import sample_folder, sample_questions
from ragdebug.protocols import Progress
from ragdebug.settings import DEFAULT_EMBEDDER, ChunkingSettings
from ragdebug.ui import indexing, literal, state

if TYPE_CHECKING:
    from ragdebug.workbench import IngestReport, Workbench

SAMPLE_QUERIES = (
    ("how do I get my money back after a year?", "other words than the text has"),
    ("ERR_4021", "an error code"),
    ("KW-SEA-0113", "a part number"),
    ("Who is Frost's boss?", "a name"),
)
_SAMPLE_SIGN = "handbook/billing-and-refunds"  # a document that tells the sample corpus


def load_sample(wb: Workbench) -> None:
    """Read and index the sample corpus in the background."""

    def work(progress: Progress) -> IngestReport:
        report = wb.ingest([sample_folder()], progress=progress)
        wb.import_questions(sample_questions())
        wb.build(ChunkingSettings(), DEFAULT_EMBEDDER, progress)
        return report

    wb.jobs.start("ingest", "Load the sample corpus", work, key="sample")


def has_sample(wb: Workbench) -> bool:
    """Whether the sample corpus is loaded."""
    return any(d.source.startswith(_SAMPLE_SIGN) for d in wb.documents())


def first_steps(wb: Workbench) -> None:
    """Three steps, the first with its button."""
    if wb.jobs.active("ingest"):
        st.info(
            "Documents are being read; the sidebar says how far.", icon=":material/hourglass_top:"
        )
        return
    if failed := [d for d in wb.documents() if d.status == "failed"]:
        literal.note(
            f"{len(failed):,} file{' was' if len(failed) == 1 else 's were'} not read.",
            "The Corpus page says why.",
        )
    steps = st.columns(3, gap="small")
    with steps[0].container(border=True, height="stretch"):
        st.markdown("**1 · Load documents**")
        st.caption(
            "Markdown, text, HTML, PDF, DOCX, CSV, JSON or code: files, a zip, or a folder that "
            "stays where it is."
        )
        if st.button(
            "Load the sample corpus",
            type="primary",
            icon=":material/local_cafe:",
            help="About twenty files of a made-up company that rents coffee machines.",
        ):
            load_sample(wb)
            st.rerun()
        st.page_link(state.CORPUS, label="Add your own documents", icon=":material/upload_file:")
    with steps[1].container(border=True, height="stretch"):
        st.markdown("**2 · Look at the chunks**")
        st.caption(
            "See on the text itself where a chunking cuts, and what it tears apart, before any "
            "score."
        )
        st.page_link(state.CHUNKS, label="Chunks", icon=":material/segment:")
    with steps[2].container(border=True, height="stretch"):
        st.markdown("**3 · Search four ways**")
        st.caption(
            "Vector, BM25, hybrid and reranked lists side by side, with the passage you expected "
            "marked in each."
        )
        st.page_link(state.SEARCH, label="Search", icon=":material/search:")


def overview(wb: Workbench) -> None:
    """The corpus in numbers, a query field, what was asked before."""
    with st.form("start_query", border=False), st.container(horizontal=True, gap="small"):
        query = st.text_input(
            "Query",
            placeholder="Ask what your users ask …",
            label_visibility="collapsed",
            key="_start_query",
        )
        asked = st.form_submit_button("Search", type="primary", icon=":material/search:")
    if asked and query.strip():
        state.go_to_search(query.strip())
    _numbers(wb)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _before(wb)
    with right:
        _next()


def _numbers(wb: Workbench) -> None:
    corpus = wb.corpus()
    chunking, model = ChunkingSettings(), DEFAULT_EMBEDDER
    cells = st.columns(4, gap="small")
    cells[0].metric("Documents", f"{corpus.documents:,}", border=True)
    cells[1].metric("Tokens", f"{corpus.tokens:,}", border=True)
    chunks = share = "…"
    try:
        if indexing.cut(wb, chunking):
            chunks = f"{len(wb.chunk_table(chunking)):,}"
            indexed = wb.indexed(chunking, model)
            share = f"{indexed if indexed == 1 else min(indexed, 0.99):.0%}"
    except RagDebugError as error:
        literal.problem(error)
    cells[2].metric(f"Chunks · {chunking.strategy} {chunking.size}", chunks, border=True)
    cells[3].metric("Indexed · MiniLM", share, border=True, help=f"Chunks indexed with {model}.")
    if corpus.failed:
        literal.note(
            f"{corpus.failed:,} file{'' if corpus.failed == 1 else 's'} could not be read.",
            "The Corpus page says why.",
        )
    if corpus.fits_prompt:
        st.caption(
            f":material/info: All {corpus.tokens:,} tokens would fit into one prompt of a large "
            "model: for this corpus alone, no retrieval is needed."
        )
    if chunks != "…":
        indexing.offer(wb, chunking, model)


def _before(wb: Workbench) -> None:
    recent = list(dict.fromkeys(q.query for q in wb.history(30)))[:6]
    if recent:
        st.markdown("**Asked before**")
        for query in recent:
            state.link_to_search(literal.plain(query, 70), query)
    elif has_sample(wb):
        st.markdown("**Try one of these**")
        for query, kind in SAMPLE_QUERIES:
            state.link_to_search(f"{literal.plain(query)} :gray[· {kind}]", query)
    else:
        st.markdown("**Asked before**")
        st.caption("Nothing yet. Start with a question that was answered wrongly.")


def _next() -> None:
    st.markdown("**What to do**")
    st.page_link(state.SEARCH, label="Put four result lists side by side", icon=":material/search:")
    st.page_link(state.QUESTIONS, label="Mark what answers real questions", icon=":material/quiz:")
    st.page_link(state.CHUNKS, label="See where documents are cut", icon=":material/segment:")
    st.page_link(state.CORPUS, label="Add, tag and read documents", icon=":material/folder_open:")
