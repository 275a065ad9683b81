"""Explanations that take time: computed beside the page, bit by bit, kept for this session.

    work = working.ask(key, lambda: wb.explain_vector(...))
    work.wait(0.5)
    if work.latest is not None: ...

Nothing here is shared between sessions, and the threads touch no session state.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator
from typing import Any

import streamlit as st

from ragdebug.errors import RagDebugError

log = logging.getLogger(__name__)

KEPT = 40
_WORK = "_explain_work"
# All sessions together; each asks a model for a few texts at a time.
_TURNS = threading.Semaphore(2)


class Work:
    """One generator that a thread runs through; the last value counts.

    Attributes:
        latest: the last value, None before the first.
        finished: there will be no more.
        problem: what went wrong, for a person.
    """

    def __init__(self, make: Callable[[], Iterator[Any]]) -> None:
        self.latest: Any = None
        self.finished = False
        self.problem: RagDebugError | None = None
        self._make = make
        self._stopped = threading.Event()
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name="explain", daemon=True).start()

    def wait(self, seconds: float) -> None:
        """Wait until it is finished, but not longer."""
        with self._changed:
            self._changed.wait_for(lambda: self.finished, timeout=seconds)

    def stop(self) -> None:
        """Nobody looks at it any more: compute nothing beyond the texts at hand."""
        self._stopped.set()

    def _run(self) -> None:
        try:
            with _TURNS:
                if not self._stopped.is_set():
                    for value in self._make():
                        self.latest = value
                        if self._stopped.is_set():
                            break
        except RagDebugError as error:
            self.problem = error
        except Exception as error:
            log.exception("an explanation failed")
            message = f"{type(error).__name__}: {error}"
            self.problem = RagDebugError(message, hint="The log has the details.")
        with self._changed:
            self.finished = True
            self._changed.notify_all()


def ask(key: Hashable, make: Callable[[], Iterator[Any]]) -> Work:
    """The work of a key, begun when it is first asked for."""
    kept = _all()
    if key not in kept:
        kept[key] = Work(make)
    kept.move_to_end(key)
    while len(kept) > KEPT:
        kept.popitem(last=False)[1].stop()
    return kept[key]


def only(keys: Collection[Hashable]) -> None:
    """Stop all work but this; what is finished stays."""
    kept = _all()
    for key in [k for k, work in kept.items() if k not in keys and not work.finished]:
        kept.pop(key).stop()


def _all() -> OrderedDict[Hashable, Work]:
    kept: OrderedDict[Hashable, Work] = st.session_state.setdefault(_WORK, OrderedDict())
    return kept
