"""What a file is by its bytes, whatever its name says."""

from __future__ import annotations

import io
import re
import zipfile

# First bytes of what is no text, and what people call it.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"\x7fELF", "a program"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"OggS", "a sound file"),
    (b"ID3", "a sound file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x00asm", "a program"),
    (b"MZ", "a program"),
)
_NOT_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a]")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.S
)
_ZIPPED = {
    "word/": "docx",
    "xl/": "an Excel workbook",
    "ppt/": "a PowerPoint file",
    "META-INF/container.xml": "an EPUB book",
    "content.xml": "an OpenDocument file",
}


def sniff(data: bytes) -> str:
    """``pdf``, ``docx``, ``zip``, ``gzip``, ``ole``, ``html``; a description of what is no text.

    "" where the bytes say nothing: text, or unknown.
    """
    if data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"%PDF-"):
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zipped(data)
    if data.startswith(b"\x1f\x8b"):
        return "gzip"
    if data.startswith(_OLE):
        return "ole"
    # Some of these marks are plain letters, with which a text may begin just as well.
    if _NOT_TEXT.search(data[:512]):
        for magic, what in _MAGIC:
            if data.startswith(magic):
                return what
        if data.startswith(b"RIFF") and data[8:12] in (b"WEBP", b"WAVE", b"AVI "):
            return "a picture, sound or film"
        if data[4:8] == b"ftyp":
            return "a film"
        if data[257:262] == b"ustar":
            return "a tar archive"
    if data.startswith(b"{\\rtf"):
        return "an RTF file"
    return "html" if _HTML.match(data[:4096]) else ""


def _zipped(data: bytes) -> str:
    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError):
        # Cut off or damaged: the names may still stand there in plain letters.
        return "docx" if b"word/document.xml" in data else "zip"
    for start, what in _ZIPPED.items():
        if any(n.startswith(start) for n in names):
            return what
    return "zip"
