"""What DuckDB's errors mean, and which of our errors a user sees instead."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ragdebug.errors import ChangedMeanwhile, StoreDamaged, StoreError, StoreTooNew

# DuckDB has one class for many conditions, so its words have to be read. Each pattern is held by a
# test that makes the condition happen.
_LOCKED = re.compile(r"could not set lock|conflicting lock|being used by another process", re.I)
_PID = re.compile(r"\(PID (\d+)")
_NEWER = re.compile(r"database file with version number|serialization version|newer version", re.I)
_CONFLICT = re.compile(
    r"conflict on (update|delete)|write-write conflict|transaction conflict"
    r"|failed to commit: primary key or unique constraint",
    re.I,
)
_FULL = re.compile(r"no space left|disk full|not enough space|quota exceeded", re.I)
_NOT_WRITABLE = re.compile(
    r"permission denied|read-only file system|operation not permitted|access is denied", re.I
)
_SYSTEM = re.compile(
    rf"{_NOT_WRITABLE.pattern}|is a directory|too many open files|no such file or directory", re.I
)
_DAMAGE = re.compile(
    r"not a valid duckdb database|corrupt|checksum|could not read enough bytes"
    r"|failed to deserialize|failure while replaying|has been invalidated",
    re.I,
)
_AFTERMATH = re.compile(r"has been invalidated", re.I)  # of any fatal error, a full disk too


def is_locked(error: BaseException) -> bool:
    """Whether another program holds the file."""
    return bool(_LOCKED.search(str(error)))


def holder_pid(error: BaseException) -> int | None:
    """Process id of the holder, where the message names it."""
    found = _PID.search(str(error))
    return int(found[1]) if found else None


def is_newer(error: BaseException) -> bool:
    """Whether the file was written by a later DuckDB than the one installed."""
    return bool(_NEWER.search(str(error)))


def is_conflict(error: BaseException) -> bool:
    """Whether two transactions changed the same row."""
    return bool(_CONFLICT.search(str(error)))


def is_system(error: BaseException) -> bool:
    """Whether the disk or its permissions are the reason, not what stands in the file."""
    return bool(_FULL.search(str(error)) or _SYSTEM.search(str(error)))


def is_damage(error: BaseException) -> bool:
    """Whether the bytes of the file, or of its log, cannot be understood."""
    return not is_system(error) and bool(_DAMAGE.search(str(error)))


def is_lasting(error: BaseException) -> bool:
    """Whether the damage is in the file itself and will be met again."""
    return is_damage(error) and not _AFTERMATH.search(str(error))


def first_line(error: BaseException) -> str:
    """The error's first line, without DuckDB's links and stack."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].split(" See also ")[0]


def translate(error: BaseException, path: Path, disposable: bool = False) -> StoreError:
    """Our error for an error of DuckDB, naming the file.

    `disposable` is a file that is set aside when it is damaged, and made anew.
    """
    if is_conflict(error):
        return ChangedMeanwhile(
            "Somebody else saved the same thing a moment ago; yours was not saved.",
            hint="Reload and try again.",
        )
    if is_newer(error):
        return too_new(path)
    if _FULL.search(str(error)):
        return StoreError(
            f"{path} could not be written: the disk is full.",
            title="Disk full",
            hint="Make room and try again; what was saved before is kept.",
        )
    if found := _NOT_WRITABLE.search(str(error)):
        return not_writable(path, found[0])
    if is_system(error):
        return StoreError(f"{path} could not be used: {first_line(error)}")
    if disposable and is_lasting(error):
        return StoreDamaged(
            f"{path} is damaged ({first_line(error)}).",
            hint="Try again: it holds nothing that cannot be computed again, and a new one is "
            "started.",
        )
    if is_damage(error):
        return damaged(path, error)
    return StoreError(f"{path}: {first_line(error)}")


def refused(path: Path, error: OSError) -> StoreError:
    """Our error for the system's own, met before DuckDB saw the file."""
    reason = str(error.strerror or error)
    if _NOT_WRITABLE.search(reason):
        return not_writable(path, reason)
    return StoreError(
        f"{path} could not be made: {reason}.",
        hint="Check the folder's permissions and the room on the disk.",
    )


def not_writable(path: Path, reason: str) -> StoreError:
    """The error for a workspace that may be read at most; `reason` is the system's word for it."""
    title = "Workspace not writable"
    if os.path.exists(path.parent):
        return StoreError(
            f"{path} cannot be opened for writing ({reason}), which is needed even to search.",
            title,
            f"Change the rights of {path.parent}, or copy that folder to a place where you may "
            "write and open the copy.",
        )
    there = next(p for p in path.parents if os.path.exists(p))
    return StoreError(
        f"The workspace {path.parent} cannot be made ({reason}).",
        title,
        f"Change the rights of {there}, or choose another folder.",
    )


def damaged(path: Path, error: BaseException) -> StoreDamaged:
    """The error for a file that cannot be read; the file is still there, untouched."""
    return StoreDamaged(
        f"{path} is damaged and could not be opened ({first_line(error)}). "
        "The file was left as it is.",
        hint="Restore a backup, or start a new store: the damaged file is kept under another name.",
    )


def too_new(path: Path, found: int | None = None, known: int | None = None) -> StoreTooNew:
    """The error for a file of a later release; `found` and `known` are schema numbers."""
    numbers = f" (it has version {found}, this program knows {known})" if found else ""
    return StoreTooNew(
        f"{path} was written by a newer version of this program{numbers}. Nothing was changed.",
        hint="Install the newer version, or use another workspace.",
    )
