"""The root of the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from ragdebug import __version__
from ragdebug.cli.app import app
from ragdebug.cli.base import print_error
from ragdebug.cli.case import case, open_case
from ragdebug.cli.chunks import chunks
from ragdebug.cli.documents import documents, ingest
from ragdebug.cli.evaluate import compare, evaluate, gate
from ragdebug.cli.health import health
from ragdebug.cli.keeping import backup, doctor, restore
from ragdebug.cli.lists import lists
from ragdebug.cli.models import models
from ragdebug.cli.pieces import pieces
from ragdebug.cli.questions import questions
from ragdebug.cli.runs import runs
from ragdebug.cli.search import search
from ragdebug.cli.searchers import searchers
from ragdebug.cli.settings import export_code, settings
from ragdebug.cli.why import why


class Root(click.Group):
    """The group of all commands; keeps to one JSON object also where click ends a command."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:  # noqa: ANN401
        """Run a command; wrong usage ends with 2, an interruption with 1."""
        given = sys.argv[1:] if args is None else list(args)
        if "--json" not in given:
            return super().main(given, *rest, **options)
        try:
            code = super().main(given, *rest, **{**options, "standalone_mode": False})
        except click.ClickException as e:
            print_error("Wrong usage", e.format_message())
            e.show()
            sys.exit(e.exit_code)
        except click.Abort:
            print_error("Stopped", "The command was interrupted before its end.")
            click.echo("Aborted!", err=True)
            sys.exit(1)
        sys.exit(code if isinstance(code, int) else 0)


@click.group(cls=Root, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="ragdebug-workbench")
def cli() -> None:
    """See what your retrieval returned, by which score, and where the right passage was lost."""


for one in (
    app, ingest, documents, chunks, search, why, case, open_case, evaluate, compare, gate,
    runs, models, searchers, questions, pieces, lists, health, settings, export_code, doctor,
    backup, restore,
):  # fmt: skip
    cli.add_command(one)


def main() -> None:
    """Entry point of the ``ragdebug`` command."""
    cli(prog_name="ragdebug")
