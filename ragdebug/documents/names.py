"""File names from archives and uploads, made safe to show, to store and to join to a folder."""

from __future__ import annotations

import re
import unicodedata

MAX_PART_BYTES = 150
MAX_PARTS = 20
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_FORBIDDEN = re.compile(r'[<>:"|?*]')


def safe_name(name: str) -> str:
    """A relative name with forward slashes that stays inside any folder it is joined to.

    Roots, drives, ``..``, control characters and lone surrogates go; what Windows reserves gets an
    underscore; parts that are too long are cut, their suffix kept. Never empty.
    """
    # A name of mixed direction can show its end in the middle: "gpj.exe" as "exe.jpg".
    name = "".join(c for c in name if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    parts = [_part(p) for p in re.split(r"[/\\]", _DRIVE.sub("", name, count=1))]
    kept = [p for p in parts if p]
    return "/".join(kept[-MAX_PARTS:]) or "unnamed"


def is_outside(name: str) -> bool:
    """Whether a name, taken as it is, points out of the folder it is joined to."""
    parts = re.split(r"[/\\]", name)
    return parts[0] == "" or ".." in parts or bool(_DRIVE.match(name))


def _part(part: str) -> str:
    part = _FORBIDDEN.sub("_", part.strip()).rstrip(". ")
    if part in ("", "."):
        return ""
    if _RESERVED.fullmatch(part):
        part = "_" + part
    if len(part.encode()) > MAX_PART_BYTES:
        stem, dot, suffix = part.rpartition(".")
        suffix = dot + suffix if stem and len(suffix.encode()) <= 10 else ""
        stem = stem if suffix else part
        room = MAX_PART_BYTES - len(suffix.encode())
        part = stem.encode()[:room].decode(errors="ignore") + suffix
    return part
