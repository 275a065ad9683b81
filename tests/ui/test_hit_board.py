"""What a board of hits sends to the browser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.ui.components.hit_board import Card, Column, Standing, _event, payload, score, snippet


def test_marks_are_those_of_the_snippet_in_utf16() -> None:
    text = "😀 " * 300 + "needle 😀 end"
    at = text.index("needle")
    card = Card("c", 1, 0.5, "cosine", "a.md", text, terms=[(at, at + 6)])
    sent = payload([Column("vector", "Vector", [card])], ("", ""), None, settings=False)
    drawn = sent["columns"][0]["cards"][0]
    [[start, end, kind]] = drawn["marks"]
    encoded = drawn["text"].encode("utf-16-le")
    assert encoded[2 * start : 2 * end].decode("utf-16-le") == "needle"
    assert kind == "term"
    assert drawn["before"] is True
    assert drawn["after"] is False


def test_a_card_keeps_what_it_was_given() -> None:
    card = Card(
        "c",
        3,
        7.4123,
        "bm25",
        "a.md",
        "text",
        movement=-2,
        elsewhere=[Standing("vector", "Vector", None, "not among 50")],
    )
    drawn = payload([Column("bm25", "BM25", [card])], ("bm25", "c"), 400, settings=True)
    sent = drawn["columns"][0]["cards"][0]
    assert (sent["rank"], sent["score"], sent["movement"]) == (3, "7.412", -2)
    assert sent["passage"] == "c"
    assert sent["elsewhere"] == [
        {"title": "Vector", "rank": None, "note": "not among 50", "colour": 0}
    ]
    assert (drawn["selected"], drawn["height"], drawn["settings"]) == (["bm25", "c"], 400, True)


def test_a_list_has_the_colour_of_its_preset_wherever_it_stands() -> None:
    columns = [Column("bm25", "BM25"), Column("mine", "Mine"), Column("x", "X", colour=5)]
    sent = payload(columns, ("", ""), None, settings=False)
    assert [c["colour"] for c in sent["columns"]] == [1, 1, 5]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (23.4149, "23.41"),
        (0.61234, "0.612"),
        (0.03252, "0.0325"),
        (-0.5, "-0.500"),
        (0, "0.0000"),
        (0.0000123, "1.23e-05"),
    ],
)
def test_scores_have_as_many_digits_as_tell_neighbours_apart(value: float, shown: str) -> None:
    assert score(value) == shown


@given(
    st.text(alphabet="ab \n😀", max_size=900),
    st.lists(st.tuples(st.integers(0, 900), st.integers(1, 30)), max_size=6),
)
def test_a_snippet_is_inside_the_text_and_not_much_longer_than_asked(
    text: str, lengths: list[tuple[int, int]]
) -> None:
    marks = [(a, min(a + n, len(text))) for a, n in lengths if a < len(text)]
    start, end = snippet(text, marks, size=200)
    assert 0 <= start <= end <= len(text)
    assert end - start <= 240
    if marks:
        assert any(a < end and b > start for a, b in marks)


def test_a_snippet_shows_the_part_with_most_marks_and_whole_words() -> None:
    text = "one " * 100 + "needle needle " + "two " * 100
    at = text.index("needle")
    start, end = snippet(text, [(0, 3), (at, at + 6), (at + 7, at + 13)], size=80)
    assert start <= at
    assert end >= at + 13
    assert text[start - 1].isspace()
    assert text[end].isspace()


@pytest.mark.parametrize(
    "value",
    [None, "x", {"column": "other", "card": "c"}, {"column": "bm25", "card": "z"}, {"card": "c"}],
)
def test_an_event_about_something_that_is_not_shown_is_left_out(value: object) -> None:
    assert _event("picked", value, {"bm25": {"c"}}) is None


def test_an_event_names_column_and_card() -> None:
    event = _event("picked", {"column": "bm25", "card": "c"}, {"bm25": {"c"}})
    assert event is not None
    assert (event.column, event.card) == ("bm25", "c")
