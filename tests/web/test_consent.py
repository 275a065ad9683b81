"""What is said before anything is sent."""

from __future__ import annotations

import pytest

from ragdebug.web.consent import Sending


@pytest.mark.parametrize(
    ("what", "tokens", "price", "text"),
    [
        ("340 texts", 52_345, 0.02, "340 texts, about 52,000 tokens (counted with the tokenizer"
         " of m), about 0.001 at 0.02 per million"),
        ("1 text", 7, 0, "1 text, about 7 tokens (counted with the tokenizer of m)"),
        ("9 texts", 123_456_789, 0.13, "9 texts, about 120,000,000 tokens (counted with the"
         " tokenizer of m), about 16.05 at 0.13 per million"),
        ("1 text", 100, 0.02, "1 text, about 100 tokens (counted with the tokenizer of m),"
         " less than 0.0001 at 0.02 per million"),
    ],
)  # fmt: skip
def test_what_would_be_sent_is_said_in_round_numbers(
    what: str, tokens: int, price: float, text: str
) -> None:
    assert str(Sending(what, "a.org", tokens, "m", price)) == text
