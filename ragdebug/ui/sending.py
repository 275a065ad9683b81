"""A person's word that texts may go to the address of a model, kept for one session.

    sending.agreed(wb, strategies)        whether all models of these may get texts
    sending.names(wb)                     the models that may get texts in this session
    sending.within(names)                 a context in which they are sent; for threads and jobs
    sending.ask(wb, strategies, "key")    who would get texts, with the button; nothing when agreed

No text of the corpus is sent because a page is drawn, or because a link names a model. The query of
a page goes to a model whose address was agreed to on this machine, since that is its search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.settings import StrategySettings, is_remote
from ragdebug.ui import literal
from ragdebug.web.consent import AGREE
from ragdebug.web.consent import sending as may_send

if TYPE_CHECKING:
    from ragdebug.ui.search.filling import Filled
    from ragdebug.workbench import Workbench

_AGREED = "_agreed_to_send"


def agreed(wb: Workbench, strategies: Sequence[StrategySettings]) -> bool:
    """Whether all models behind addresses that these use may get texts; True without any."""
    return _names(strategies) <= _words(wb)


def names(wb: Workbench) -> frozenset[str]:
    """The models that may get texts in this session; to be taken before a thread begins."""
    return frozenset(_words(wb))


def within(allowed: Iterable[str]) -> AbstractContextManager[None]:
    """What runs in it may send texts to these models, and to no others."""
    return may_send(allowed)


def ask(
    wb: Workbench, strategies: Sequence[StrategySettings], key: str, what: str = "the texts"
) -> None:
    """For each model that may not get texts yet: who it is, and the button.

    Args:
        wb: the workspace.
        strategies: that are to be used.
        key: of the widgets.
        what: would be sent, as Markdown of our own.
    """
    for name in sorted(_names(strategies) - _words(wb)):
        try:
            host = wb.remote_model(name).model.host
        except RagDebugError:
            continue  # whatever needs it says so itself
        with st.container(
            border=True,
            horizontal=True,
            vertical_alignment="center",
            gap="small",
            key=f"{key}_send_{name.partition(':')[2]}",
        ):
            st.markdown(
                f":material/cloud_upload: **{literal.plain(name)}** gets {what}, at"
                f" **{literal.plain(host)}**. Nothing is sent before you agree.",
                width="content",
            )
            st.button(
                f"Send to {literal.plain(host)}",
                type="primary",
                key=f"{key}_agree_{name}",
                on_click=_words(wb).add,
                args=(name,),
                help="Holds for this model until you close this tab.",
            )


def problem(
    wb: Workbench, strategies: Sequence[StrategySettings], key: str, message: str, hint: str
) -> bool:
    """Draw `ask` where an error says that nobody agreed; whether it does."""
    if hint != AGREE or agreed(wb, strategies):
        return False
    literal.note(message)
    ask(wb, strategies, key, "questions, and the texts that are not there yet")
    return True


def offer(wb: Workbench, filled: Filled) -> None:
    """Ask for the columns of Search that were not made because nobody agreed."""
    stopped = [
        c.strategy
        for c in filled.columns
        if (made := filled.lists.get(c.name)) is not None and made.error_hint == AGREE
    ]
    if stopped:
        pool = max(s.rerank.pool for s in stopped)
        ask(wb, stopped, "search", f"each query with the texts of its first {pool} hits")


def _names(strategies: Sequence[StrategySettings]) -> set[str]:
    names = {s.embedder for s in strategies if s.uses_vectors}
    names |= {s.rerank.model for s in strategies if s.preset == "reranked"}
    return {name for name in names if is_remote(name)}


def _words(wb: Workbench) -> set[str]:
    """Models of this workspace that may get texts in this session."""
    every: dict[str, set[str]] = st.session_state.setdefault(_AGREED, {})
    return every.setdefault(str(wb.path), set())
