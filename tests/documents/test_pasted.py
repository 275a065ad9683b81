"""A pasted page: everything around it moves along, and nothing else changes."""

from __future__ import annotations

import pytest

from ragdebug.documents.pasted import MARK, PASTED, page_text, with_page
from ragdebug.errors import InvalidSetting
from ragdebug.records import Block, Page, ParsedDocument, ParseWarning, Section, Span

FIRST, SECOND, THIRD = "One\n\nA line.\n\n", "Two\n\ngarb1ed w0rds\n\n", "Three\n\n| a |\n| b |"
TEXT = FIRST + SECOND + THIRD
AT, LAST = len(FIRST), len(FIRST + SECOND)


def document() -> ParsedDocument:
    """Three pages, a section on each, a table on the last."""
    table = TEXT.index("| a")
    return ParsedDocument(
        text=TEXT,
        kind="pdf",
        parser="pdf/1",
        sections=(
            Section(0, AT, 1, "One", 4),
            Section(AT, LAST, 1, "Two", AT + 4),
            Section(LAST, len(TEXT), 1, "Three", LAST + 6),
        ),
        pages=(Page(1, 0, AT), Page(2, AT, LAST), Page(3, LAST, len(TEXT), "iii")),
        blocks=(
            Block("paragraph", AT + 5, LAST - 2),
            Block("table", table, len(TEXT), rows=(Span(table, table + 5),),
                  header=Span(table, table + 5)),
        ),
        warnings=(ParseWarning("no_text_layer", "none", 2), ParseWarning("no_text_layer", "no", 3)),
    )  # fmt: skip


@pytest.mark.parametrize("text", ["Two\n\ngarbled words, and more of them\n", "  short\r\n"])
def test_pages_sections_and_tables_stand_on_their_words(text: str) -> None:
    made = with_page(document(), 2, text)
    assert page_text(made, 2).strip() == text.replace("\r\n", "\n").strip()
    assert (page_text(made, 1), page_text(made, 3)) == (FIRST, THIRD)
    assert made.pages[2].label == "iii"
    titles = ["One", "Two", "Three"] if text.startswith("Two") else ["One", "Three"]
    assert [s.title for s in made.sections] == titles
    for one, after in zip(made.sections, [*made.sections[1:], None], strict=True):
        assert made.text.startswith(one.title, one.start)
        assert one.end == (after.start if after else len(made.text))
    (table,) = made.blocks
    assert made.text[table.start : table.end] == "| a |\n| b |"
    assert made.text[table.rows[0].start : table.rows[0].end] == "| a |"
    assert made.text[table.header.start : table.header.end] == "| a |"  # type: ignore[union-attr]
    assert made.parser == "pdf/1" + MARK
    assert [(w.code, w.page) for w in made.warnings] == [("no_text_layer", 3), (PASTED, 2)]


def test_a_page_without_text_is_parted_from_its_neighbours() -> None:
    empty = ParsedDocument(
        "One\n\nThree", "pdf", "pdf/1", pages=(Page(1, 0, 5), Page(2, 5, 5), Page(3, 5, 10))
    )
    made = with_page(empty, 2, "Two")
    assert made.text == "One\n\nTwo\n\nThree"
    assert [made.text[p.start : p.end].strip() for p in made.pages] == ["One", "Two", "Three"]


def test_the_same_text_again_changes_no_character() -> None:
    made = with_page(document(), 2, SECOND)
    assert made.text == TEXT
    assert made.sections == document().sections


def test_what_is_no_page_or_no_text_is_refused() -> None:
    for page, text in ((4, "words"), (2, " \n")):
        with pytest.raises(InvalidSetting):
            with_page(document(), page, text)
