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
@click.option("--models", is_flag=True, help="Add its models behind addresses too; each is asked "
              "one fixed sentence at the address in the file.")  # fmt: skip
@command
def import_(session: Session, file: Path, dry_run: bool, replace: bool, models: bool) -> None:
    """Keep the strategies of a settings FILE under their names: all of them, or none."""
    data = file.read_bytes()
    with session.workbench(new=not dry_run) as wb:
        if not dry_run and not replace and sys.stdin.isatty():
            report = wb.import_settings(data, file=file.name, dry_run=True)
            replace = bool(report.changed) and click.confirm(
                f"Other strategies are called {', '.join(report.changed)} here. Replace them?",
                err=True,
            )
        report = wb.import_settings(
            data, file=file.name, replace=replace, models=models, dry_run=dry_run
        )
    values = {
        **asdict(report),
        "strategies": {n: str(s) for n, s in report.strategies.items()},
        "models_new": {n: m.as_dict() for n, m in report.models_new.items()},
    }
    said = {"models_added": models and not dry_run, "dry_run": dry_run}
    session.result({**values, **said}, lambda: _said(report, dry_run, models))


def _said(report: SettingsReport, dry_run: bool, models: bool) -> str:
    lines = []
    for word, names in (("new", report.new), ("replaced", report.changed), ("same", report.same)):
        lines += [f"{word}: {name}  {report.strategies[name]}" for name in names]
    for name, model in report.models_new.items():
        how = "" if models else "; not added without --models"
        lines.append(f"model {name}: {model.model} at {model.host}{how}")
    lines += [f"not on this machine: the model {name}" for name in report.models_missing]
    n = len(report.new) + len(report.changed)
    lines.append(f"{'would be kept' if dry_run else 'kept'}: {n}")
    return "\n".join(lines)


@click.command("export-code")
@click.argument("strategy", metavar="NAME|STRATEGY")
@click.option("--output", "-o", type=click.Path(file_okay=False, path_type=Path), required=True,
              metavar="FOLDER", help="A new folder.")  # fmt: skip
@command
def export_code(session: Session, strategy: str, output: Path) -> None:
    """Write a strategy as plain Python that gives the same hits without this program.

    The folder gets search.py, a few dozen lines of faiss, bm25s and sentence-transformers, and
    chunks.jsonl, one chunk a line, with what else the script reads.
    """
    line = session.progress()
    with session.workbench() as wb:
        (chosen,) = wb.settings_to_share([strategy]).values()
        try:
            made = wb.plain_python(chosen, line)
        finally:
            line.close()
    made.write(output)
    session.result(
        {"folder": str(output), "strategy": made.strategy, "files": list(made.files)},
        f'written: {", ".join(made.files)}\npython {output / "search.py"} "a question"',
    )
