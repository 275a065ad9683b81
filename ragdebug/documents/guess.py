"""Guessing the encoding of bytes that do not say it.

charset-normalizer is good at texts of another script and at long ones; for a few hundred bytes of a
Western language it finds many code pages equally likely. There the shape of the words decides.
"""

from __future__ import annotations

import re

from ragdebug.documents.language import detect

_CANDIDATES = 8
_SURE = 0.8
_HIGH_RUN = re.compile("[^\x00-\x7f]+")
_MARK_IN_WORD = re.compile(r"[^\W\d_][^\w\s\x00-\x7f\u2018\u2019\u00ad\u00b7\u2013\u2014][^\W\d_]")

# Code pages that share most letters with Windows-1252, and the languages they were made for.
_REGIONAL = {
    "cp1250": {"cs", "sk", "pl", "hu", "hr", "sl", "bs", "ro", "sq"},
    "cp1254": {"tr", "az"},
    "cp1257": {"lt", "lv", "et"},
}


def guess_encoding(data: bytes) -> str:
    """A codec name for bytes that are not UTF-8 and have no mark; ``cp1252`` when nothing fits."""
    if _is_western(data):
        return _western(data)
    from charset_normalizer import from_bytes

    matches = list(from_bytes(data))[:_CANDIDATES]
    if not matches:
        return "cp1252"
    # Among those that look equally clean, the one whose words belong to a language wins.
    near = [m for m in matches if m.chaos <= matches[0].chaos + 0.05]
    scored = [(detect(str(m))[1], -i) for i, m in enumerate(near)]
    confidence, at = max(scored)
    if confidence >= _SURE:
        return str(near[-at].encoding)
    # It offers UTF-16 for any even number of bytes; the zero bytes were looked at before.
    named = [m.encoding for m in matches if not m.encoding.startswith("utf_16")]
    return str(named[0]) if named else "cp1252"


def _is_western(data: bytes) -> bool:
    """Whether the bytes read well as Windows-1252: lone accented letters inside Latin words."""
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        # Five byte values have no meaning there; a short sample may also end anywhere.
        return False
    runs = _HIGH_RUN.findall(text)
    letters = sum(c.isascii() and c.isalpha() for c in text)
    high = sum(len(r) for r in runs)
    in_long_runs = sum(len(r) for r in runs if sum(map(str.isalpha, r)) > 3)
    return (
        high <= letters
        and in_long_runs * 10 <= high
        and len(_MARK_IN_WORD.findall(text)) * 10 <= high
    )


def _western(data: bytes) -> str:
    for codec, languages in _REGIONAL.items():
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        if text == data.decode("cp1252"):
            continue
        code, confidence = detect(text)
        if code in languages and confidence > max(_SURE, detect(data.decode("cp1252"))[1]):
            return codec
    return "cp1252"
