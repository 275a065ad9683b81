"""Look at a PDF's bytes before pdfium does: truncated files and streams that inflate for ever."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from ragdebug.documents.options import MB, Limits
from ragdebug.errors import CorruptDocument, DocumentTooLarge, EmptyDocument

_LENGTH = re.compile(rb"/L\s+(\d+)")
_IMAGE = re.compile(rb"/Subtype\s*/Image\b")
HEADER_WITHIN = 1024
STEP = MB  # what is inflated at a time
READ = 16 * 1024  # what is read for it
LAYERS = 3
MOST_STREAMS = 100_000
STREAMS_TOGETHER = 10  # times what one stream may inflate to
DEFLATE_AT_MOST = 1032  # times its size: the most that one layer can grow


def check(data: bytes, name: str, limits: Limits) -> None:
    """Refuse what is no PDF, ends too early, or would fill the memory.

    Raises:
        EmptyDocument: no bytes.
        CorruptDocument: not a PDF, or cut off.
        DocumentTooLarge: more bytes than allowed, as they lie or when inflated.
    """
    if not data:
        raise EmptyDocument(f"{name}: the file is empty (0 bytes).", hint="Load it again.")
    if len(data) > limits.max_bytes:
        raise DocumentTooLarge(
            f"{name}: {len(data) / MB:.0f} MB; the limit is {limits.max_bytes / MB:.0f} MB."
        )
    if b"%PDF-" not in data[:HEADER_WITHIN]:
        raise CorruptDocument(
            f"{name}: this is not a PDF, whatever its name says.",
            hint="Check what kind of file it is, and give it the right ending.",
        )
    if is_truncated(data):
        raise CorruptDocument(
            f"{name}: this PDF is cut off; its end is missing.",
            hint="Download or copy it again.",
        )
    _check_streams(data, name, limits)


def is_truncated(data: bytes) -> bool:
    """Whether the end of the file is missing.

    A file ends with ``%%EOF``. One made for the web has an early one as well, but states its own
    length at the start.
    """
    if b"%%EOF" not in data and b"startxref" not in data[-2048:]:
        return True
    head = data[:HEADER_WITHIN]
    length = _LENGTH.search(head) if b"/Linearized" in head else None
    return bool(length and int(length[1]) > len(data))


def has_lost_update(data: bytes) -> bool:
    """Whether objects stand after the last end mark: a later save that was cut off."""
    tail = data[data.rfind(b"%%EOF") :]
    return b"%%EOF" in tail and b" obj" in tail


def _check_streams(data: bytes, name: str, limits: Limits) -> None:
    """Inflate every large enough stream, keeping nothing.

    What a stream says of itself is not believed: whether it inflates is tried. Images are left out,
    since they are read line by line and never further than their size. Streams of encrypted files
    do not inflate before decryption; those of other kinds (LZW) are not followed.
    """
    # Twice the floor at most comes out of what is passed over.
    smallest = min(limits.max_inflated_bytes, 2 * limits.ratio_floor_bytes) // DEFLATE_AT_MOST
    end = total = 0
    for count, start in enumerate(_stream_starts(data), start=1):
        if count > MOST_STREAMS:
            raise _too_large(name, f"more than {MOST_STREAMS:,} streams")
        if data[start : start + 1] not in b"\x08\x18\x28\x38\x48\x58\x68\x78":
            continue
        if end < start:
            end = data.find(b"endstream", start)
            end = len(data) if end < 0 else end
        nested = end - start > 32 and _is_deflated(_head(data[start : start + 4096]))
        if not nested and end - start < smallest:
            continue
        if _IMAGE.search(data[data.rfind(b"obj", max(0, start - 4096), start) : start]):
            continue
        total += _inflate(memoryview(data)[start:end], name, limits, end - start, 1)
        if total > STREAMS_TOGETHER * limits.max_inflated_bytes:
            raise _too_large(name, f"its streams inflate to more than {total / MB:,.0f} MB")


def _stream_starts(data: bytes) -> Iterator[int]:
    """Where the bytes of each stream begin: after the word and a line end."""
    at = data.find(b"stream")
    while at >= 0:
        after = data[at + 6 : at + 8]
        if data[at - 3 : at] != b"end" and (after[:1] == b"\n" or after == b"\r\n"):
            yield at + (7 if after[:1] == b"\n" else 8)
        at = data.find(b"stream", at + 6)


def _too_large(name: str, what: str) -> DocumentTooLarge:
    return DocumentTooLarge(
        f"{name}: {what}.", hint="If the file is yours, print it to a new PDF and load that."
    )


def _head(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, 64)
    except zlib.error:
        return b""


def _is_deflated(head: bytes) -> bool:
    """Whether bytes start like zlib's."""
    return len(head) > 1 and head[0] & 15 == 8 and (head[0] * 256 + head[1]) % 31 == 0


def _inflate(packed: memoryview, name: str, limits: Limits, size: int, layer: int) -> int:
    """Inflate one stream and what is deflated inside it; returns how many bytes came out."""
    engine = zlib.decompressobj()
    total = at = 0
    waiting = b""
    inner = bytearray()
    nested: bool | None = None
    while not engine.eof and (waiting or at < len(packed)):
        if not waiting:
            waiting = bytes(packed[at : at + READ])
            at += READ
        try:
            part = engine.decompress(waiting, STEP)
        except zlib.error:
            break  # damaged or encrypted: pdfium will see
        waiting = engine.unconsumed_tail
        total += len(part)
        too_dense = total > limits.ratio_floor_bytes and total > limits.max_ratio * size
        if total > limits.max_inflated_bytes or too_dense:
            raise _too_large(
                name,
                f"a stream of {size / 1024:,.0f} KB inflates to more than {total / MB:.0f} MB; the "
                f"limits are {limits.max_inflated_bytes / MB:.0f} MB and {limits.max_ratio:.0f} "
                "times its size",
            )
        if nested is None:
            nested = layer < LAYERS and _is_deflated(part)
        if nested:
            inner += part
    if nested:
        total += _inflate(memoryview(bytes(inner)), name, limits, size, layer + 1)
    return total
