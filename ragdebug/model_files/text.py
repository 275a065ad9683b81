"""Text as a tokenizer takes it."""

from __future__ import annotations


def well_formed(text: str) -> str:
    """The text with every lone surrogate, which no tokenizer takes, as U+FFFD; same length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text
