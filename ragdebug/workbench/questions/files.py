"""Files of questions as text by name: a file, a folder, a zip, or bytes that were uploaded."""

from __future__ import annotations

import re
from pathlib import Path

from ragdebug.documents.archive import members
from ragdebug.documents.encoding import decode
from ragdebug.documents.options import MB, Limits
from ragdebug.errors import DocumentError, DocumentTooLarge, MissingFile

LIMITS = Limits(max_bytes=64 * MB)
_WANTED = re.compile(
    r"queries\.jsonl|spans\.jsonl|qrels/[^/]+\.tsv|[^/]*(?:topics|qrels)[^/]*(?:/[^/]+\.(?:txt|tsv))?",
    re.IGNORECASE,
)


def gather(source: str | Path | bytes, name: str = "") -> tuple[str, dict[str, str]]:
    """What is read, as people call it, and its texts by name.

    Of a folder or a zip only queries, topics, judgments and spans are looked at.

    Raises:
        DocumentError: nothing is there, it cannot be read, is no text, or is too large.
    """
    if isinstance(source, bytes):
        called = Path(name).name or "questions"
        if called.casefold().endswith(".zip"):
            return called, _archive(called, source)
        return called, {called: _text(called, source)}
    path = Path(source)
    called = path.resolve().name
    if path.is_dir():
        return called, _folder(called, path)
    if not path.is_file():
        raise MissingFile(f"There is no file {path}.")
    return gather(_bytes(path), path.name)


def _folder(called: str, path: Path) -> dict[str, str]:
    inside = sorted(p for p in (*path.glob("*"), *path.glob("*/*")) if p.is_file())
    named = {p.relative_to(path).as_posix(): p for p in inside}
    return _some(called, {n: _text(n, _bytes(p)) for n, p in named.items() if _WANTED.fullmatch(n)})


def _archive(called: str, data: bytes) -> dict[str, str]:
    found: dict[str, bytes] = {}
    for member, content in members(data, called, LIMITS):
        if isinstance(content, bytes):
            found[member] = content
    # A zip of a folder has the folder's name before every member.
    tops = {n.partition("/")[0] for n in found}
    if len(tops) == 1 and all("/" in n for n in found):
        found = {n.partition("/")[2]: d for n, d in found.items()}
    wanted = {n: d for n, d in found.items() if _WANTED.fullmatch(n)}
    if not wanted and len(found) == 1:
        wanted = found
    return _some(called, {n: _text(n, d) for n, d in wanted.items()})


def _some(called: str, texts: dict[str, str]) -> dict[str, str]:
    if not texts:
        raise DocumentError(
            f"{called} holds no questions.",
            title="No questions found",
            hint="A folder needs queries.jsonl and qrels/*.tsv, or topics and qrels.",
        )
    return texts


def _bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > LIMITS.max_bytes:
            raise DocumentTooLarge(
                f"{path.name} has {size:,} bytes; the limit is {LIMITS.max_bytes:,}."
            )
        return path.read_bytes()
    except OSError as e:
        raise DocumentError(f"{path} cannot be read: {e.strerror or e}.") from e


def _text(name: str, data: bytes) -> str:
    return decode(data, name, limits=LIMITS, declared=False).text
