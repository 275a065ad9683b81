"""A file's bytes and lines, gzipped or not, without holding them all."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ragdebug.errors import CorruptDocument, DocumentError, DocumentTooLarge, MissingFile

GZIP = b"\x1f\x8b"
_LONGEST_LINE = 1 << 28  # bytes; more is a file that somebody made to fill a memory
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@contextmanager
def opened(source: str | Path | bytes, name: str) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked; can be read from the start again.

    Raises:
        MissingFile: nothing is there.
        DocumentError: it cannot be read, or is a folder.
        CorruptDocument: it is a damaged gzip file.
    """
    path = name if isinstance(source, bytes) else source
    try:
        stream = io.BytesIO(source) if isinstance(source, bytes) else Path(source).open("rb")
    except FileNotFoundError as e:
        raise MissingFile(f"There is no file {path}.") from e
    except IsADirectoryError as e:
        raise DocumentError(f"{path} is a folder.", hint="Name the file of pieces in it.") from e
    except OSError as e:
        raise DocumentError(f"{name} cannot be read: {e.strerror or e}.") from e
    with stream:
        packed = stream.read(2) == GZIP
        stream.seek(0)
        try:
            if packed:
                with gzip.GzipFile(fileobj=stream) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield cast(BinaryIO, stream)
        except (EOFError, gzip.BadGzipFile, zlib.error) as e:
            raise CorruptDocument(f"{name} cannot be unpacked: it is damaged or cut off.") from e
        except OSError as e:
            raise DocumentError(f"{name} cannot be read: {e.strerror or e}.") from e


def start_of(stream: BinaryIO, size: int = 65_536) -> bytes:
    """The first bytes that are no blanks or byte order mark; the stream is left at its start."""
    start = stream.read(size)
    stream.seek(0)
    return start.removeprefix(codecs.BOM_UTF8).lstrip()


def lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, str | None]]:
    """Lines with their numbers from 1; None for one that is not UTF-8.

    A byte order mark goes; a file in UTF-16 says so by its own.

    Raises:
        DocumentTooLarge: a line is longer than any piece can be.
    """
    mark = stream.read(2)
    stream.seek(0)
    if mark in _UTF16:
        text = io.TextIOWrapper(stream, "utf-16", errors="replace", newline="")
        yield from enumerate(text, start=1)
        text.detach()
        return
    number = 0
    while line := stream.readline(_LONGEST_LINE):
        number += 1
        if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
            raise DocumentTooLarge(
                f"Line {number} of {name} is longer than {_LONGEST_LINE:,} bytes.",
                hint="Write one piece a line.",
            )
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        try:
            yield number, line.decode()
        except UnicodeDecodeError:
            yield number, None


def whole(stream: BinaryIO, name: str) -> str:
    """All of a text file.

    Raises:
        CorruptDocument: it is not UTF-8 or UTF-16.
    """
    data = stream.read()
    try:
        return data.decode("utf-16" if data[:2] in _UTF16 else "utf-8-sig")
    except UnicodeDecodeError as e:
        raise CorruptDocument(
            f"{name} is not UTF-8: byte {e.start:,} fits no character.", hint="Save it as UTF-8."
        ) from e
