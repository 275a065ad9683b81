"""The option by which a person agrees that a command sends texts to the addresses of models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ragdebug.cli.base import Session
from ragdebug.errors import RagDebugError
from ragdebug.settings import StrategySettings, is_remote
from ragdebug.web.consent import may_send, sending

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

F = TypeVar("F", bound=Callable[..., Any])


def sends(f: F) -> F:
    """Adds ``--send``; stands right below `command`. Without it a command says what it would send.

    Models on this machine need no such word.
    """

    @click.option(
        "--send",
        is_flag=True,
        help="Agree to send texts to the addresses of registered models (api:NAME).",
    )
    @wraps(f)
    def run(session: Session, send: bool, **values: Any) -> None:  # noqa: ANN401
        with sending() if send else nullcontext():
            f(session, **values)

    return run  # type: ignore[return-value]


def announce(session: Session, wb: Workbench, strategies: Sequence[StrategySettings]) -> None:
    """Say how much is about to be sent where, and what it costs, before it is sent."""
    dense = [s for s in strategies if s.uses_vectors and is_remote(s.embedder)]
    for chunking, model in dict.fromkeys((s.chunking, s.embedder) for s in dense):
        if may_send(model):
            with suppress(RagDebugError):  # whatever needs the model says so itself
                sent = wb.plan(chunking, model).sending
                if sent is not None:
                    session.say(f"{model}: {sent}, to {sent.host}")
