"""SQL on the facts of the workspace: read only, with queries to start from."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from ragdebug import figures
from ragdebug.errors import RagDebugError
from ragdebug.ui import literal, tables
from ragdebug.ui.results import charts, data
from ragdebug.ui.results.view import View

if TYPE_CHECKING:
    from ragdebug.store.console import SqlResult

MOST_SHOWN, MOST_DRAWN = 1_000, 500
OWN = "your own"
_TEXT, _READY, _ANSWER = "_results_sql", "_results_sql_ready", "_results_sql_answer"


def draw(view: View) -> None:
    """Draw the console: queries to start from, the text, the answer."""
    ready = {q.title: q.sql for q in view.wb.ready_queries()}
    if _TEXT not in st.session_state:
        st.session_state[_TEXT] = next(iter(ready.values()), "")

    def take() -> None:
        chosen = st.session_state[_READY]
        if chosen in ready:
            st.session_state[_TEXT] = ready[chosen]

    st.selectbox(
        "Start from", list(ready), key=_READY, on_change=take, width=360, persist_state="session"
    )
    st.text_area(
        "SQL",
        key=_TEXT,
        height=170,
        persist_state="session",
        label_visibility="collapsed",
        help="DuckDB. “SHOW TABLES” lists what there is.",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        asked = st.button(
            "Run", type="primary", icon=":material/play_arrow:", key="results_sql_run"
        )
        st.caption("On a copy: nothing can be changed. 10 seconds and 10,000 rows at most.")
    if asked:
        _run(view, st.session_state[_TEXT])
    answer = st.session_state.get(_ANSWER)
    if isinstance(answer, RagDebugError):
        literal.problem(answer)
    elif answer is not None:
        _answer(answer)


def _run(view: View, text: str) -> None:
    try:
        with st.spinner("Asking …"):
            st.session_state[_ANSWER] = view.wb.sql(text)
    except RagDebugError as error:
        st.session_state[_ANSWER] = error


def _answer(result: SqlResult) -> None:
    names = _names(result.columns)
    rows = [dict(zip(names, row, strict=True)) for row in result.rows]
    shown = min(len(rows), MOST_SHOWN)
    more = "there are more; narrow the query" if result.truncated else f"of {len(rows):,}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        counted = f"{shown:,} {more} shown" if shown < len(rows) else f"{len(rows):,} rows"
        if result.truncated:
            counted = f"{shown:,} rows shown, {len(rows):,} in the file; {more}"
        st.caption(f"{counted} · {literal.duration(result.elapsed_s)}", width="content")
        data.download([{n: _cell(v) for n, v in r.items()} for r in rows], "query")
    st.dataframe(
        pd.DataFrame(rows[:shown], columns=names),
        hide_index=True,
        height=tables.height(shown, 420),
        key="results_sql_table",
    )
    _chart(names, rows)


def _chart(names: list[str], rows: list[dict[str, Any]]) -> None:
    """A simple chart of two columns, where one of them holds numbers."""
    numeric = [n for n in names if rows and all(_number(r[n]) or r[n] is None for r in rows)
               and any(_number(r[n]) for r in rows)]  # fmt: skip
    if not numeric or len(names) < 2:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = st.segmented_control(
            "Chart", ["none", *figures.KINDS], default="none", required=True,
            key="_results_sql_kind",
        )  # fmt: skip
        if kind == "none" or kind is None:
            return
        y = st.selectbox("of", numeric, key="_results_sql_y", width=200)
        others = [n for n in names if n != y]
        x = st.selectbox("by", others, key="_results_sql_x", width=200)
    drawn = rows[:MOST_DRAWN]
    if len(rows) > MOST_DRAWN:
        st.caption(f"{MOST_DRAWN} of {len(rows):,} rows drawn")
    figure = figures.two_columns(
        [_cell(r[x]) for r in drawn], [r[y] for r in drawn], kind=kind, x_title=str(x),
        y_title=str(y), theme=charts.theme(),
    )  # fmt: skip
    st.plotly_chart(figure, key="results_sql_chart", theme=None, config=charts.CONFIG)


def _number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _cell(value: Any) -> str | int | float | None:  # noqa: ANN401 - any value of a database
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _names(columns: tuple[str, ...]) -> list[str]:
    """Names that are all different, since a table cannot have two columns of one name."""
    made: list[str] = []
    for name in columns:
        new, count = name, 1
        while new in made:
            count += 1
            new = f"{name} ({count})"
        made.append(new)
    return made
