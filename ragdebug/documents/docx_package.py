"""The parts of a DOCX, inflated within limits and read as XML that cannot reach out.

What the archive says of the size of its members is not believed: real bytes are counted as they
come out, and all members are counted, needed or not.
"""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Protocol, cast

from ragdebug.documents.options import MB, Limits
from ragdebug.errors import (
    CorruptDocument,
    DocumentTooLarge,
    EmptyDocument,
    EncryptedDocument,
    UnsupportedFormat,
)

STEP = MB
# A tree takes about ten times the memory of its XML; a thousand pages need a tenth of this.
MOST_XML = 48 * MB
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LOCAL_HEADER = 30  # bytes, before name and extra field
_BROKEN_HINT = "Open it in a word processor, save it again as .docx, and load that."


class Element(Protocol):
    """What is used of an XML element."""

    tag: object
    text: str | None

    def get(self, key: str) -> str | None:
        """An attribute's value."""
        ...

    def __iter__(self) -> Iterator[Element]: ...


def local(element: Element) -> str:
    """Name without its namespace (transitional and strict files differ); "" for comments."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def value(element: Element, name: str = "val") -> str:
    """An attribute in the namespace of its element; "" when it is missing."""
    space = str(element.tag).rpartition("}")[0]
    return element.get(f"{space}}}{name}") or element.get(name) or ""


def child(element: Element | None, *path: str) -> Element | None:
    """The first child of that name, of the first child before it, and so on."""
    for name in path:
        if element is None:
            return None
        element = next((e for e in element if local(e) == name), None)
    return element


class Package:
    """The XML parts of a DOCX by their full name, such as ``word/document.xml``.

    Raises:
        EmptyDocument, EncryptedDocument, UnsupportedFormat, CorruptDocument: what is wrong with it.
        DocumentTooLarge: beyond a limit on bytes, members, inflated bytes or ratio.
    """

    def __init__(self, data: bytes, name: str, limits: Limits) -> None:
        self.name = name
        _check_start(data, name, limits)
        try:
            members = zipfile.ZipFile(io.BytesIO(data)).infolist()
        except (
            zipfile.BadZipFile,
            struct.error,
            ValueError,
            LookupError,
            RuntimeError,
            OSError,
        ) as e:
            raise self.broken("its archive is damaged or cut off") from e
        if len(members) > limits.max_members:
            raise DocumentTooLarge(
                f"{name}: {len(members):,} parts; the limit is {limits.max_members:,}."
            )
        self._parts: dict[str, bytes] = {}
        total = 0
        for member in members:
            total += self._take(data, member, limits, total)

    def broken(self, what: str) -> CorruptDocument:
        """An error that says what is damaged."""
        return CorruptDocument(f"{self.name}: {what}.", hint=_BROKEN_HINT)

    def _take(self, data: bytes, member: zipfile.ZipInfo, limits: Limits, before: int) -> int:
        """Inflate one member, keep it when it is XML; returns its real size."""
        wanted = member.filename.endswith((".xml", ".rels"))
        if member.flag_bits & 1:
            raise EncryptedDocument(
                f"{self.name}: password-protected, not read", hint="Save it without a password."
            )
        start = member.header_offset
        header = data[start : start + _LOCAL_HEADER]
        if len(header) < _LOCAL_HEADER or not header.startswith(b"PK\x03\x04"):
            raise self.broken("its archive is damaged")
        start += _LOCAL_HEADER + int.from_bytes(header[26:28], "little")
        start += int.from_bytes(header[28:30], "little")
        packed = data[start : start + member.compress_size]
        kept: list[bytes] = []
        size = checksum = 0
        for part in self._inflate(packed, member, wanted):
            size += len(part)
            dense = size > limits.ratio_floor_bytes and size > limits.max_ratio * len(packed)
            most = min(MOST_XML, limits.max_inflated_bytes) if wanted else limits.max_inflated_bytes
            if dense or size > most or before + size > limits.max_inflated_bytes:
                raise DocumentTooLarge(
                    f"{self.name}: {member.filename} inflates from {len(packed) / 1024:,.0f} KB to "
                    f"more than {size / MB:.0f} MB; the limits are {most / MB:.0f} MB and "
                    f"{limits.max_ratio:.0f} times its size.",
                    hint="If the file is yours, split it or save it again in a word processor.",
                )
            if wanted:
                checksum = zlib.crc32(part, checksum)
                kept.append(part)
        if wanted:
            if checksum != member.CRC:
                raise self.broken(f"its part {member.filename} is damaged")
            self._parts[member.filename] = b"".join(kept)
        return size

    def _inflate(self, packed: bytes, member: zipfile.ZipInfo, wanted: bool) -> Iterator[bytes]:
        if member.compress_type == zipfile.ZIP_STORED:
            yield packed
            return
        if member.compress_type != zipfile.ZIP_DEFLATED:
            if wanted:
                raise self.broken(f"its part {member.filename} is packed in an unknown way")
            return
        engine = zlib.decompressobj(-zlib.MAX_WBITS)
        waiting = packed
        while waiting and not engine.eof:
            try:
                part = engine.decompress(waiting, STEP)
            except zlib.error as e:
                if wanted:
                    raise self.broken(f"its part {member.filename} is damaged") from e
                return
            waiting = engine.unconsumed_tail
            if part:
                yield part

    def xml(self, part: str) -> Element | None:
        """The root element of a part, None when there is no such part."""
        data = self._parts.get(part)
        if data is None:
            return None
        # python-docx's parser: entities are not resolved, nothing is fetched, depth is limited.
        from docx.oxml.parser import parse_xml

        try:
            return cast(Element, parse_xml(data))
        except (SyntaxError, ValueError) as e:
            raise self.broken(f"its part {part} is not well-formed XML") from e

    def related(self, part: str) -> dict[str, str]:
        """Parts that a part refers to, by the last word of the kind: ``styles``, ``footnotes``."""
        return {kind: target for kind, target, _ in self.relations(part)}

    def relations(self, part: str) -> list[tuple[str, str, str]]:
        """(kind, part, id) of everything inside the package that a part refers to."""
        folder, file = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", file + ".rels"))
        found = []
        for relation in root if root is not None else ():
            target = relation.get("Target") or ""
            if local(relation) != "Relationship" or relation.get("TargetMode") == "External":
                continue
            kind = (relation.get("Type") or "").rpartition("/")[2]
            full = target[1:] if target.startswith("/") else posixpath.join(folder, target)
            found.append((kind, posixpath.normpath(full), relation.get("Id") or ""))
        return found


def _check_start(data: bytes, name: str, limits: Limits) -> None:
    if not data:
        raise EmptyDocument(f"{name}: the file is empty (0 bytes).", hint="Load it again.")
    if len(data) > limits.max_bytes:
        raise DocumentTooLarge(
            f"{name}: {len(data) / MB:.0f} MB; the limit is {limits.max_bytes / MB:.0f} MB."
        )
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise EncryptedDocument(
                f"{name}: password-protected, not read",
                hint="Open it in a word processor and save it without a password.",
            )
        raise UnsupportedFormat(
            f"{name}: this is a file of the old Word format (.doc), whatever its name says.",
            hint="Save it as .docx and load that.",
        )
    if not data.startswith(b"PK"):
        raise CorruptDocument(
            f"{name}: this is not a DOCX, whatever its name says.",
            hint="Check what kind of file it is, and give it the right ending.",
        )
