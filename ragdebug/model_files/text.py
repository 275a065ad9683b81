"""Text as a tokenizer takes it."""

from __future__ import annotations


def well_formed(text: str) -> str:
    """The text with every lone surrogate, which no tokenizer takes, as U+FFFD; same length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, without a tokenizer: one for four letters of ASCII.

    Of other scripts most letters are tokens of their own, so nearly all are counted.
    """
    plain = len(text.encode("ascii", "ignore"))
    return -(-plain // 4) + round(0.8 * (len(text) - plain))
