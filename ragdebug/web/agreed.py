"""What the person at this machine agreed to: code that may run, addresses that may be asked.

A workspace is a folder that a colleague may send, and a link names what stands in it. So that
neither runs code nor sends a query by being opened, the yes is kept outside of the workspace: in a
file of this user, by the workspace's folder, or in this process alone.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

# 1: any code that is registered may run; 0: a page allows no code, and no key to be sent.
ALLOW_CODE = "RAGDEBUG_ALLOW_CODE"
FILE = "agreed.json"

_lock = threading.RLock()
_here: dict[tuple[str, str], Agreement] = {}


@dataclass(frozen=True, slots=True)
class Agreement:
    """A yes.

    Attributes:
        what: that was agreed to.
        folder: the working folder of whoever said so; modules are looked for there.
    """

    what: str
    folder: str = ""


def state_folder() -> Path:
    """Where this user's programs keep what is neither a setting nor a cache."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "state") / "ragdebug"


def agree(workspace: Path, what: str, folder: str = "", *, remember: bool) -> None:
    """Note that a person agreed.

    Args:
        workspace: its folder.
        what: that was agreed to; anything else needs a yes of its own.
        folder: see `Agreement`.
        remember: for later processes too; else for this one alone.
    """
    made = Agreement(what, folder)
    with _lock:
        _here[_place(workspace), what] = made
        if remember:
            known = _read()
            known.setdefault(_place(workspace), {})[what] = {
                "folder": folder,
                "at": datetime.now(UTC).isoformat(timespec="seconds"),
            }
            _write(known)


def agreed(workspace: Path, what: str) -> Agreement | None:
    """The yes to something in a workspace, None where nobody gave it."""
    place = _place(workspace)
    with _lock:
        if (place, what) in _here:
            return _here[place, what]
        found = _read().get(place, {}).get(what)
    return None if found is None else Agreement(what, str(found.get("folder", "")))


def forget(workspace: Path, what: str) -> None:
    """Take a yes back."""
    place = _place(workspace)
    with _lock:
        _here.pop((place, what), None)
        known = _read()
        if known.get(place, {}).pop(what, None) is not None:
            _write(known)


def code_is_allowed() -> bool:
    """Whether whoever started the program allowed all code that is registered."""
    return os.environ.get(ALLOW_CODE, "").strip().lower() in ("1", "true", "yes")


def pages_may_ask() -> bool:
    """Whether a click on a page may allow code, or a key to be sent."""
    return os.environ.get(ALLOW_CODE, "").strip().lower() not in ("0", "false", "no")


def _place(workspace: Path) -> str:
    return str(workspace.resolve())


def _read() -> dict[str, dict[str, dict[str, str]]]:
    try:
        value = json.loads((state_folder() / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(value, dict):
        return {}
    return {
        str(place): {str(k): v for k, v in some.items() if isinstance(v, dict)}
        for place, some in value.items()
        if isinstance(some, dict)
    }


def _write(known: dict[str, dict[str, dict[str, str]]]) -> None:
    """Replace the file in one step; nobody but this user may read it."""
    folder = state_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=folder, prefix=FILE)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1, ensure_ascii=False)
        os.replace(name, folder / FILE)
    except OSError:
        with suppress(OSError):
            os.unlink(name)
        raise
