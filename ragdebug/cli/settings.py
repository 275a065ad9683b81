"""``ragdebug settings``: strategies out of a workspace as TOML, and into another one."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragdebug.cli.base import Session, command

if TYPE_CHECKING:
    from ragdebug.workbench.sharing import SettingsReport


@click.group()
def settings() -> None:
    """Strategies as a file for other people: out as TOML, in under their names."""


@settings.command("export")
@click.argument("names", nargs=-1, metavar="[NAME|STRATEGY]...")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Where to; standard output if not given.")  # fmt: skip
@command
def export(session: Session, names: tuple[str, ...], output: Path | None) -> None:
    """Write strategies as TOML, every setting with a word on it.

    Without names these are all named strategies and those of the last search.
    """
    with session.workbench() as wb:
        chosen = list(wb.settings_to_share(names))
        text = wb.export_settings(names)
    if output is not None:
        output.write_text(text, "utf-8", newline="\n")
        said = f"written: {output} ({', '.join(chosen)})"
        session.result({"file": str(output), "strategies": chosen}, said)
    else:
        session.result({"strategies": chosen, "toml": text}, text.rstrip("\n"))


@settings.command("import")
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--replace", is_flag=True, help="Replace what other strategies are called here.")
@command
def import_(session: Session, file: Path, dry_run: bool, replace: bool) -> None:
    """Keep the strategies of a settings FILE under their names: all of them, or none."""
    data = file.read_bytes()
    with session.workbench(new=not dry_run) as wb:
        if not dry_run and not replace and sys.stdin.isatty():
            report = wb.import_settings(data, file=file.name, dry_run=True)
            replace = bool(report.changed) and click.confirm(
                f"Other strategies are called {', '.join(report.changed)} here. Replace them?",
                err=True,
            )
        report = wb.import_settings(data, file=file.name, replace=replace, dry_run=dry_run)
    values = {**asdict(report), "strategies": {n: str(s) for n, s in report.strategies.items()}}
    session.result({**values, "dry_run": dry_run}, lambda: _said(report, dry_run))


def _said(report: SettingsReport, dry_run: bool) -> str:
    lines = []
    for word, names in (("new", report.new), ("replaced", report.changed), ("same", report.same)):
        lines += [f"{word}: {name}  {report.strategies[name]}" for name in names]
    lines += [f"not on this machine: the model {name}" for name in report.models_missing]
    n = len(report.new) + len(report.changed)
    lines.append(f"{'would be kept' if dry_run else 'kept'}: {n}")
    return "\n".join(lines)
