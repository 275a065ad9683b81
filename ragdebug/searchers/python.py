"""A Python function as a searcher."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import islice
from typing import Any

from ragdebug.searchers.calling import call
from ragdebug.searchers.hits import understand
from ragdebug.searchers.loading import load, stamp
from ragdebug.searchers.records import MOST_HITS, Reply
from ragdebug.searchers.signature import Wants, wants
from ragdebug.settings.searcher import SearcherSettings
from ragdebug.settings.template import as_filter
from ragdebug.web.waiting import Pace

LOAD_S = 120.0  # importing may load a model


class PythonSearcher:
    """Calls a function; imports its module at once.

    Args:
        settings: of kind python.
        folder: where its module is looked for, after all other places.

    Raises:
        SearcherFailed: there is no such function, or its module raises an error.
    """

    def __init__(self, settings: SearcherSettings, folder: str) -> None:
        self.settings = settings
        self.name = f"The searcher {settings.name}"
        self.pace = Pace(settings.requests_per_minute)
        self._folder = folder
        self._hanging: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._load()

    def _load(self) -> None:
        """Import the module, anew where its file changed."""
        target, seconds = self.settings.target, max(LOAD_S, self.settings.timeout_s)
        self._function, self._file = call(
            self.name, lambda: load(target, self._folder), seconds, self._hanging
        )
        self._wants: Wants = wants(target, self._function)
        self.stamp = stamp(self._file)

    @property
    def takes_filter(self) -> bool:
        """See `Searcher`."""
        return "filter" in self._wants.takes

    def ask(self, query: str, k: int, pairs: Sequence[tuple[str, str]]) -> Reply:
        """See `Searcher`."""
        with self._lock:
            if stamp(self._file) != self.stamp:
                self._load()
        self.pace.wait()
        start = time.perf_counter()
        most = max(k, MOST_HITS)
        values = {"query": query, "k": k, "filter": dict(as_filter(pairs)) or None}

        def work() -> Reply:
            answer = _waited_for(self._wants.call(self._function, values), most)
            spent = time.perf_counter() - start
            s = self.settings
            # Reading may run their code too: properties, rows that are made late.
            return Reply.of(
                self.name,
                answer,
                spent,
                lambda: understand(answer, s.hits, dict(s.fields), most, k),
            )

        return call(self.name, work, self.settings.timeout_s, self._hanging)

    def close(self) -> None:
        """See `Searcher`."""


def _waited_for(answer: Any, most: int) -> Any:  # noqa: ANN401 - whatever a function returns
    """An answer that is there as a whole: what is awaited or made piece by piece is taken in."""
    if inspect.isawaitable(answer):

        async def wait() -> Any:  # noqa: ANN401
            return await answer

        answer = asyncio.run(wait())
    if isinstance(answer, AsyncIterator):

        async def collect() -> list[Any]:
            taken: list[Any] = []
            async for one in answer:
                taken.append(one)
                if len(taken) > most:
                    break
            return taken

        return asyncio.run(collect())
    if isinstance(answer, Iterator):
        return list(islice(answer, most + 1))
    return answer
