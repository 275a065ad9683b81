"""What counts as the same text."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.pieces import folds
from ragdebug.pieces.folds import folded


def plain(text: str) -> str:
    return "".join(map(chr, folded(text).codes))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a \t\r\n b", "a b"),
        ("a\u00a0\u3000b", "a b"),
        ("a\u200b \u200bb", "a b"),
        ("Groß\u00adhändler\ufeff", "Großhändler"),
        ("\u201eso\u201c \u2013 \u2019s\u2026", '"so" - \'s...'),
        ("ﬁx oﬄine", "fix offline"),
        ("ＡＢ（１）", "AB(1)"),
        ("e\u0301\u212b", "\u00e9\u00c5"),
        ("\u1112\u1161\u11ab", "\ud55c"),
        ("q\u0323\u0307 q\u0307\u0323", "q\u0323\u0307 q\u0323\u0307"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\U0001f469"),
        ("ﬁ\u0301", "fi\u0301"),
        ("x\x00y\x07z", "xyz"),
    ],
)
def test_folding(text: str, same: str) -> None:
    assert plain(text) == same


def test_letters_know_where_they_stand() -> None:
    view = folded("e\u0301\u00ad \n\u2026ﬁ")
    assert plain("e\u0301\u00ad \n\u2026ﬁ") == "é ...fi"
    assert view.starts.tolist() == [0, 3, 5, 5, 5, 6, 6]
    assert view.ends.tolist() == [2, 5, 6, 6, 6, 7, 7]
    assert view.loose.tolist() == [False, True, False, False, False, False, False]


def test_without_blanks_it_is_known_where_they_were() -> None:
    view = folded("a b\nc\td\u00a0e  f").without_blanks()
    assert "".join(map(chr, view.codes)) == "abcdef"
    assert view.tight is not None
    assert view.tight.tolist() == [False, True, False, False, False, True]
    assert view.loose.tolist() == [False, False, True, True, True, False]


@given(st.text(max_size=40))
def test_folding_twice_is_folding_once_and_each_letter_covers_its_source(text: str) -> None:
    view = folded(text)
    assert plain(plain(text)) == plain(text)
    assert (np.diff(view.starts) >= 0).all()
    assert (view.starts < view.ends).all()
    assert (view.starts[1:] >= view.ends[:-1]).sum() + (
        view.starts[1:] == view.starts[:-1]
    ).sum() == max(0, len(view.codes) - 1)


@given(st.text(max_size=40))
def test_composed_or_not_is_the_same(text: str) -> None:
    assert plain(unicodedata.normalize("NFD", text)) == plain(unicodedata.normalize("NFC", text))


@given(st.text(st.sampled_from("ab \n\u200b\u0301é\u1161\u1112ﬁ…\U0001f600"), max_size=60))
def test_folding_in_parts_is_folding_at_once(text: str) -> None:
    at_once = folded(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folds, "_PART", 2)
        in_parts = folded(text)
    for name in ("codes", "starts", "ends", "loose"):
        assert getattr(in_parts, name).tolist() == getattr(at_once, name).tolist()
