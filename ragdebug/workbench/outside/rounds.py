"""Asks a searcher many queries: some at the same time, kept as they come, stopped between two."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from ragdebug.errors import Cancelled, RagDebugError
from ragdebug.protocols import Progress
from ragdebug.searchers import Searcher
from ragdebug.settings import fingerprint
from ragdebug.settings.searcher import SearcherSettings
from ragdebug.web import watched
from ragdebug.workbench.outside.answers import Answer
from ragdebug.workbench.outside.keeping import Asked

KEPT_EVERY_S = 2.0
HOPELESS = 5  # so many failures and no answer yet: the rest is not asked


@dataclass(frozen=True, slots=True)
class How:
    """What is asked of a searcher besides the query."""

    settings: SearcherSettings
    pairs: tuple[tuple[str, str], ...]
    asked: int

    @property
    def key(self) -> str:
        """Of answers that are kept."""
        return fingerprint([self.settings.fingerprint(), sorted(self.pairs), self.asked])

    def where(self, searcher: Searcher) -> tuple[str, str, float]:
        """Where answers are remembered: other code gives others."""
        return self.settings.fingerprint(), self.key, searcher.stamp


def ask_all(
    searcher: Searcher,
    question: How,
    queries: Sequence[str],
    total: int,
    progress: Progress,
    keep: Callable[[How, Mapping[str, Asked]], None],
) -> Iterator[tuple[str, Asked]]:
    """Ask queries, some at the same time; what was asked is kept every two seconds.

    Raises:
        Cancelled: from `progress`.
    """
    before, done, failed = total - len(queries), 0, 0
    stop = threading.Event()
    reason: RagDebugError | None = None
    unkept: dict[str, Asked] = {}
    since = time.monotonic()

    def look() -> None:
        if stop.is_set():
            raise Cancelled("Stopped.")

    def ask(query: str) -> Asked:
        with watched(look):
            return ask_one(searcher, question.asked, question.pairs, query)

    waiting = list(reversed(queries))
    pool = ThreadPoolExecutor(question.settings.parallel, thread_name_prefix="asking")
    running: dict[Future[Asked], str] = {}
    try:
        while waiting or running:
            while waiting and len(running) < question.settings.parallel and reason is None:
                query = waiting.pop()
                running[pool.submit(ask, query)] = query
            ended, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            progress(before + done, total, "questions asked")
            for future in ended:
                query, one = running.pop(future), future.result()
                done += 1
                failed += one.error is not None
                unkept[query] = one
                yield query, one
            if failed == done and failed >= HOPELESS and reason is None and ended:
                reason = _hopeless(unkept[query].error or RagDebugError(""), failed)
            if reason is not None and not running:
                for query in reversed(waiting):
                    yield query, Asked(Answer(query, (), error=reason.message), error=reason)
                waiting.clear()
            if time.monotonic() - since > KEPT_EVERY_S:
                keep(question, unkept)
                unkept, since = {}, time.monotonic()
        progress(total, total, "questions asked")
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
        for future, query in running.items():  # what was on its way when it was stopped
            if future.done() and not future.cancelled() and future.exception() is None:
                unkept[query] = future.result()
        keep(question, unkept)


def ask_one(searcher: Searcher, k: int, pairs: Sequence[tuple[str, str]], query: str) -> Asked:
    """Ask one query; what goes wrong is in the answer."""
    start = time.perf_counter()
    try:
        reply = searcher.ask(query, k, pairs)
        if reply.problem is not None:
            raise reply.problem
    except Cancelled:
        raise
    except RagDebugError as e:
        spent = time.perf_counter() - start
        return Asked(Answer(query, (), elapsed_s=spent, error=str(e)), error=e)
    return Asked.of(query, reply)


def _hopeless(last: RagDebugError, failed: int) -> RagDebugError:
    return RagDebugError(
        f"Not asked: the first {failed} questions failed. {last.message}", last.title, last.hint
    )
