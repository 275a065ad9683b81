"""What-if: knobs, what they do to this question and to all, and what it takes to say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import IndexIncomplete, RagDebugError
from ragdebug.protocols import Progress
from ragdebug.settings import StrategySettings, fingerprint
from ragdebug.ui import indexing, literal, sending, settings_files, state
from ragdebug.ui.health import background
from ragdebug.ui.results import words
from ragdebug.ui.whatif import computing, dear, fixes, sliders
from ragdebug.workbench.whatif.knobs import changed
from ragdebug.workbench.whatif.reports import QuestionEffect, WhatIf

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

NAME = "what_if"
SOON_S = 0.6  # how long a turn waits for lists before the panel is drawn without them
FOUND = {True: ":green[delivered]", False: ":red[not delivered]"}
SHOWN = 8  # questions that are listed by name


def draw(wb: Workbench, question: str, strategy: StrategySettings, key: str = "whatif") -> None:
    """Draw the panel for a labelled question; its knobs run only the panel again.

    Args:
        wb: the workspace.
        question: id of the question at hand.
        strategy: as it is.
        key: of the widgets.
    """
    with st.container(border=True, gap="small", key=f"{key}_panel"):
        st.fragment(_turn)(wb, question, strategy, key)
        fixes.draw(wb, question, strategy, f"{key}_fixes")
        st.caption("Strategies that were kept, for another workspace:")
        settings_files.row(wb, list(wb.named_strategies()), key)
    settings_files.show(wb)


def _turn(wb: Workbench, question: str, strategy: StrategySettings, key: str) -> None:
    _begin(strategy, key)
    head, quick = st.container(horizontal=True, vertical_alignment="center"), st.container()
    costly = dear.draw(wb, strategy, key)
    with quick:
        knobs = sliders.draw(strategy, str(costly.get("preset", strategy.preset)), key) | costly
    with head:
        st.markdown("**What if**", width="content")
        st.button(
            "Put all back",
            type="tertiary",
            key=f"{key}_back",
            on_click=_put_back,
            args=(strategy, key),
            disabled=not knobs,
        )
    try:
        after = changed(strategy, knobs)
        _in_force(wb, strategy, after)
    except RagDebugError as error:
        literal.problem(error)
        return
    try:
        with sending.within(sending.names(wb)):
            told = _told(wb, question, strategy, knobs, after, key)
    except RagDebugError as error:
        both = [strategy, after]
        if not (
            sending.problem(wb, both, key, error.message, error.hint) or computing.fetch(wb, after)
        ):
            literal.problem(error)
        return
    if told is not None:
        _show(wb, told)
    if knobs:
        fixes.adopt(wb, after, key)


def _begin(strategy: StrategySettings, key: str) -> None:
    """Put the knobs back when another strategy is looked at; those of a link stay."""
    of = f"_{key}_of"
    if st.session_state.get(of, str(strategy)) != str(strategy):
        _put_back(strategy, key)
    st.session_state[of] = str(strategy)


def _put_back(strategy: StrategySettings, key: str) -> None:
    # Set and not removed: the address of a widget follows its value.
    for name, value in (sliders.today(strategy, key) | dear.today(strategy, key)).items():
        st.session_state[name] = value


def _in_force(wb: Workbench, before: StrategySettings, after: StrategySettings) -> None:
    """The filter, and how much it lets through; today's beside it where that is another one."""
    passing, documents = wb.let_through(after.filter)
    if after.filter:
        said = f"Filter in force: {_filter(after)}, {passing:,} of {documents:,} documents"
    else:
        said = f"No filter in force: all {documents:,} documents take part"
    today = "none" if not before.filter else _filter(before)
    other = f" (today: {today})" if set(before.filter) != set(after.filter) else ""
    st.caption(f":material/filter_alt: {literal.plain(said + other, 600)}.")
    if after.filter and not passing:
        literal.note("No document passes this filter: every question is lost.")


def _filter(strategy: StrategySettings) -> str:
    return " and ".join(
        " or ".join(f"{name}={value}" for name, value in strategy.filter if name == one)
        for one in dict.fromkeys(name for name, _ in strategy.filter)
    )


def _told(
    wb: Workbench,
    question: str,
    strategy: StrategySettings,
    knobs: Mapping[str, object],
    after: StrategySettings,
    key: str,
) -> WhatIf | None:
    """What the knobs do; None where something has to be computed first, which is offered."""
    if not indexing.cut(wb, after.chunking) or not _searched(wb, strategy, knobs, after):
        return None
    with st.spinner("Counting …"):
        try:
            told = wb.what_if(strategy, knobs, question=question)
        except IndexIncomplete:
            told, cost = None, wb.plan_what_if(strategy, knobs)
    if told is None:
        computing.offer(wb, strategy, knobs, after, cost, key)
    elif told.left_out:
        n = len(told.left_out)
        computing.offer(
            wb,
            strategy,
            knobs,
            after,
            told.cost,
            key,
            f"{n:,} question{' waits' if n == 1 else 's wait'} for the reranker.",
        )
    elif costly := knobs.keys() & dear.COSTLY:
        computing.nothing_to_compute(costly)
    return told


def _searched(
    wb: Workbench, strategy: StrategySettings, knobs: Mapping[str, object], after: StrategySettings
) -> bool:
    """Search for all questions beside the page, once; False while a line says how far that is.

    True as well where it cannot be done: what is asked next says why.
    """
    if wb.is_what_if_held(strategy, knobs):
        return True
    allowed = sending.names(wb)

    def make(progress: Progress) -> None:
        with sending.within(allowed):
            wb.what_if(strategy, knobs, progress=progress)

    questions = [(q.id, q.version) for q in wb.questions()]
    key = fingerprint([str(wb.path), str(strategy), str(after), wb.revision(), questions])
    made = background.ask(NAME, (key, allowed), make, SOON_S)
    if isinstance(made, background.Waiting):
        background.watch(NAME, (key, allowed), "Searching for all questions once")
        return False
    return True


def _show(wb: Workbench, told: WhatIf) -> None:
    if not told.questions:
        return
    if told.before == told.after:
        _today(told)
        return
    _numbers(told)
    if told.question is not None:
        waits = told.question.question in told.left_out
        here = "its passages are not read yet" if waits else _here(told.question)
        st.markdown(f"This question: {here}")
    texts = {q.id: q.text for q in wb.questions()}
    _list("Rescued", told.rescued, texts, told.after)
    _list("Harmed", told.harmed, texts, told.after)


def _today(told: WhatIf) -> None:
    """How it is, while nothing is turned."""
    n = len(told.questions)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        recall = words.mean(told.recall, "recall@5", n)
        st.markdown(f"Today {told.measure}: **{recall}**", width="content")
        st.caption(f"n {n:,}", width="content")
        if told.question is not None and told.question.question not in told.left_out:
            ranks, delivered = told.question.after, told.question.delivered_after == 1
            st.markdown(f"This question: {_stands(ranks)}, {FOUND[delivered]}", width="content")
    st.caption("Turn a setting to see what it does to this question and to all others.")


def _numbers(told: WhatIf) -> None:
    """Recall before and after, each with its interval; the verdict under it."""
    n = len(told.questions)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        st.markdown(
            f"{told.measure}: **{words.mean(told.recall, 'recall@5', n)}**", width="content"
        )
        st.caption(f"today {words.mean(told.recall_before, 'recall@5', n)}", width="content")
        st.markdown(
            f":green[:material/arrow_upward:] {len(told.rescued)} rescued · "
            f":red[:material/arrow_downward:] {len(told.harmed)} harmed",
            width="content",
        )
        st.caption(f"{told.milliseconds_added:+,.1f} ms a question", width="content")
    literal.small(told.verdict)


def _here(effect: QuestionEffect) -> str:
    return (
        f"{_stands(effect.before)} → **{_stands(effect.after)}**, "
        f"{FOUND[effect.delivered_before == 1]} → {FOUND[effect.delivered_after == 1]}"
    )


def _stands(ranks: Sequence[int]) -> str:
    return ", ".join(f"rank {r}" if r else "not in the list" for r in ranks)


def _list(
    title: str, ids: Sequence[str], texts: dict[str, str], strategy: StrategySettings
) -> None:
    """Questions by name, each with a link to its own trace."""
    if not ids:
        return
    with st.expander(f"{title}: {len(ids):,}"):
        for id_ in ids[:SHOWN]:
            state.link_to_trace(literal.plain(texts.get(id_, id_), 120), id_, str(strategy))
        if len(ids) > SHOWN:
            st.caption(f"{len(ids) - SHOWN:,} more")
