"""``ragdebug doctor``, ``backup`` and ``restore``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ragdebug.cli.base import Session, command
from ragdebug.workbench import plain


@click.command()
@command
def doctor(session: Session) -> None:
    """Check models and their hashes, the store and who holds it, Chromium, versions."""
    with session.workbench(new=True) as wb:
        checks = wb.doctor()

    def text() -> str:
        lines = []
        for c in checks:
            lines.append(f"{'ok ' if c.ok else 'NO '} {c.name}: {c.detail}")
            if c.hint and not c.ok:
                lines.append(f"    {c.hint}")
        return "\n".join(lines)

    session.result({"ok": all(c.ok for c in checks), "checks": [plain.check(c) for c in checks]},
                   text)  # fmt: skip
    if not all(c.ok for c in checks):
        sys.exit(1)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@command
def backup(session: Session, file: Path) -> None:
    """Write the workspace to one FILE (a zip); what can be computed again is left out."""
    with session.workbench() as wb:
        written = wb.backup(file)
    session.result({"file": str(written)}, f"written: {written}")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@command
def restore(session: Session, file: Path) -> None:
    """Make a workspace from a backup FILE; refuses one that is already there."""
    from ragdebug.workbench import Workbench

    with Workbench.restore_backup(file, session.workspace) as wb:
        n = len(wb.documents())
    session.result(
        {"workspace": str(session.workspace), "documents": n},
        f"restored {n} documents into {session.workspace}",
    )
