"""Members of a zip archive, read in memory: nothing is ever written under a member's own name."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from ragdebug.documents.inflate import Budget, check_size
from ragdebug.documents.names import is_outside, safe_name
from ragdebug.documents.options import MB, Limits
from ragdebug.errors import (
    CorruptDocument,
    DocumentError,
    DocumentTooLarge,
    EncryptedDocument,
    UnsafeArchive,
    UnsupportedFormat,
)

ARCHIVES = (".zip", ".tar", ".tgz", ".7z", ".rar", ".bz2", ".xz", ".jar", ".whl")
_STEP = 1 * MB
_UTF8_NAME = 0x800
_ENCRYPTED = 0x1
# Whatever zipfile and zlib raise for bytes that are not as they should be.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    OSError,
    LookupError,
    OverflowError,
)
# Others ask for as much memory as the archive pleases, and hardly anybody writes them.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_JUNK = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


def members(
    data: bytes, name: str, limits: Limits | None = None
) -> Iterator[tuple[str, bytes | DocumentError]]:
    """Safe relative names and contents of the files in a zip archive, in its own order.

    A member that cannot be read, is encrypted, is an archive itself, is a link or points outside
    comes with its error in place of its content, and the others go on. When the whole archive has
    given more bytes than the limit, that error is the last item. Folders and what operating systems
    leave behind are skipped.

    Args:
        data: the archive.
        name: what messages call it.
        limits: see `Limits`.

    Raises:
        CorruptDocument: it is no zip archive, or its list of members is damaged.
        DocumentTooLarge: it is larger than the limit as it lies there.
        UnsafeArchive: it has more members than the limit.
    """
    limits = limits or Limits()
    check_size(data, name, limits)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (*_DAMAGE, NotImplementedError) as e:
        raise CorruptDocument(f"{name} is not a zip archive that can be read ({e}).") from e
    entries = [i for i in archive.infolist() if not i.is_dir()]
    if len(entries) > limits.max_members:
        raise UnsafeArchive(
            f"{name} holds {len(entries):,} files; the limit is {limits.max_members:,}.",
            hint="Add it in parts.",
        )
    budget = Budget(name, len(data), limits)
    taken: set[str] = set()
    for entry in entries:
        given = _given_name(entry)
        parts = given.replace("\\", "/").split("/")
        if any(part in _JUNK or part.startswith("._") for part in parts):
            continue
        shown = _unique(safe_name(given), taken)
        problem = _problem(entry, given, name)
        if problem:
            yield shown, problem
            continue
        try:
            yield shown, _read(archive, entry, f"{name}/{shown}", budget, limits)
        except UnsafeArchive as e:
            # The budget is spent: whatever comes next would be over it as well.
            yield shown, e
            return
        except DocumentError as e:
            yield shown, e


def _given_name(entry: zipfile.ZipInfo) -> str:
    """The name as it was meant: many programs write UTF-8, or the old DOS letters, unmarked."""
    if entry.flag_bits & _UTF8_NAME:
        return entry.orig_filename
    try:
        raw = entry.orig_filename.encode("cp437")
    except UnicodeEncodeError:
        return entry.orig_filename
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return entry.orig_filename


def _problem(entry: zipfile.ZipInfo, given: str, name: str) -> DocumentError | None:
    """Why a member must not be read, before a byte of it is looked at."""
    shown = given.replace("\0", "").encode(errors="replace").decode()[:200]
    if is_outside(given):
        return UnsafeArchive(
            f"{name}: the member {shown!r} points outside the archive and was not read.",
            hint="Unpack the archive with care, and add the file by itself.",
        )
    if entry.create_system == 3 and stat.S_ISLNK(entry.external_attr >> 16):
        return UnsafeArchive(
            f"{name}: the member {shown!r} is a link and was not read.",
            hint="Put a copy of what it points to into the archive.",
        )
    if entry.flag_bits & _ENCRYPTED:
        return EncryptedDocument(
            f"{name}: the member {shown!r} is password-protected.",
            hint="Unpack the archive yourself and add the files.",
        )
    if entry.compress_type not in _METHODS:
        return UnsupportedFormat(
            f"{name}: the member {shown!r} is compressed in a way that is not read.",
            hint="Unpack the archive yourself and add the files.",
        )
    if PurePosixPath(given.lower()).suffix in ARCHIVES:
        return UnsupportedFormat(
            f"{name}: the member {shown!r} is an archive inside an archive.",
            hint="Unpack it and add it by itself.",
        )
    return None


def _read(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, budget: Budget, limits: Limits
) -> bytes:
    """A member's content, counted as it comes out, whatever size it declares."""
    parts: list[bytes] = []
    size = 0
    try:
        with archive.open(entry) as stream:
            while part := stream.read(_STEP):
                size += len(part)
                budget.spend(len(part))
                if size > limits.max_bytes:
                    raise DocumentTooLarge(
                        f"{name} unpacks to more than {limits.max_bytes:,} bytes.",
                        hint="Split the file.",
                    )
                parts.append(part)
    except NotImplementedError as e:
        raise UnsupportedFormat(f"{name} cannot be unpacked ({e}).") from e
    except RuntimeError as e:
        raise EncryptedDocument(f"{name} is password-protected.") from e
    except _DAMAGE as e:
        raise CorruptDocument(f"{name} is damaged: it cannot be unpacked ({e}).") from e
    return b"".join(parts)


def _unique(name: str, taken: set[str]) -> str:
    """The name, numbered where the archive has it before (also in another case)."""
    result, again = name, 2
    while result.lower() in taken:
        path = PurePosixPath(name)
        result = path.with_name(f"{path.stem} ({again}){path.suffix}").as_posix()
        again += 1
    taken.add(result.lower())
    return result
