"""What an ingest is asked to read: files, folders, archives and uploads, as one kind of item.

A source key says where a file came from and never changes while it stays there. The records of a
file share its key, followed by U+001F and the record's own key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ragdebug.documents.archive import members
from ragdebug.documents.names import is_outside, safe_name
from ragdebug.documents.options import Limits
from ragdebug.documents.scan import NOT_READABLE, scan
from ragdebug.errors import DocumentError, DocumentTooLarge, MissingFile
from ragdebug.store.documents import RECORD
from ragdebug.store.paths import path_key

__all__ = [
    "RECORD", "Item", "Listing", "Unread", "below", "file_hash", "folder_metadata", "free_name",
    "list_paths", "list_uploads", "numbered",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """One file to read.

    Attributes:
        name: how people call it; relative to its folder or archive.
        key: source key.
        root: folder or archive it was found in; "" for a file named by itself.
        origin: folder, file, archive or upload.
        read: gives the bytes; raises `DocumentError` or `OSError`.
        metadata: from folder names such as ``tenant=acme``.
        given: the name of an upload before it got another one to stand beside the first.
    """

    name: str
    key: str
    root: str
    origin: str
    read: Callable[[], bytes]
    metadata: dict[str, str] = field(default_factory=dict)
    given: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """A file, or a whole archive, that could not even be opened; fields as in `Item`."""

    name: str
    key: str
    root: str
    origin: str
    error: DocumentError


@dataclass(frozen=True, slots=True)
class Listing:
    """All items of one call, the roots they cover whole, and what was left out with its reason.

    `unseen` has the paths of files and folders that are there and could not be looked at.
    """

    items: list[Item]
    roots: list[str]
    failed: list[Unread]
    skipped: list[tuple[str, str]]
    unseen: list[str] = field(default_factory=list)


def list_paths(paths: Iterable[str | Path], limits: Limits, folder_key: str = "") -> Listing:
    """Items for files, folders and zip archives given by path."""
    listing = Listing([], [], [], [])
    for given in paths:
        try:
            _given_path(str(given), Path(given).expanduser(), listing, limits, folder_key)
        except OSError as e:
            message = f"{given} cannot be read: {e.strerror or e}."
            error = MissingFile(message, title="File not read", hint="Check path and permissions.")
            listing.failed.append(Unread(str(given), str(given), "", "file", error))
    return listing


def _given_path(given: str, path: Path, listing: Listing, limits: Limits, folder_key: str) -> None:
    if path.is_dir():
        _folder(path.resolve(), listing, limits, folder_key)
    elif not path.is_file():
        error = MissingFile(f"There is no file {given}.", hint="Check the path.")
        listing.failed.append(Unread(given, given, "", "file", error))
    elif path.suffix.lower() == ".zip":
        root = str(path.resolve())
        data = _reader(path, path.name, limits)
        _archive(path.name, data, root, f"{root}!", "archive", listing, limits)
    else:
        key = path_key(path.resolve())
        read = _reader(path, path.name, limits)
        listing.items.append(Item(path.name, key, "", "file", read))


def list_uploads(files: Sequence[tuple[str, bytes]], limits: Limits) -> Listing:
    """Items for uploaded files; folders in a name are kept, so that files of one name stay apart.

    A name that points outside counts by its last part. Two files of one name in one upload are
    both taken, the second under a numbered name, unless they are the same.
    """
    listing = Listing([], [], [], [])
    seen: dict[str, bytes] = {}
    for given, data in files:
        name = safe_name(given)
        if is_outside(given):
            name = PurePosixPath(name).name
        if seen.get(name) == data:
            listing.skipped.append((name, "it was given twice"))
            continue
        name = free_name(name, seen)
        seen[name] = data
        if name.lower().endswith(".zip"):
            root = f"upload:{name}"
            _archive(name, _given(data), root, f"{root}!", "upload", listing, limits)
        else:
            read = _given(data)
            metadata = folder_metadata(name)
            listing.items.append(Item(name, f"upload:{name}", "", "upload", read, metadata, given))
    return listing


def numbered(name: str, n: int) -> str:
    """A name with a number before its suffix: ``menu (2).txt``."""
    path = PurePosixPath(name)
    return str(path.with_name(f"{path.stem} ({n}){path.suffix}"))


def free_name(name: str, taken: Container[str]) -> str:
    """The name itself if it is free, else the first numbered one that is."""
    made, n = name, 1
    while made in taken:
        n += 1
        made = numbered(name, n)
    return made


def below(path: str, folders: Iterable[str]) -> bool:
    """Whether a path is one of the folders, or inside one."""
    return any(path == f or path.startswith(f.rstrip("/\\") + "/") for f in folders)


def file_hash(data: bytes) -> str:
    """SHA-256 of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def _folder(root: Path, listing: Listing, limits: Limits, folder_key: str) -> None:
    listing.roots.append(str(root))
    found = scan(root)
    for file in found.files:
        listing.items.append(
            Item(
                file.relative,
                path_key(file.path),
                str(root),
                "folder",
                _reader(file.path, file.relative, limits),
                folder_metadata(file.relative, folder_key),
            )
        )
    for name, path in found.outside:
        error = DocumentError(
            f"{name} is a link to a place outside of the folder and was not followed.",
            title="Link refused",
            hint="Put a copy of what it points to into the folder, or ingest that by its own path.",
        )
        listing.failed.append(Unread(name, path_key(path), str(root), "folder", error))
    listing.skipped.extend(found.skipped)
    listing.unseen.extend(
        path_key(root / name) for name, reason in found.skipped if reason == NOT_READABLE
    )


def folder_metadata(relative: str, folder_key: str = "") -> dict[str, str]:
    """Metadata that folder names carry: ``tenant=acme/faq.md``, or the first folder by a key."""
    parts = PurePosixPath(relative).parts[:-1]
    result = {}
    if folder_key and parts:
        result[folder_key] = parts[0]
    for part in parts:
        key, equals, value = part.partition("=")
        if equals and key.strip() and value.strip():
            result[key.strip()] = value.strip()
    return result


def _archive(
    name: str,
    read: Callable[[], bytes],
    root: str,
    prefix: str,
    origin: str,
    listing: Listing,
    limits: Limits,
) -> None:
    try:
        for member, content in members(read(), name, limits):
            if isinstance(content, DocumentError):
                unread = Unread(f"{name}/{member}", prefix + member, root, origin, content)
                listing.failed.append(unread)
            else:
                listing.items.append(
                    Item(
                        member,
                        prefix + member,
                        root,
                        origin,
                        _given(content),
                        folder_metadata(member),
                    )
                )
    except DocumentError as e:
        listing.failed.append(Unread(name, root, root, origin, e))
    else:
        listing.roots.append(root)


def _given(data: bytes) -> Callable[[], bytes]:
    return lambda: data


def _reader(path: Path, name: str, limits: Limits) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            size = path.stat().st_size
            if size > limits.max_bytes:
                raise DocumentTooLarge(
                    f"{name} has {size:,} bytes; the limit is {limits.max_bytes:,}.",
                    hint="Split the file.",
                )
            return path.read_bytes()
        except OSError as e:
            raise DocumentError(
                f"{name} cannot be read: {e.strerror or e}.", hint="Check its permissions."
            ) from e

    return read
