"""Rows of tables are as tall as their longest cell needs."""

from __future__ import annotations

from ragdebug.ui import tables

WIDTHS = {"remedy": 200, "others": 100}


def test_a_row_whose_cells_fit_is_one_line_tall() -> None:
    assert tables.row_px([{"remedy": "hybrid", "others": "+0 -0 of 9"}], WIDTHS) == tables.ROW_PX
    assert tables.row_px([], WIDTHS) == tables.ROW_PX


def test_lines_are_broken_in_rows_that_streamlit_breaks_them_in() -> None:
    harms = {"remedy": "hybrid", "others": "+0 -1 of 9 (harms more)"}
    named = {"remedy": "model wordllama-l2-supercat-256", "others": ""}
    assert tables.row_px([harms], WIDTHS) == tables.row_px([named], WIDTHS) > 64
    long = {"remedy": " ".join(["word"] * 60), "others": ""}
    assert tables.row_px([long], WIDTHS) > tables.row_px([harms, named], WIDTHS)
