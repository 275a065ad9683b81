"""Texts of a corpus go to an address only inside ``with sending():``, in the same thread.

Whoever opens it has asked a person. Everything else, a page that is looked at, a check, a remedy,
is refused before a request is made. A single query, typed by a person, needs no further yes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ragdebug.errors import SendingNotAllowed

AGREE = "Agree to it: with --send on the command line, or with the button that says so on a page."

_allowed: ContextVar[bool] = ContextVar("sending", default=False)


@contextmanager
def sending() -> Iterator[None]:
    """Let texts go to the addresses of registered models: a person agreed."""
    before = _allowed.set(True)
    try:
        yield
    finally:
        _allowed.reset(before)


def may_send() -> bool:
    """Whether a person agreed, in what runs here."""
    return _allowed.get()


def ask_first(name: str, host: str, what: str) -> None:
    """Refuse to send `what` ("340 texts") to a model's host where nobody agreed.

    Raises:
        SendingNotAllowed: saying what would go where.
    """
    if not may_send():
        raise SendingNotAllowed(f"{name} would get {what} at {host}; nothing was sent.", hint=AGREE)
