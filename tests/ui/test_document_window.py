"""What of a document is sent, and where things stand in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragdebug.records import Page
from ragdebug.ui.components import document_window as window
from ragdebug.ui.components.document_view import marked_span
from ragdebug.ui.components.document_window import ChunkMark, Layers, View
from ragdebug.ui.offsets import Utf16Map


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


@given(st.text(alphabet="ab\n😀", min_size=1, max_size=400), st.integers(0, 400))
def test_the_window_holds_its_position_and_is_bounded(text: str, at: int) -> None:
    start, end = window.bounds(text, at, size=50)
    assert 0 <= start < end <= len(text)
    assert end - start <= 50
    if at < len(text):
        assert start <= at <= end


def test_a_window_starts_and_ends_with_whole_lines_where_they_are_short() -> None:
    text = "".join(f"line {i:04d}\n" for i in range(1000))
    start, end = window.bounds(text, 5000, size=1000)
    assert start > 0
    assert text[start - 1] == "\n"
    assert text[end - 1] == "\n"


def test_a_line_longer_than_the_window_is_cut() -> None:
    assert window.bounds("x" * 1000, 500, size=100) == (467, 567)


def test_everything_is_sent_in_units_of_the_whole_document() -> None:
    text = "😀 first\n" + "x" * 100 + "\n😀😀 needle 😀 end"
    at = text.index("needle")
    layers = Layers(
        chunks=[ChunkMark("a", 0, 20, 1), ChunkMark("b", at, len(text), 2, "note")],
        evidence=[(at, at + 6)],
        terms=[(at + 7, at + 8)],
        pages=[Page(1, 0, at), Page(2, at, len(text), "ii")],
        selected="b",
    )
    sent = window.payload(text, layers, View(token="t"))
    place = units(text[:at])
    assert sent["text"] == text
    assert sent["total"] == units(text)
    assert sent["chunks"][1] == ["b", place, units(text), 2, "note"]
    assert sent["evidence"] == [[place, place + 6]]
    assert sent["terms"] == [[place + 7, place + 9]]
    assert sent["pages"] == [[0, 1, ""], [place, 2, "ii"]]
    assert sent["selected"] == "b"


def test_only_what_touches_the_window_is_sent_and_the_page_it_starts_on() -> None:
    text = "word " * 40_000
    pages = [Page(i + 1, i * 1000, (i + 1) * 1000) for i in range(200)]
    chunks = [ChunkMark(str(i), i * 500, i * 500 + 499, i + 1) for i in range(400)]
    sent = window.payload(text, Layers(chunks=chunks, pages=pages), View(at=100_000))
    start = sent["base"]
    assert len(sent["text"]) <= window.WINDOW
    assert len(sent["chunks"]) < 90
    assert sent["chunkCount"] == 400
    assert sent["pages"][0][0] <= start < sent["pages"][0][0] + 1000


def test_chunks_are_counted_as_they_are_numbered() -> None:
    layers = Layers(chunks=[ChunkMark("b", 0, 2, 5), ChunkMark("c", 2, 4, 6)])
    assert window.payload("text", layers, View())["chunkCount"] == 6  # four stand nowhere


def test_find_ignores_case_and_kinds_of_blanks_and_keeps_offsets() -> None:
    text = "İstanbul Grand\u00a0Total, GRAND\ntotal; grand  total"
    found = window.find(text, " grand total ")
    assert [text[a:b] for a, b in found.tolist()] == [
        "Grand\u00a0Total",
        "GRAND\ntotal",
        "grand  total",
    ]


def test_find_takes_the_query_literally() -> None:
    assert window.find("a.c abc a.c", "a.c").tolist() == [[0, 3], [8, 11]]
    assert window.find("anything", "   ").shape == (0, 2)


def test_steps_go_round_and_start_at_the_reader() -> None:
    text = "x . x . x"
    view = View(query="x")
    window.step(view, text, 0, at=3)
    assert (view.match, view.goto) == (1, (4, 5))
    window.step(view, text, 1, at=0)
    window.step(view, text, 1, at=0)
    assert view.match == 0
    window.step(view, text, -1, at=0)
    assert view.match == 2
    view.query = "none"
    window.step(view, text, 1, at=0)
    assert view.match == -1


def test_each_order_to_scroll_is_a_new_one() -> None:
    view = View()
    view.scroll_to(3, 5)
    first = view.nonce
    view.scroll_to(3, 5)
    assert view.nonce == first + 1


def test_a_page_is_found_by_its_printed_label_before_its_number() -> None:
    pages = [Page(1, 0, 5, "i"), Page(2, 5, 9, "1"), Page(3, 9, 12, "2")]
    assert window.page_named(pages, " I ") == pages[0]
    assert window.page_named(pages, "1") == pages[1]
    assert window.page_named(pages, "3") == pages[2]
    assert window.page_named(pages, "9") is None
    assert window.page_at(pages, 5) == pages[1]
    assert window.page_at(pages, 4) == pages[0]


def test_a_marked_range_leaves_its_blank_ends_out() -> None:
    text = "a 😀 b\n\nc"
    assert marked_span(text, 0, units(text), Utf16Map(text)) == (0, len(text))
    assert marked_span(text, 1, 5, Utf16Map(text)) == (2, 3)
    assert marked_span(text, 3, 2, Utf16Map(text)) == (2, 3)
    assert marked_span(text, 6, 8, Utf16Map(text)) is None
