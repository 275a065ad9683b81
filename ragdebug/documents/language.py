"""Which language a text is in."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Any

# Below this the classifier, whose confidence is calibrated, is more often wrong than useful.
MIN_CONFIDENCE = 0.5
MIN_LETTERS = 12
SAMPLE_CHARS = 3000
_RANKS = 5

# A Chinese, Japanese or Korean character says as much as about three letters.
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_ADDRESSES = re.compile(r"(?:https?://|www\.)\S{1,500}|\S{1,100}@\S{1,100}")
_CODE_MARKS = re.compile(r"[{}();=<>|\\/_$#@&+]|->|::")
_RULES = re.compile(r"([=\-_*#~|+<>/.])\1{2,}")
# Links, emphasis and the like of Markdown: prose is full of them, and they are not code.
_MARKUP = re.compile(r"\]\([^()]{0,300}\)|!?\[|\]|\*{1,3}|`{1,3}")
# Written forms of a language that has a code of its own.
_SAME = {"nn": "no", "yue": "zh", "wuu": "zh", "arz": "ar", "ary": "ar", "uzs": "uz", "sdh": "ku"}


@lru_cache(maxsize=1)
def _identifier() -> Any:  # noqa: ANN401 - the library has no types
    # Loading takes a second, so it waits for the first text.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect(text: str) -> tuple[str, float]:
    """The language of a text and how sure that is.

    Args:
        text: any length; at most `SAMPLE_CHARS` characters from three places are looked at.

    Returns:
        ISO 639-1 code and confidence from 0 to 1; ``("", confidence)`` where the text is too short,
        looks like code, or no language is likely enough.
    """
    likely: Counter[str] = Counter()
    parts = _parts(text)
    for part in parts:
        for noise in (_MARKUP, _ADDRESSES, _RULES):
            part = noise.sub(" ", part)
        letters = sum(map(str.isalpha, part)) + 2 * len(_DENSE.findall(part))
        if letters >= MIN_LETTERS and not _looks_like_code(part, letters):
            for code, share in _identifier().rank(part)[:_RANKS]:
                likely[_SAME.get(code, code)] += share / len(parts)
    if not likely:
        return "", 0.0
    code, confidence = likely.most_common(1)[0]
    if confidence < MIN_CONFIDENCE or len(code) != 2:
        return "", confidence
    return code, min(1.0, confidence)


def _parts(text: str) -> list[str]:
    """Start, middle and end, since a manual may open with a page of another language."""
    if len(text) <= SAMPLE_CHARS:
        return [text]
    size = SAMPLE_CHARS // 3
    middle = len(text) // 2
    return [text[:size], text[middle : middle + size], text[-size:]]


def _looks_like_code(sample: str, letters: int) -> bool:
    marks = len(_CODE_MARKS.findall(sample))
    return marks * 10 > letters
