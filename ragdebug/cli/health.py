"""``ragdebug health``."""

from __future__ import annotations

import click

from ragdebug.cli.base import Session, command
from ragdebug.settings import parse_strategies
from ragdebug.workbench.health import CHECKS, clean, plain

MARKS = {"serious": "!!", "warning": "! ", "note": "- ", "unchecked": "? "}


@click.command()
@click.option(
    "--strategy",
    "-s",
    "strategies",
    default="",
    help="Strategies to check, separated by commas.  [default: those of the kept runs, else the "
    "four presets]",
)
@command
def health(session: Session, strategies: str) -> None:
    """Checks before scores: what is wrong with texts, chunks, models and settings.

    What is found does not make the command fail: it ends with 1 only when it could not check.
    """
    wanted = parse_strategies(strategies) if strategies.strip() else []
    line = session.progress()
    with session.workbench() as wb:
        try:
            found = wb.health(wanted, progress=line)
        finally:
            line.close()
        checked = wb.health_checks(wanted)

    def text() -> str:
        lines = []
        for f in found:
            lines.append(f"{MARKS[f.severity]} {f.title}: {f.sentence}")
            lines += [f"     {w.page}: {w.label}" for w in f.where]
            if f.strategies and len(f.strategies) < len(checked.strategies):
                lines.append(f"     touches {', '.join(f.strategies)}")
        quiet = clean(found)
        lines.append(f"Nothing found by {len(quiet)} of {len(CHECKS)} checks.")
        return "\n".join(lines)

    session.result(plain.health(found, checked), text)
