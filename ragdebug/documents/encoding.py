"""Bytes to text without losing a letter, and a warning wherever that took a guess."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from ragdebug.documents.canonical import REPLACEMENT, normalise, storable
from ragdebug.documents.options import Limits
from ragdebug.errors import CorruptDocument, DocumentTooLarge
from ragdebug.records import ParseWarning

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile("[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")
_DECLARED = re.compile(
    rb"""(?:<meta[^>]{0,200}?charset\s*=\s*["']?|<\?xml[^>]{0,100}?encoding\s*=\s*["']"""
    rb"""|^[ \t\f]*\#.{0,100}?coding[:=][ \t]*|\A@charset\s*")([-_.a-zA-Z0-9]{1,40})""",
    re.IGNORECASE | re.MULTILINE,
)
_SAMPLE = 200_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file as text.

    Attributes:
        text: the canonical text, line ends, BOM and NUL normalised.
        encoding: Python's name of the encoding it was read in.
        warnings: encoding_guessed, replaced_characters.
    """

    text: str
    encoding: str
    warnings: tuple[ParseWarning, ...]


def decode(
    data: bytes, name: str, encoding: str = "", limits: Limits | None = None, declared: bool = True
) -> Decoded:
    """Read bytes as text.

    Tried in order: `encoding` where a person chose one, a byte order mark, UTF-16 by its zero
    bytes, UTF-8, UTF-8 with a few bytes of Windows-1252 in it, what the file says of itself
    (``<meta charset>``, ``encoding=``, ``coding:``), and a guess by frequency.

    Args:
        data: the file.
        name: what messages call it.
        encoding: a codec name, or "".
        limits: for the length of a line.
        declared: whether to believe what the file says of itself.

    Raises:
        CorruptDocument: the bytes are not text.
        DocumentTooLarge: a line is longer than the limit.
    """
    limits = limits or Limits()
    warnings: list[ParseWarning] = []
    try:
        text, used, guessed = _decode(data, encoding, declared)
    except UnicodeError as e:
        # Some codecs know nothing of replacing what they cannot read.
        raise CorruptDocument(f"{name} cannot be read as {encoding}: {e}.") from e
    if _is_junk(text, guessed):
        raise CorruptDocument(
            f"{name} is not text: it holds binary data.",
            hint="Check what kind of file it is; its name says text.",
        )
    if guessed:
        warnings.append(
            ParseWarning("encoding_guessed", f"{name} is not UTF-8; it was read as {used}.")
        )
    text, halves = storable(text)
    lost = halves + max(0, text.count(REPLACEMENT) - halves - _replacements_in_source(data, used))
    if lost:
        warnings.append(
            ParseWarning(
                "replaced_characters",
                f"{name}: {lost} character{'s' if lost > 1 else ''} could not be read as {used} "
                "and became \ufffd.",
            )
        )
    text = normalise(text)
    check_lines(text, name, limits)
    return Decoded(text, used, tuple(warnings))


def check_lines(text: str, name: str, limits: Limits) -> None:
    """Refuse a text with a line longer than the limit.

    Raises:
        DocumentTooLarge: naming the file and the line.
    """
    limit, at = limits.max_line_chars, 0
    while len(text) - at > limit:
        end = text.rfind("\n", at, at + limit + 1)
        if end == -1:
            line = text.count("\n", 0, at) + 1
            raise DocumentTooLarge(
                f"{name}: line {line} is longer than {limit:,} characters.",
                hint="Break the line, or take the embedded data out of it.",
            )
        at = end + 1


def _decode(data: bytes, encoding: str, declared: bool) -> tuple[str, str, bool]:
    """Text, encoding, and whether it was guessed."""
    if encoding:
        return data.decode(encoding, errors="replace"), encoding, False
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, errors="replace"), codec, False
    if codec := _utf16_by_zeros(data):
        return data.decode(codec, errors="replace"), codec, True
    named = _declared(data) if declared else ""
    # These are made of ASCII bytes, so UTF-8 would accept them as gibberish.
    if named.startswith("iso2022") and b"\x1b" in data:
        try:
            return data.decode(named), named, False
        except UnicodeDecodeError:
            pass
    try:
        return data.decode("utf-8"), "utf-8", False
    except UnicodeDecodeError:
        pass
    if (cut := _cut_utf8(data)) is not None:
        return cut, "utf-8", False
    if (mended := _nearly_utf8(data)) is not None:
        return mended, "utf-8 with parts in cp1252", True
    if named and named != "utf-8":
        try:
            return data.decode(named), named, False
        except UnicodeDecodeError:
            pass
    from ragdebug.documents.guess import guess_encoding

    codec = guess_encoding(data[:_SAMPLE])
    try:
        return data.decode(codec), codec, True
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), "cp1252", True


def _utf16_by_zeros(data: bytes) -> str:
    """UTF-16 without a mark: Latin text then has a zero in every second byte, on one side only."""
    sample = data[: _SAMPLE // 2 * 2]
    if len(data) < 4 or len(data) % 2:
        return ""
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * half and even <= 0.02 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd <= 0.02 * half:
        return "utf-16-be"
    return ""


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data[:2048])
    if not found:
        return ""
    try:
        codec = codecs.lookup(found[1].decode("ascii"))
        b"".decode(codec.name)
    except (LookupError, UnicodeError, ValueError):
        return ""
    # A browser reads these as their Windows supersets, and so do the people who write them.
    name = codec.name.replace("_", "")
    return {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254"}.get(name, name)


def _cut_utf8(data: bytes) -> str | None:
    """UTF-8 whose last character lost its end, read with U+FFFD in its place, or None."""
    reader = codecs.getincrementaldecoder("utf-8")()
    try:
        text = reader.decode(data)
    except UnicodeDecodeError:
        return None
    left = len(reader.getstate()[0])
    # A single byte may as well be an accented letter of another encoding.
    return text + REPLACEMENT if left > 1 or (left and not text.isascii()) else None


def _nearly_utf8(data: bytes) -> str | None:
    """UTF-8 with a few foreign bytes in it, each read as Windows-1252, or None.

    Two files in different encodings get joined, or the last character is cut in half: the many
    good characters must not be sacrificed to the few bad bytes.
    """
    text = data.decode("utf-8", errors="surrogateescape")
    bad = re.findall("[\udc80-\udcff]", text)
    good = len(re.findall("[^\x00-\x7f\udc80-\udcff]", text))
    if len(bad) > good:
        return None

    def as_cp1252(match: re.Match[str]) -> str:
        return bytes([ord(match[0]) - 0xDC00]).decode("cp1252", errors="replace")

    return re.sub("[\udc80-\udcff]", as_cp1252, text)


def _replacements_in_source(data: bytes, codec: str) -> int:
    """How many U+FFFD the author wrote: they are text, not losses."""
    try:
        return data.count(REPLACEMENT.encode(codec.split()[0]))
    except (UnicodeError, LookupError):
        return 0


def _is_junk(text: str, guessed: bool) -> bool:
    """Whether a text is binary data: control characters give it away."""
    sample = text[:_SAMPLE]
    if not sample.strip("\0\ufeff \t\r\n"):
        return False  # empty, which is another fault
    controls = len(_CONTROL.findall(sample))
    if guessed:
        # No encoding fitted, so nothing speaks for text but the absence of control characters.
        controls += len(re.findall("[\x80-\x9f]", sample)) + sample.count(REPLACEMENT)
        return controls * 50 > len(sample)
    return controls * 5 > len(sample)
