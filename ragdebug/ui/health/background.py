"""Values that take a while, made beside the page; the page draws itself again when one is there.

    findings = background.ask("findings", key, lambda progress: wb.health(progress=progress))
    if isinstance(findings, background.Waiting):
        background.watch("findings", key)

Nothing waits in the queue of jobs: health should be known before a long indexing is over.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ragdebug.protocols import Progress
from ragdebug.ui import literal
from ragdebug.ui.search.results import Failure, Results, Wanted

WAIT_S = 0.6  # the longest that a page waits for a value before it draws without it
POLL_S = 1.0

__all__ = ["Failure", "Waiting", "ask", "line", "watch"]


@dataclass(slots=True)
class Told:
    """How far the work is, as its thread tells it."""

    key: Hashable = None
    done: int = 0
    total: int = 0
    what: str = ""

    def __call__(self, done: int, total: int, what: str) -> None:
        """Take a note of the progress."""
        self.done, self.total, self.what = done, total, what


@dataclass(frozen=True, slots=True)
class Waiting:
    """Stands for a value that is being made."""


def ask(name: str, key: Hashable, make: Callable[[Progress], Any], wait_s: float = WAIT_S) -> Any:  # noqa: ANN401 - the value, a Failure or Waiting
    """A value by its key: what is there, else what `make` gives, else `Waiting`.

    Args:
        name: of a place on the page; it makes one value at a time, the last one asked for.
        key: whatever the value depends on.
        make: gives the value; gets a progress to call. Runs in a thread, touches no session state.
        wait_s: how long to wait for it.
    """
    kept, told = _of(name)
    if (entry := kept.get(key)) is not None:
        return entry.value
    if told.key != key:
        told = st.session_state[f"_health_told:{name}"] = Told(key)
        kept.want([Wanted(key, lambda: make(told))], at_once=True)
    kept.wait([key], wait_s)
    entry = kept.get(key)
    return Waiting() if entry is None else entry.value


def watch(name: str, key: Hashable, said: str, every_s: float = POLL_S) -> None:
    """Say how far a value is, and run the page again when it is there.

    Looking costs a little of what the work needs: seldom where a model is loaded.
    """
    st.fragment(_watch, run_every=every_s)(name, key, said)


def line(name: str, said: str) -> str:
    """``Checking: 3 of 16 checks``, as Markdown."""
    _, told = _of(name)
    of = f" of {literal.number(told.total)}" if told.total else ""
    count = f"{literal.number(told.done)}{of} " if told.done or told.total else ""
    return f"{said}: {count}{literal.plain(told.what, 80)} …" if told.what else f"{said} …"


def _watch(name: str, key: Hashable, said: str) -> None:
    kept, _ = _of(name)
    if kept.get(key) is not None:
        st.rerun()
    st.caption(f":material/hourglass_top: {line(name, said)}")


def _of(name: str) -> tuple[Results, Told]:
    kept = st.session_state.setdefault(f"_health_made:{name}", Results())
    told = st.session_state.setdefault(f"_health_told:{name}", Told())
    return kept, told
