"""Inflating what is compressed, by the bytes that really come out.

Sizes that a file declares are never trusted: what counts is what was inflated so far.
"""

from __future__ import annotations

import zlib

from ragdebug.documents.options import MB, Limits
from ragdebug.errors import CorruptDocument, DocumentTooLarge, UnsafeArchive

GZIP = b"\x1f\x8b"
_STEP = 1 * MB


class Budget:
    """How much may still come out of one compressed file.

    Args:
        name: what messages call the file.
        packed: its size in bytes.
        limits: see `Limits`.
    """

    def __init__(self, name: str, packed: int, limits: Limits) -> None:
        self.name = name
        self.packed = max(1, packed)
        self.limits = limits
        self.inflated = 0

    def spend(self, count: int) -> None:
        """Account for bytes that came out.

        Raises:
            UnsafeArchive: more than the limit, in all or per packed byte.
        """
        self.inflated += count
        if self.inflated > self.limits.max_inflated_bytes:
            raise UnsafeArchive(
                f"{self.name} unpacks to more than {self.limits.max_inflated_bytes:,} bytes.",
                hint="Unpack it yourself and add the files you need.",
            )
        ratio = self.inflated / self.packed
        if self.inflated > self.limits.ratio_floor_bytes and ratio > self.limits.max_ratio:
            raise UnsafeArchive(
                f"{self.name} unpacks to more than {self.limits.max_ratio:g} times its size, "
                "as files made to fill a disk do.",
                hint="Unpack it yourself and add the files you need.",
            )


def inflate_gzip(data: bytes, name: str, limits: Limits) -> bytes:
    """The content of a gzip file, all its members one after the other.

    Raises:
        CorruptDocument: the file is damaged or cut off.
        DocumentTooLarge: it is larger than the limit even as it lies there.
        UnsafeArchive: too much comes out.
    """
    check_size(data, name, limits)
    budget = Budget(name, len(data), limits)
    parts: list[bytes] = []
    left = data
    while left.startswith(GZIP):
        inflater = zlib.decompressobj(wbits=31)
        try:
            part = inflater.decompress(left, _STEP)
            while True:
                budget.spend(len(part))
                parts.append(part)
                if inflater.eof:
                    break
                if not part and not inflater.unconsumed_tail:
                    raise CorruptDocument(f"{name} is cut off: its compressed data has no end.")
                part = inflater.decompress(inflater.unconsumed_tail, _STEP)
        except zlib.error as e:
            raise CorruptDocument(f"{name} is damaged: it cannot be unpacked ({e}).") from e
        left = inflater.unused_data
    return b"".join(parts)


def inflate_named(data: bytes, name: str, limits: Limits) -> tuple[bytes, str]:
    """Content and inner name of a file that may be gzipped (``faq.csv.gz`` -> ``faq.csv``).

    Raises:
        DocumentError: see `inflate_gzip`; also for gzip inside of gzip.
    """
    if not data.startswith(GZIP):
        return data, name
    inner = name[:-3] if name.lower().endswith(".gz") else name
    content = inflate_gzip(data, name, limits)
    if content.startswith(GZIP):
        raise UnsafeArchive(f"{name} is compressed twice.", hint="Unpack it once.")
    return content, inner


def check_size(data: bytes, name: str, limits: Limits) -> None:
    """Refuse a file larger than the limit.

    Raises:
        DocumentTooLarge: naming the file and both sizes.
    """
    if len(data) > limits.max_bytes:
        raise DocumentTooLarge(
            f"{name} has {len(data):,} bytes; the limit is {limits.max_bytes:,}.",
            hint="Split the file.",
        )
