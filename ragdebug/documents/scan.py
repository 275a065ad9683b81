"""The files of a folder that are worth reading, in a fixed order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ragdebug.errors import DocumentError

NOT_READABLE = "not readable"
_SNIFFED_BYTES = 4096
_FEW_ZEROS = 16
_JUNK_FOLDERS = frozenset(
    "__pycache__ __MACOSX node_modules venv site-packages .git .hg .svn".split()
)
_JUNK_FILES = frozenset(["thumbs.db", "desktop.ini"])
# What has no text in it, and would only fill the list of failures.
_BINARY = frozenset(
    ".png .jpg .jpeg .gif .bmp .tif .tiff .webp .ico .icns .heic .avif .psd .mp3 .mp4 .m4a .wav "
    ".flac .ogg .webm .avi .mov .mkv .woff .woff2 .ttf .otf .eot .exe .dll .so .dylib .a .o .obj "
    ".lib .class .pyc .pyo .pyd .bin .dat .db .sqlite .sqlite3 .duckdb .parquet .feather .arrow "
    ".npy .npz .pkl .pickle .pt .pth .onnx .safetensors .h5 .iso .dmg .img .deb .rpm .msi "
    ".apk".split()
)
# These are binary and are read all the same, or refused with a word of advice.
_KNOWN_BINARY = frozenset(".pdf .docx .zip .gz .doc .odt .rtf .xlsx .xls .pptx .ppt .epub".split())


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read.

    Attributes:
        root: the folder that was scanned (the file's own folder for a single file).
        relative: its path below `root`, with forward slashes.
        path: where it lies.
        size: bytes.
    """

    root: Path
    relative: str
    path: Path
    size: int


@dataclass(frozen=True, slots=True)
class Scan:
    """What a folder holds.

    Attributes:
        files: sorted by `relative`.
        skipped: (relative path, reason) of what was left out: hidden, junk folder, binary, link
            to a folder inside, not a plain file, not readable.
        outside: (relative path, where it lies) of links that lead out of the folder.
    """

    files: tuple[SourceFile, ...]
    skipped: tuple[tuple[str, str], ...]
    outside: tuple[tuple[str, Path], ...] = ()

    def __iter__(self) -> Iterator[SourceFile]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


def scan(path: str | Path) -> Scan:
    """Files below a folder, or the one file named.

    Hidden files and folders, caches, binary files and links to folders are left out; a folder that
    was skipped counts once. What a link to a folder inside shows is read at its own place. A link
    that leads outside is never followed. A file named by itself is never left out.

    Raises:
        DocumentError: there is no such file or folder, or it may not be listed.
    """
    root = Path(path)
    if root.is_file():
        return Scan((SourceFile(root.parent, root.name, root, root.stat().st_size),), ())
    if not root.is_dir():
        raise DocumentError(f"{root}: there is no such file or folder.", hint="Check the path.")
    if not os.access(root, os.R_OK | os.X_OK):
        raise DocumentError(f"{root} may not be listed.", hint="Check its permissions.")
    files: list[SourceFile] = []
    skipped: list[tuple[str, str]] = []
    outside: list[tuple[str, Path]] = []
    inside = Path(os.path.realpath(root))

    def failed(error: OSError) -> None:
        where = Path(str(error.filename)).relative_to(root).as_posix()
        skipped.append((where, NOT_READABLE))

    for folder, folders, names in os.walk(root, onerror=failed):
        here = Path(folder)
        for name in sorted(folders):
            at = here / name
            relative = at.relative_to(root).as_posix()
            if reason := _folder_reason(at):
                folders.remove(name)
                skipped.append((relative + "/", reason))
            elif at.is_symlink():
                folders.remove(name)
                if _leads_outside(at, inside):
                    outside.append((_storable(relative), at))
                else:
                    skipped.append((relative + "/", "link to a folder"))
        folders.sort()
        for name in names:
            at = here / name
            relative = at.relative_to(root).as_posix()
            if reason := _name_reason(at):
                skipped.append((_storable(relative), reason))
                continue
            if _leads_outside(at, inside):
                outside.append((_storable(relative), at))
                continue
            reason, size = _look_at(at)
            if reason:
                skipped.append((_storable(relative), reason))
            else:
                files.append(SourceFile(root, _storable(relative), at, size))
    files.sort(key=lambda f: f.relative)
    return Scan(tuple(files), tuple(sorted(skipped)), tuple(sorted(outside)))


def _folder_reason(folder: Path) -> str:
    """Why a folder is not gone into, or ""."""
    if folder.name.startswith("."):
        return "hidden"
    if folder.name in _JUNK_FOLDERS or folder.name.endswith(".egg-info"):
        return "junk folder"
    return ""


def _leads_outside(path: Path, inside: Path) -> bool:
    """Whether a link ends outside of a folder, however many links stand between."""
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(inside)


def _name_reason(path: Path) -> str:
    """Why a file is left out, by its name alone, or ""."""
    name = path.name.lower()
    if name.startswith("."):
        return "hidden"
    # Office programs leave ~$name.docx while a file is open.
    if name in _JUNK_FILES or name.startswith("~$") or name.endswith((".tmp", ".swp", "~")):
        return "junk"
    return "binary" if path.suffix.lower() in _BINARY else ""


def _look_at(path: Path) -> tuple[str, int]:
    """Why a file is left out once it is looked at, or "" and its size."""
    try:
        # A pipe or a device would never end.
        if not path.is_file():
            return "not a plain file", 0
        size = path.stat().st_size
        if path.suffix.lower() not in _KNOWN_BINARY and _is_binary(path):
            return "binary", 0
    except OSError:
        return NOT_READABLE, 0
    return "", size


def _is_binary(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_SNIFFED_BYTES)
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"%PDF-", b"PK\x03\x04", b"\x1f\x8b")):
        return False
    zeros = head.count(0)
    # A few zero bytes happen in text, a short one too, and UTF-16 has one in every second place.
    if zeros <= _FEW_ZEROS and zeros * 4 <= len(head):
        return False
    even, odd = head[0::2].count(0), head[1::2].count(0)
    utf16 = min(even, odd) * 20 <= max(even, odd) and max(even, odd) * 5 >= len(head)
    return zeros * 20 > len(head) and not utf16


def _storable(name: str) -> str:
    """A name whose bytes are not UTF-8 still has to be shown and stored."""
    return name.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
