"""Runs somebody's function: in a thread of its own, for so long, its prints kept off the output."""

from __future__ import annotations

import importlib
import linecache
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from ragdebug.errors import RagDebugError, SearcherFailed
from ragdebug.web.keys import redact
from ragdebug.web.waiting import look

T = TypeVar("T")
STEP_S = 0.2
MOST_HANGING = 4  # calls past their time that still run; no further one is begun
QUOTED = 200

_lock = threading.Lock()
_running = 0


def call(name: str, work: Callable[[], T], timeout_s: float, hanging: list[threading.Thread]) -> T:
    """The result of `work`, done in a thread of its own.

    Python cannot stop a thread: one that is late goes on until it returns, and its result is lost.
    One that never lets go of Python's lock cannot even be seen to be late. A process of its own
    could be ended, but its index would be loaded twice, on Windows by importing all anew, and
    whatever it returns (rows, documents, generators) would have to be copied: such a search belongs
    behind an address.

    Args:
        name: what messages call it.
        work: somebody's code.
        timeout_s: longest wait.
        hanging: threads of the same code that are late; kept up to date here.

    Raises:
        SearcherFailed: it is late, or it raised something of its own.
        Cancelled: from whoever watches.
    """
    hanging[:] = [t for t in hanging if t.is_alive()]
    if len(hanging) >= MOST_HANGING:
        raise SearcherFailed(
            f"{name}: {len(hanging)} earlier calls have not come back yet, so that no further one"
            " was begun.",
            hint="Start the program again to end them.",
        )
    done: Future[T] = Future()

    def run() -> None:
        with _prints_apart():
            try:
                done.set_result(work())
            except BaseException as e:  # SystemExit too: it would end this thread without a word
                done.set_exception(e)

    thread = threading.Thread(target=run, name=f"searcher {name}", daemon=True)
    thread.start()
    waited = 0.0
    while True:
        look()
        step = min(STEP_S, timeout_s - waited)
        try:
            error = done.exception(step)
        except NotInTime:
            if done.done():
                continue
            waited += step
            if waited < timeout_s - 1e-9:
                continue
            hanging.append(thread)
            raise SearcherFailed(
                f"{name}: no answer within {timeout_s:g} s.",
                title="No answer in time",
                hint="The function goes on in the background until it returns, since Python cannot"
                " stop it. Give it more time, or make it faster.",
            ) from None
        if error is None:
            return done.result()
        raise error if isinstance(error, RagDebugError) else failure(name, error)


def failure(name: str, error: BaseException) -> SearcherFailed:
    """What somebody's code raised, with the line of theirs that it came from."""
    kind = type(error).__name__
    try:
        words = " ".join(str(error).split())
    except BaseException:  # their own __str__
        words = ""
    said = redact(f"{kind}: {words}" if words else kind)
    where = redact(_line(error))
    made = SearcherFailed(
        f"{name}: {said[: QUOTED * 2]}{where}",
        hint="The error comes from the searcher's own code.",
    )
    made.__suppress_context__ = True
    return made


def _line(error: BaseException) -> str:
    """``, in search.py line 12: return index[query]``, of the last line that is theirs."""
    frames = traceback.extract_tb(error.__traceback__)
    own = str(Path(__file__).parent)
    between = (own, importlib.__file__, "<frozen")
    theirs = [f for f in frames if not f.filename.startswith(between)]
    if not theirs:
        return ""
    installed = ("site-packages", "dist-packages", str(Path(threading.__file__).parent))
    last = next(
        (f for f in reversed(theirs) if not any(x in f.filename for x in installed)), theirs[-1]
    )
    code = " ".join(linecache.getline(last.filename, last.lineno or 0).split())
    said = f": {code[:QUOTED]}" if code else ""
    return f" ({Path(last.filename).name}, line {last.lineno}{said})"


class _Apart:
    """Standard output as it is for the main thread, standard error for all others."""

    def __init__(self, own: Any) -> None:  # noqa: ANN401 - any stream
        self.own = own

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        main = threading.current_thread() is threading.main_thread()
        return getattr(self.own if main else sys.stderr, name)


@contextmanager
def _prints_apart() -> Iterator[None]:
    """While any of their code runs, what threads print does not mix with a command's result."""
    global _running
    with _lock:
        _running += 1
        if not isinstance(sys.stdout, _Apart):
            sys.stdout = _Apart(sys.stdout)
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if not _running and isinstance(sys.stdout, _Apart):
                sys.stdout = sys.stdout.own
