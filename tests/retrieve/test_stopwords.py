from __future__ import annotations

import pytest

from ragdebug.retrieve.folding import fold
from ragdebug.retrieve.scan import pattern
from ragdebug.retrieve.stopwords import LANGUAGES, stop_words


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_list_is_folded_words_without_numbers(language: str) -> None:
    listed = stop_words(language)
    assert len(listed) > 80
    for word in listed:
        assert word == fold(word)
        assert pattern().fullmatch(word)
        assert not any(c.isdigit() for c in word)


@pytest.mark.parametrize(
    ("language", "dropped", "kept"),
    [
        ("en", "the is of and which", "not refund us"),
        ("de", "der die das und mit dass", "nicht kein rechnung"),
        ("fr", "le la les des et qui", "pas remboursement"),
        ("es", "el la los de y que", "no factura"),
        ("it", "il la gli di e che", "non fattura"),
        ("nl", "de het een van en", "niet rekening"),
        ("pt", "o a os de e que", "não fatura"),
        ("sv", "den det och som", "inte faktura"),
    ],
)
def test_function_words_are_dropped_and_negations_kept(
    language: str, dropped: str, kept: str
) -> None:
    assert set(dropped.split()) <= stop_words(language)
    assert not set(kept.split()) & stop_words(language)


def test_an_unknown_language_has_no_stop_words() -> None:
    assert stop_words("xx") == frozenset()
