"""Which language a text is in."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

# Below this the classifier, whose confidence is calibrated, is more often wrong than useful.
MIN_CONFIDENCE = 0.5
MIN_LETTERS = 12
SAMPLE_CHARS = 3000

# A Chinese, Japanese or Korean character says as much as about three letters.
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_ADDRESSES = re.compile(r"(?:https?://|www\.)\S{1,500}|\S{1,100}@\S{1,100}")
_CODE_MARKS = re.compile(r"[{}\[\]();=<>|\\/_$#@&*+]|->|::")
_NORWEGIAN = {"nb": "no", "nn": "no"}


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
    sample = _ADDRESSES.sub(" ", _sample(text))
    letters = sum(map(str.isalpha, sample)) + 2 * len(_DENSE.findall(sample))
    if letters < MIN_LETTERS or _looks_like_code(sample, letters):
        return "", 0.0
    code, confidence = _identifier().classify(sample)
    code = _NORWEGIAN.get(code, code)
    if confidence < MIN_CONFIDENCE or len(code) != 2:
        return "", float(confidence)
    return code, float(confidence)


def _sample(text: str) -> str:
    """Start, middle and end, since a manual may open with pages of another language."""
    if len(text) <= SAMPLE_CHARS:
        return text
    part = SAMPLE_CHARS // 3
    middle = len(text) // 2
    return " ".join((text[:part], text[middle : middle + part], text[-part:]))


def _looks_like_code(sample: str, letters: int) -> bool:
    marks = len(_CODE_MARKS.findall(sample))
    return marks * 10 > letters
