"""The data of a chart, one click away: as a table, and as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from ragdebug.workbench import export

Rows = Sequence[Mapping[str, export.Cell]]


def button(rows: Rows, name: str, label: str = "Data") -> None:
    """A button that opens them.

    Args:
        rows: with the same columns each.
        name: of the file, without its ending.
        label: of the button, as Markdown.
    """
    with (
        st.popover(label, icon=":material/table:", type="tertiary", key=f"results_data_{name}"),
        st.container(width=620),
    ):
        st.dataframe(list(rows[:500]), hide_index=True, height=320, key=f"results_table_{name}")
        if len(rows) > 500:
            st.caption(f"500 of {len(rows):,} rows shown; the file has them all.")
        download(rows, name)


def download(rows: Rows, name: str) -> None:
    """A button that gives them as a CSV file."""
    st.download_button(
        "CSV",
        data=lambda: csv(rows),
        file_name=f"{name}.csv",
        mime="text/csv",
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
        key=f"results_csv_{name}",
        help="Text that a spreadsheet would run as a formula starts with an apostrophe.",
    )


def csv(rows: Rows) -> bytes:
    """As a CSV file; the mark at its start tells spreadsheets that it is UTF-8."""
    columns = list(rows[0]) if rows else []
    return export.write_csv(rows, columns).encode("utf-8-sig", "replace")
