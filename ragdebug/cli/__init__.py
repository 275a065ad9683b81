"""The command line: the second front end on the same workbench."""

from ragdebug.cli.main import cli, main

__all__ = ["cli", "main"]
