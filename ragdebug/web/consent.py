"""Texts of a corpus go to an address only inside ``with sending():``, in the same thread.

Whoever opens it has asked a person. Everything else, a page that is looked at, a check, a remedy,
is refused before a request is made. A single query, typed by a person, needs no further yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ragdebug.errors import SendingNotAllowed

AGREE = "Agree to it: with --send on the command line, or with the button that says so on a page."

_allowed: ContextVar[frozenset[str] | None] = ContextVar("sending", default=frozenset())


@contextmanager
def sending(names: Iterable[str] | None = None) -> Iterator[None]:
    """Let texts go to the addresses of these models, ``api:NAME``, or of all: a person agreed."""
    before = _allowed.set(None if names is None else frozenset(names))
    try:
        yield
    finally:
        _allowed.reset(before)


def may_send(name: str) -> bool:
    """Whether a person agreed that this model gets texts, in what runs here."""
    allowed = _allowed.get()
    return allowed is None or name in allowed


@dataclass(frozen=True, slots=True)
class Sending:
    """What would be sent to an address, so that a person can agree to it.

    Attributes:
        what: "340 texts".
        host: where it goes.
        tokens: about how many.
        tokenizer: what counted them; the server's own may count a little differently.
        price_per_million: of a million tokens, in whatever money; 0 where it is not known.
    """

    what: str
    host: str
    tokens: int
    tokenizer: str
    price_per_million: float = 0.0

    @property
    def cost(self) -> float:
        """What it costs, in the money of the price; 0 where that is not known."""
        return self.tokens * self.price_per_million / 1e6

    def __str__(self) -> str:
        """``340 texts, about 52,000 tokens (counted with ...), about 0.001 at 0.02 per ...``."""
        said = f"{self.what}, about {_rounded(self.tokens)} tokens (counted with the tokenizer of"
        said += f" {self.tokenizer})"
        if self.price_per_million:
            said += f", {_money(self.cost)} at {self.price_per_million:g} per million"
        return said


def _rounded(n: int) -> str:
    """A count that is only about right: two digits that mean something."""
    return f"{round(n, 2 - len(str(n))) if n > 99 else n:,}"


def _money(cost: float) -> str:
    if cost >= 1:
        return f"about {cost:,.2f}"
    return f"about {cost:.1g}" if cost >= 0.0001 else "less than 0.0001"


def ask_first(name: str, host: str, what: str) -> None:
    """Refuse to send `what` ("340 texts") to a model's host where nobody agreed.

    Raises:
        SendingNotAllowed: saying what would go where.
    """
    if not may_send(name):
        raise SendingNotAllowed(
            f"The model {name} would get {what} at {host}; nothing was sent.", hint=AGREE
        )
