"""Take the view along: a link, a case file, the lists as files, or what made them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.questions import Question
from ragdebug.records import Place, SearchResult
from ragdebug.ui import case_dialog, links, settings_files
from ragdebug.ui.search import as_python
from ragdebug.ui.search.filling import Filled
from ragdebug.workbench import export

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench


def popover(
    wb: Workbench, filled: Filled | None, places: Sequence[Place], question: Question | None
) -> None:
    """A button with all of them."""
    # Another key is another popover, which is closed: it would lie over the dialog it opened.
    turn = sum(st.session_state.get(d.OPENED, 0) for d in (case_dialog, settings_files))
    with st.popover("Share", icon=":material/ios_share:", key=f"search_share_{turn}"):
        st.caption("Opens this query with these settings, columns and expected passage:")
        st.code(links.address(wb), language=None, wrap_lines=True)
        if links.works_here_only():
            st.caption(
                ":material/computer: This link works on this machine only. A case file is one "
                "document that anybody can open."
            )
        if filled is not None and filled.lists:
            if places or question is not None:
                st.button(
                    "Case file",
                    icon=":material/description:",
                    key="search_case",
                    on_click=case_dialog.ask,
                    help="Question, answer, lists and trace in one file that opens by itself.",
                )
            else:
                st.caption("Name the expected passage, and a case file can be made.")
            _files(filled, places)
            as_python.draw(wb, filled)
            st.caption("The settings of all columns, for another workspace:")
            settings_files.row(wb, [str(c.strategy) for c in filled.columns], "search")
    settings_files.show(wb)
    if filled is not None:
        strategies = {c.name: c.strategy for c in filled.columns}
        case_dialog.show(wb, filled.query, question, places, strategies)


def _files(filled: Filled, places: Sequence[Place]) -> None:
    st.caption("All hits of all lists that are drawn:")
    with st.container(horizontal=True):
        st.download_button(
            "CSV",
            data=lambda: export.search_csv(filled.query, filled.lists),
            file_name="search.csv",
            mime="text/csv",
            icon=":material/table:",
            on_click="ignore",
            key="search_csv",
            help="Text that a spreadsheet would run as a formula starts with an apostrophe.",
        )
        st.download_button(
            "JSON",
            data=lambda: export.search_json(
                SearchResult(filled.query, filled.terms or (), filled.lists, tuple(places))
            ),
            file_name="search.json",
            mime="application/json",
            icon=":material/data_object:",
            on_click="ignore",
            key="search_json",
        )
