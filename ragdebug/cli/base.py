"""What every command shares: options, output, progress, errors.

With ``--json`` exactly one JSON object goes to standard output; everything else, progress and
messages, always goes to standard error.
"""

from __future__ import annotations

import errno
import json
import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ragdebug.errors import RagDebugError, StoreError

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

F = TypeVar("F", bound=Callable[..., Any])

_STEP_CHARS = 1 << 20
# Names of files and texts may hold what would move the cursor or colour the terminal.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(slots=True)
class Session:
    """One run of a command."""

    workspace: Path
    verbose: bool
    json: bool

    @contextmanager
    def workbench(self, *, new: bool = False) -> Iterator[Workbench]:
        """The workbench of the chosen workspace.

        Args:
            new: make the workspace where there is none; a command that only looks refuses, since
                a slip of the pen in its name would look like an empty one.
        """
        from ragdebug.workbench import Workbench

        if not new and not self.workspace.exists():
            raise StoreError(
                f"There is no workspace at {self.workspace}.",
                title="No workspace",
                hint=f"Make one with: ragdebug ingest PATH --workspace {self.workspace}",
            )
        with Workbench(self.workspace, on_wait=self.say) as wb:
            try:
                yield wb
            finally:
                for notice in wb.store.notices:
                    self.say(notice)
                wb.store.dismiss_notices()

    def say(self, message: str) -> None:
        """A message for a person, never mixed with results."""
        click.echo(printable(message), err=True)

    def result(self, value: dict[str, Any], text: str | Callable[[], str]) -> None:
        """Print a result as JSON or as text."""
        if self.json:
            print_json(value)
        else:
            click.echo(printable(text() if callable(text) else text, sys.stdout.encoding))

    def result_list(
        self,
        head: dict[str, Any],
        name: str,
        items: Iterable[dict[str, Any]],
        text: str | Callable[[], str],
    ) -> None:
        """`result` for an object that ends with a list too long to be in memory at once."""
        if self.json:
            print_json_list(head, name, items)
        else:
            self.result({}, text)

    def progress(self) -> ProgressLine:
        """A line on standard error that shows how far long work is."""
        return ProgressLine(sys.stderr.isatty())


class ProgressLine:
    """Progress on one line of a terminal, or a line every few seconds in a log."""

    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal
        self._every_s = 0.2 if terminal else 5.0
        self._last = time.monotonic()
        self._open = False

    def __call__(self, done: int, total: int, what: str) -> None:
        """Show progress, not more often than is readable; what takes minutes is said at once."""
        from ragdebug.protocols import APPROXIMATE

        if what == APPROXIMATE and not done:
            self.close()
            vectors = "1 vector" if total == 1 else f"{total:,} vectors"
            click.echo(f"Building the approximate index, {vectors}", err=True)
        now = time.monotonic()
        if now - self._last < self._every_s:
            return
        self._last = now
        text = f"{done:,} of {total:,} {what}" if total else f"{done:,} {what}"
        if self._terminal:
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)
            self._open = True
        else:
            click.echo(text, err=True)

    def close(self) -> None:
        """Clear the line."""
        if self._open:
            click.echo("\r\x1b[K", err=True, nl=False)
            self._open = False


class Listing(click.Group):
    """A group that lists where no command of it is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read ``models --json`` as ``models list --json``."""
        if not args or (args[0].startswith("-") and args[0] not in ("-h", "--help")):
            args = ["list", *args]
        return super().parse_args(ctx, args)


def command(f: F) -> F:
    """Options and error handling of every command; the function gets a `Session` first."""
    from ragdebug.settings import DEFAULT_WORKSPACE

    @click.option(
        "--workspace",
        "-w",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="RAGDEBUG_WORKSPACE",
        default=DEFAULT_WORKSPACE,
        show_default=True,
        help="Folder that holds documents, vectors and results.",
    )
    @click.option("--verbose", is_flag=True, help="Say more; show the trace of an error.")
    @click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
    @wraps(f)
    def run(workspace: Path, verbose: bool, as_json: bool, **values: Any) -> None:  # noqa: ANN401
        level = logging.DEBUG if verbose else logging.WARNING
        logging.basicConfig(level=level, stream=sys.stderr, format="%(levelname)s %(message)s")
        logging.getLogger("ragdebug").setLevel(level)
        session = Session(workspace, verbose, as_json)
        try:
            f(session, **values)
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except Exception as e:
            if isinstance(e, OSError) and e.errno == errno.EPIPE:
                raise  # nobody reads on: click ends without a word
            if verbose:
                logging.getLogger("ragdebug").exception("refused")
            fail(session, e if isinstance(e, RagDebugError) else _unforeseen(e))

    return run  # type: ignore[return-value]


def _unforeseen(error: Exception) -> RagDebugError:
    """An error that nobody gave words to: the system's own, or a fault of this program."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return RagDebugError(f"{where}{error.strerror}.", title="Refused by the system")
    return RagDebugError(
        f"{type(error).__name__}: {error}",
        title="Unforeseen error",
        hint="This is a fault of the program; --verbose shows where it happened.",
    )


def print_json(value: dict[str, Any]) -> None:
    """One object on standard output, in ASCII where the output cannot hold its characters."""
    click.echo(_as_json(value))


def print_json_list(head: dict[str, Any], name: str, items: Iterable[dict[str, Any]]) -> None:
    """`print_json` of `head` with a list as its last value, made item by item.

    Nothing is printed before the last item is made: an error half way has the output to itself.
    """
    with TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="") as whole:
        whole.write("".join(f"{_as_json(k)}: {_as_json(v)}, " for k, v in head.items()))
        whole.write(f"{_as_json(name)}: [")
        for at, item in enumerate(items):
            whole.write((", " if at else "") + _as_json(item))
        whole.seek(0)
        click.echo("{", nl=False)
        while part := whole.read(_STEP_CHARS):
            click.echo(part, nl=False)
        click.echo("]}")


def _as_json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def printable(text: str, encoding: str | None = "utf-8") -> str:
    """The text as a terminal may show it: no control characters, none the encoding lacks."""
    encoding = encoding or "utf-8"
    return _CONTROLS.sub("\ufffd", text).encode(encoding, "backslashreplace").decode(encoding)


def fail(session: Session, error: RagDebugError) -> None:
    """Say what happened and end with exit code 1."""
    if session.json:
        with suppress(OSError):  # the output itself may be what failed
            print_error(error.title, error.message, error.hint)
    session.say(f"{error.title}: {error.message}")
    if error.hint:
        session.say(error.hint)
    sys.exit(1)


def print_error(title: str, message: str, hint: str = "") -> None:
    """An error as the one JSON object."""
    print_json({"error": {"title": title, "message": message, "hint": hint or None}})


def table(rows: list[list[str]], header: list[str]) -> str:
    """Text in columns, numbers to the right."""
    widths = [max(len(r[i]) for r in [header, *rows]) for i in range(len(header))]
    right = [
        bool(rows)
        and all(r[i].replace(",", "").replace(".", "").isdigit() or not r[i] for r in rows)
        for i in range(len(header))
    ]

    def line(row: list[str]) -> str:
        cells = [
            c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)
        ]
        return "  ".join(cells).rstrip()

    return "\n".join([line(header), *(line(r) for r in rows)])


def shorten(text: str, most: int) -> str:
    """One line of at most so many characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "\u2026"
