"""Runs against one of them, in words and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.counting import many
from ragdebug.ui import literal
from ragdebug.ui.results import data, pick, words
from ragdebug.ui.results.view import View
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench.evaluation.reports import RunComparison

EVERY = "*"
CLEAR = 0.05
NOTES = 2  # of several comparisons, often of one kind, that are said at once


def draw(view: View) -> RunComparison | None:
    """Draw the comparison; returns it where it is one of two runs.

    Its won and lost questions are what the list of questions can be narrowed to.
    """
    st.markdown("**Compare**")
    if len(view.drawn) < 2:
        st.caption("Tick a second run to compare the two.")
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        base = pick.run(
            "Compare with", view.ids, Key.BASE, view.names, view.ids[0],
            help="Every other run that is drawn is tested against this one.",
        )  # fmt: skip
        others = [i for i in view.ids if i != base]
        one = others[0]
        if len(others) > 1:
            one = pick.run(
                "Run", [EVERY, *others], Key.RUN, {EVERY: "all that are drawn", **view.names},
                EVERY,
            )  # fmt: skip
        place = st.container(width="content")
    if one == EVERY:
        found: list[RunComparison] = view.ask(
            "compare_with", base, tuple(others), view.measure, view.share, view.tag
        )
    else:
        found = [view.ask("compare_runs", one, base, view.measure, view.share, view.tag)]
    rows = [_row(view, c) for c in found]
    with place:
        data.download(rows, "compared")
    with st.container(gap="xxsmall"):
        for compared in found:
            _sentence(view, compared)
        _notes(found)
    st.dataframe(
        [_shown(r, view.measure) for r in rows],
        hide_index=True,
        key="results_compared",
        column_config=_CONFIG,
        height="content",
    )
    return found[0] if one != EVERY else None


_CONFIG = {
    "base": st.column_config.TextColumn(help="Mean of the run that is compared with."),
    "p": st.column_config.TextColumn(
        width=96,
        help="Two-sided paired sign-flip test on the questions that both runs have: the chance of "
        "a difference this large if the runs were alike.",
    ),
    "p (Holm)": st.column_config.TextColumn(
        width=96,
        help="The same, raised for the number of runs that are tested together (Holm).",
    ),
    **{
        name: st.column_config.NumberColumn(format="localized", width=66, help=help_)
        for name, help_ in (
            ("wins", "Questions on which the run is higher than the one compared with."),
            ("ties", "Questions on which both are the same."),
            ("losses", "Questions on which it is lower."),
            ("n", "Questions that both runs have."),
        )
    },
}


def _sentence(view: View, compared: RunComparison) -> None:
    p = compared.paired.p if compared.p_adjusted is None else compared.p_adjusted
    clear = compared.paired.n >= 10 and p < CLEAR
    mark = ":material/balance:" if not clear else ":material/trending_up:"
    if clear and compared.paired.difference < 0:
        mark = ":material/trending_down:"
    verdict = literal.plain(compared.verdict, 400)
    if clear:  # it names both
        st.markdown(f"{mark} {verdict}")
    else:
        st.markdown(f"{mark} :gray[{literal.plain(view.names[compared.a.id], 60)}:] {verdict}")


def _notes(found: Sequence[RunComparison]) -> None:
    notes = list(dict.fromkeys(n for c in found for n in c.notes))
    for note in notes[:NOTES]:
        literal.small(note)
    if more := notes[NOTES:]:
        told = "  \n".join(literal.plain(note, 600) for note in more)
        st.caption(many(len(more), "more note"), help=told)


def _row(view: View, c: RunComparison) -> dict[str, Any]:
    paired = c.paired
    row = {
        "run": view.names[c.a.id],
        "compared with": view.names[c.b.id],
        "measure": c.measure,
        "mean": paired.mean_a,
        "mean of the other": paired.mean_b,
        "difference": paired.difference,
        "low": paired.low,
        "high": paired.high,
        "p": paired.p,
        "wins": paired.wins,
        "ties": paired.ties,
        "losses": paired.losses,
        "n": paired.n,
    }
    if c.p_adjusted is not None:
        row["p (Holm)"] = c.p_adjusted
        del row["p"]  # it is the adjusted one in the verdict
    return row | {"verdict": c.verdict, "notes": " ".join(c.notes)}


def _shown(row: dict[str, Any], measure: str) -> dict[str, Any]:
    low, high = (words.value(row[x], measure, "+") for x in ("low", "high"))
    made: dict[str, Any] = {
        "run": row["run"],
        measure: words.value(row["mean"], measure),
        "base": words.value(row["mean of the other"], measure),
        "difference (95%)": f"{words.value(row['difference'], measure, '+')} ({low} to {high})",
    }
    p = "p" if "p" in row else "p (Holm)"
    chance = "below 0.001" if row[p] < 0.001 else f"{row[p]:.3f}"
    return made | {p: chance} | {name: row[name] for name in ("wins", "ties", "losses", "n")}
