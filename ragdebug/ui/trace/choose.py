"""What is traced: a question, or the query of the Search page; and under which strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.questions import LABELLED, UNUSABLE, Question
from ragdebug.settings import DEFAULT_EMBEDDER, PRESETS, StrategySettings
from ragdebug.ui import chunking_form, literal, state
from ragdebug.ui.search import expected
from ragdebug.ui.state import Key

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

TEXT_CHARS = 110
_QUESTION = "_trace_question"
_STRATEGY = "_trace_strategy"
ASKED = "the query on Search"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is traced; `question` is not kept where it is the query of Search."""

    question: Question
    strategy: StrategySettings


def questions(wb: Workbench) -> list[Question]:
    """Questions that can be traced: somebody has said what answers them."""
    return [q for q in wb.questions() if q.state in (LABELLED, UNUSABLE)]


def draw(wb: Workbench, known: Sequence[Question]) -> Chosen | None:
    """Draw both choices; None where there is nothing to trace."""
    other = _asked_on_search(wb)
    asked = state.url_value(Key.QUESTION, "", check=state.short_text)
    if asked and all(q.id != asked for q in known):
        literal.note(f"No labelled question has the id {asked}.")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        question = _question(known, asked, other)
        strategy = _strategy(wb)
    return None if question is None or strategy is None else Chosen(question, strategy)


# Question -----------------------------------------------------------------------------------------


def _question(known: Sequence[Question], asked: str, other: Question | None) -> Question | None:
    by_id = {q.id: q for q in known}
    options = ([ASKED] if other is not None else []) + list(by_id)
    if not options:
        return None
    wanted = asked if asked in by_id else ""
    st.session_state[_QUESTION] = wanted or options[0]
    if not wanted and options[0] != ASKED:
        state.put(Key.QUESTION, options[0])
    names = {ASKED: f"{ASKED}: {other.text}" if other is not None else ASKED}
    st.selectbox(
        "Question",
        options,
        key=_QUESTION,
        format_func=lambda i: literal.one_line(
            names[i] if i in names else f"{by_id[i].text}  ({i})", TEXT_CHARS
        ),
        on_change=_picked,
        width="stretch",  # a long question is read where there is room
    )
    chosen = str(st.session_state[_QUESTION])
    return other if chosen == ASKED else by_id[chosen]


def _picked() -> None:
    chosen = st.session_state[_QUESTION]
    state.put(Key.QUESTION, "" if chosen == ASKED else chosen)
    state.put(Key.NEED, "")


def _asked_on_search(wb: Workbench) -> Question | None:
    """The query of this session or link with what should be found, as a question."""
    query = str(st.query_params.get(Key.QUERY) or st.session_state.get(Key.QUERY) or "")
    wanted = expected.read(wb)
    for note in wanted.notes:
        literal.note(note)
    if not query.strip() or not wanted.places:
        return None
    return wb.evidence(query, wanted.places)


# Strategy -----------------------------------------------------------------------------------------


def strategies(wb: Workbench) -> dict[str, str]:
    """Text form -> name: presets on the session's chunking, lists, searchers, named ones, runs."""
    base = StrategySettings(
        chunking=chunking_form.current(),
        embedder=str(st.session_state.get(Key.MODEL) or DEFAULT_EMBEDDER),
    )
    own = [str(StrategySettings.parse(preset, base)) for preset in PRESETS]
    named = {str(strategy): name for name, strategy in wb.named_strategies().items()}
    lists = [str(StrategySettings("list", outside=one.name)) for one in wb.result_lists()]
    lists += [str(StrategySettings("searcher", outside=r.settings.name)) for r in wb.searchers()]
    runs = [r.strategy for r in wb.runs()]
    return {text: named.get(text, "") for text in [*own, *lists, *named, *runs]}


def _strategy(wb: Workbench) -> StrategySettings | None:
    known = strategies(wb)
    hybrid = next(s for s in known if s.startswith("hybrid"))
    asked = state.url_value(Key.STRATEGY, hybrid, check=_strategy_text)
    st.session_state[_STRATEGY] = asked
    st.selectbox(
        "Strategy",
        list(dict.fromkeys([*known, asked])),
        key=_STRATEGY,
        format_func=lambda text: literal.one_line(
            f"{known[text]} · {text}" if known.get(text) else text, TEXT_CHARS
        ),
        accept_new_options=True,
        on_change=lambda: state.put(Key.STRATEGY, str(st.session_state[_STRATEGY] or hybrid)),
        width=360,
        help="The four of Search, those with a name, those of kept runs. Others can be typed: "
        "hybrid@structure:120/20+rrf_k=30+k=10.",
    )
    return StrategySettings.parse(asked)


def _strategy_text(text: str) -> str:
    try:
        return str(StrategySettings.parse(text))
    except RagDebugError as error:
        raise ValueError(text) from error
