"""Who holds a database, and who waits for it, told between processes by small files.

``owner.json`` in the workspace names for each database the process that has it open: process id,
command and since when. It is a note for people; the lock itself is DuckDB's. A process that waits
touches ``<database>.waiting``, so that the holder lets go between two uses.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

NAME = "owner.json"
WAITING_S = 1.0  # a sign not renewed for this long is a waiter that gave up or died


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds a database. `since` is local time, ISO 8601."""

    pid: int
    command: str = ""
    since: str = ""

    def __str__(self) -> str:
        return f"{self.command or 'another program'} (PID {self.pid})"


def own_command() -> str:
    """How this process was called, in the words of its user: ``ragdebug ingest``."""
    args = list(getattr(sys, "orig_argv", sys.argv))
    for at, arg in enumerate(args):
        if arg == "-m" and at + 1 < len(args):
            return _words([args[at + 1].split(".")[0], *args[at + 2 :]])
        if Path(arg).stem == "ragdebug":
            return _words(["ragdebug", *args[at + 1 :]])
        if "streamlit" in Path(arg).name:
            return "ragdebug app"
    return Path(args[0]).name if args else "python"


def _words(args: list[str]) -> str:
    """Program and subcommand; the rest may hold paths or queries that are nobody's business."""
    if "streamlit" in args[0]:
        return "ragdebug app"
    rest = iter(args[1:])
    for arg in rest:
        if arg == "--workspace":
            next(rest, "")
        elif not arg.startswith("-"):
            return f"{args[0]} {arg}" if arg.isalpha() else args[0]
    return args[0]


def note(database: Path) -> None:
    """Write down that this process holds the database now."""
    since = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    _change(database, asdict(Holder(os.getpid(), own_command(), since)))


def clear(database: Path) -> None:
    """Take this process' note away."""
    found = read(database)
    if found is not None and found.pid == os.getpid():
        _change(database, None)


def read(database: Path) -> Holder | None:
    """The note about a database; its process may be gone."""
    entry = _all(database).get(database.name)
    try:
        if isinstance(entry, dict):
            return Holder(int(entry["pid"]), str(entry["command"]), str(entry["since"]))
    except (KeyError, TypeError, ValueError):
        pass
    return None


def describe(database: Path, pid: int | None) -> str:
    """A name for the holder whose process id DuckDB told, as good as can be had."""
    noted = read(database)
    if noted is not None and pid in (None, noted.pid):
        return str(noted)
    if pid is None:
        return "another program"
    return str(Holder(pid, _program(pid)))


def _program(pid: int) -> str:
    """Name of a process' program where the system tells it."""
    try:
        args = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    names = [Path(a.decode("utf-8", "replace")).name for a in args if a]
    return next((n for n in names if n == "ragdebug"), names[0] if names else "")


def _all(database: Path) -> dict[str, object]:
    try:
        found = json.loads((database.parent / NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _change(database: Path, entry: dict[str, object] | None) -> None:
    entries = _all(database)
    entries.pop(database.name, None)
    if entry is not None:
        entries[database.name] = entry
    target = database.parent / NAME
    made = target.with_name(f"{NAME}.{os.getpid()}.{time.monotonic_ns()}")
    # Only a note: a folder that cannot be written to must not stop the work.
    with contextlib.suppress(OSError):
        made.write_text(json.dumps(entries), "utf-8")
        os.replace(made, target)


# Waiting ------------------------------------------------------------------------------------------


def _sign(database: Path) -> Path:
    return database.with_name(f"{database.name}.waiting")


def wait_sign(database: Path) -> None:
    """Tell the holder that this process waits; repeated while it does."""
    with contextlib.suppress(OSError):
        _sign(database).write_text(str(os.getpid()), "ascii")


def end_wait(database: Path) -> None:
    """Take the sign away."""
    with contextlib.suppress(OSError):
        _sign(database).unlink()


def someone_waits(database: Path) -> bool:
    """Whether another process waits for the database now."""
    sign = _sign(database)
    try:
        if time.time() - sign.stat().st_mtime > WAITING_S:
            return False
        return sign.read_text("ascii").strip() != str(os.getpid())
    except OSError:
        return False
