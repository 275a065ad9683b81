"""The root of the command line."""

from __future__ import annotations

import click

from ragdebug import __version__
from ragdebug.cli.app import app
from ragdebug.cli.documents import documents, ingest
from ragdebug.cli.keeping import backup, doctor, restore
from ragdebug.cli.search import chunks, models, search


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="ragdebug-workbench")
def cli() -> None:
    """See what your retrieval returned, by which score, and where the right passage was lost."""


for one in (app, ingest, documents, chunks, search, models, doctor, backup, restore):
    cli.add_command(one)


def main() -> None:
    """Entry point of the ``ragdebug`` command."""
    cli(prog_name="ragdebug")
