"""The option by which a person agrees that a command sends texts to the addresses of models."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any, TypeVar

import click

from ragdebug.cli.base import Session
from ragdebug.web.consent import sending

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
