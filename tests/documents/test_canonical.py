from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.canonical import clean, normalise, one_line, storable


def test_line_ends_of_all_systems_become_one() -> None:
    assert normalise("a\r\nb\rc\nd\r\r\ne") == "a\nb\nc\nd\n\ne"


def test_byte_order_marks_and_nul_go_wherever_they_stand() -> None:
    assert normalise("\ufeffone\0\n\ufefftwo\0\0") == "one\ntwo"


def test_line_ends_of_unicode_are_text_and_stay() -> None:
    assert normalise("a\u2028b\u2029c\x85d\x0be\x0cf") == "a\u2028b\u2029c\x85d\x0be\x0cf"


def test_halves_of_surrogate_pairs_are_replaced_and_counted() -> None:
    assert storable("a\ud800b\udfffc") == ("a\ufffdb\ufffdc", 2)
    assert storable("plain") == ("plain", 0)
    assert storable("\U0001f600") == ("\U0001f600", 0)


def test_a_title_is_one_line_without_blanks_around_it() -> None:
    assert one_line("  My\0\n\t title\r\n ") == "My title"


@given(st.text(st.characters(exclude_categories=[])))
def test_clean_text_can_be_stored_and_stays_as_it_is(text: str) -> None:
    once = clean(text)
    once.encode("utf-8")
    assert clean(once) == once
    assert not {"\r", "\0", "\ufeff"} & set(once)
