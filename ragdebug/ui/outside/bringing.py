"""A file of chunks on its way in: looked at first, then kept. Both are jobs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.protocols import Progress
from ragdebug.ui import literal
from ragdebug.ui.outside import piece_report
from ragdebug.ui.outside.looked_at import LookedAt

if TYPE_CHECKING:
    from ragdebug.store.pieces import PieceSet
    from ragdebug.workbench import Workbench
    from ragdebug.workbench.pieces.reports import PieceReport

_file = LookedAt("pieces")
ROLES = ("text", "source", "id", "page", "start", "end", "vector")


@dataclass(frozen=True, slots=True)
class Request:
    """A file with what a person said of it."""

    file: tuple[str, bytes]
    name: str = ""
    model: str = ""
    columns: dict[str, str] = field(default_factory=dict)
    dry_run: bool = True


def collect(wb: Workbench) -> None:
    """Take up what a job of this session came to."""
    _file.collect(wb)


def form(wb: Workbench, *, empty: bool) -> None:
    """The way in, and what the last look or import came to."""
    with st.expander("Bring in chunks", expanded=empty, icon=":material/upload_file:"):
        file = st.file_uploader(
            "JSONL, JSON, CSV or Parquet; the text forms also gzipped",
            key=_file.field,
        )
        if file is not None:
            _options(wb, (file.name, file.getvalue()))
    _file.say_problem()
    report: PieceReport | None = _file.report
    if report is not None:
        _outcome(wb, report)


def _options(wb: Workbench, file: tuple[str, bytes]) -> None:
    left, right = st.columns(2)
    name = left.text_input(
        "Name", placeholder=f"{wb.piece_name(file[0])}", key="_outside_name", max_chars=60,
        help="They are searched as imported:NAME. A set that has the name is replaced.",
    )  # fmt: skip
    names = [m.name for m in wb.models() if m.kind == "embedder"]
    model = right.selectbox(
        "Model of its vectors, if it has any",
        names,
        index=None,
        placeholder="not said",
        accept_new_options=True,
        key="_outside_model",
        help="Given vectors are used as they are. A query is embedded with this model.",
    )
    with st.popover("Columns by hand", icon=":material/view_column:", type="tertiary"):
        st.caption("Only where the names do not tell. Nested fields with dots: metadata.source")
        columns = {
            role: st.text_input(role, key=f"_outside_column_{role}", placeholder="guessed").strip()
            for role in ROLES
        }
    given = Request(file, name, model or "", {r: c for r, c in columns.items() if c})
    st.button(
        "Look at it",
        type="primary",
        icon=":material/fact_check:",
        key="outside_look",
        help="Reads and places all chunks, and keeps nothing.",
        on_click=_start,
        args=(wb, given),
    )


def _start(wb: Workbench, given: Request) -> None:
    def work(progress: Progress) -> PieceReport:
        return wb.import_pieces(
            given.file,
            given.name,
            columns=given.columns or None,
            model=given.model,
            dry_run=given.dry_run,
            progress=progress,
        )

    _file.start(wb, given.file, given.dry_run, given, work)


def _outcome(wb: Workbench, report: PieceReport) -> None:
    request: Request | None = _file.request
    with st.container(border=True, gap="small", key="outside_outcome"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            piece_report.head(report)
            with st.container(horizontal=True, width="content", gap="small"):
                if report.dry_run and request is not None:
                    st.button(
                        "Bring them in",
                        type="primary",
                        icon=":material/add:",
                        key="outside_bring",
                        on_click=_start,
                        args=(wb, replace(request, dry_run=False)),
                    )
                st.button(
                    "Close",
                    type="tertiary",
                    icon=":material/close:",
                    key="outside_close",
                    on_click=_file.forget,
                )
        piece_report.body(report)


def report_of(wb: Workbench, one: PieceSet) -> None:
    """How the chunks of a set stand in the documents as they are now."""
    with st.spinner("Placing the chunks in their documents"):
        try:
            report = wb.piece_report(one.name)
        except RagDebugError as error:
            literal.problem(error)
            return
    piece_report.head(report)
    piece_report.body(report)
