from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.structure import (
    Heading,
    Lines,
    fill_gaps,
    paragraphs,
    section_tree,
    trim,
)
from ragdebug.records import Block, Span

TEXTS = st.text(st.sampled_from("ab \t\n\u3000\f"), max_size=60)


def test_lines_are_found_with_and_without_a_last_line_end() -> None:
    assert [Lines("a\nbc\n").line(i) for i in range(2)] == ["a", "bc"]
    assert len(Lines("a\nbc\n")) == len(Lines("a\nbc")) == 2
    assert len(Lines("")) == 1
    assert Lines("a\nbc").at(3) == 1


def test_only_a_line_feed_ends_a_line() -> None:
    assert len(Lines("a\u2028b\x0bc\x85d")) == 1


def test_sections_end_at_the_next_heading_of_their_level_or_above() -> None:
    headings = [Heading(0, 2, 1, "A"), Heading(10, 12, 3, "B"), Heading(20, 22, 2, "C")]
    headings.append(Heading(30, 32, 1, "D"))
    spans = [(s.title, s.start, s.end) for s in section_tree(headings, 40)]
    assert spans == [("A", 0, 30), ("B", 10, 20), ("C", 20, 30), ("D", 30, 40)]


def test_gaps_become_paragraphs() -> None:
    text = "one\n\ntwo\n\n  three  \n"
    blocks = fill_gaps(text, [Block("heading", 5, 8)])
    assert [(b.kind, text[b.start : b.end]) for b in blocks] == [
        ("paragraph", "one"),
        ("heading", "two"),
        ("paragraph", "three"),
    ]


@given(TEXTS)
def test_paragraphs_hold_all_that_is_not_blank(text: str) -> None:
    spans = list(paragraphs(text, 0, len(text)))
    kept = "".join(text[s.start : s.end] for s in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert all("\n\n" not in text[s.start : s.end] for s in spans)


@given(TEXTS, st.data())
def test_trimming_leaves_the_stripped_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    span = trim(text, start, end)
    assert text[span.start : span.end] == text[start:end].strip()
    assert Span(start, end).overlap(span) == len(span)


@given(st.lists(st.integers(1, 6), max_size=12))
def test_sections_of_any_levels_nest(levels: list[int]) -> None:
    headings = [Heading(i * 5, i * 5 + 2, level, "x") for i, level in enumerate(levels)]
    sections = section_tree(headings, len(levels) * 5)
    for i, outer in enumerate(sections):
        for inner in sections[i + 1 :]:
            assert inner.start >= outer.end or (
                inner.end <= outer.end and inner.level > outer.level
            )
