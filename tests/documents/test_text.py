from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.canonical import normalise
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.text import parse_text, plain_blocks
from ragdebug.errors import DocumentError, EmptyDocument
from ragdebug.records import ParsedDocument

Read = Callable[..., Any]


def sections(doc: ParsedDocument) -> list[tuple[int, str]]:
    return [(s.level, s.title) for s in doc.sections]


def blocks(doc: ParsedDocument) -> list[tuple[str, str]]:
    return [(b.kind, doc.text[b.start : b.end]) for b in doc.blocks]


def test_nul_goes_before_positions_are_counted(read: Read) -> None:
    doc = read(parse_text, "Sal\0t\r\n\r\nand pep\0per\r\n", "spices.txt")
    assert doc.text == "Salt\n\nand pepper\n"
    assert blocks(doc) == [("paragraph", "Salt"), ("paragraph", "and pepper")]


def test_a_wrapped_paragraph_stays_whole_and_unwrapped_lines_do_not(read: Read) -> None:
    wrapped = "A line that was\nwrapped by hand.\nAnd goes on."
    assert blocks(read(parse_text, wrapped, "a.txt")) == [("paragraph", wrapped)]
    long = "This line is as long as a paragraph. " * 8
    unwrapped = f"{long.strip()}\n{long.strip()}\nshort"
    assert len(read(parse_text, unwrapped, "a.txt").blocks) == 3


def test_list_items_are_blocks_of_their_own(read: Read) -> None:
    doc = read(
        parse_text, "Take:\n- a rope\n- an oar\n  of ash\n\n1. first\n2) second\n(a) x\n", "a.txt"
    )
    assert blocks(doc) == [
        ("paragraph", "Take:"),
        ("list_item", "- a rope"),
        ("list_item", "- an oar\n  of ash"),
        ("list_item", "1. first"),
        ("list_item", "2) second"),
        ("list_item", "(a) x"),
    ]


# Legal texts --------------------------------------------------------------------------------------


def test_articles_and_chapters_become_a_tree(read: Read) -> None:
    doc = read(
        parse_text,
        "Statute of the ferry\n\nChapter I General\n\nArticle 1 Name\n\nThe ferry is Kite.\n\n"
        "Article 2\n(1) It sails daily.\n(2) Not in fog.\n\nChapter II Fares\n\n"
        "Article 3 - Payment\nPay on board.\n",
        "statute.txt",
    )
    assert sections(doc) == [
        (1, "Chapter I General"),
        (2, "Article 1 Name"),
        (2, "Article 2"),
        (1, "Chapter II Fares"),
        (2, "Article 3 - Payment"),
    ]
    assert doc.sections[0].end == doc.sections[3].start
    assert ("heading", "Article 3 - Payment") in blocks(doc)
    assert ("list_item", "(2) Not in fog.") in blocks(doc)
    assert doc.title == ""


def test_german_paragraph_signs_are_articles(read: Read) -> None:
    doc = read(parse_text, "§ 1 Geltung\n\nEs gilt.\n\n§ 12a\n\nEs gilt nicht.\n", "agb.txt")
    assert sections(doc) == [(1, "§ 1 Geltung"), (1, "§ 12a")]


def test_articles_without_blank_lines_between_them_are_found(read: Read) -> None:
    doc = read(parse_text, "Article 1 Name\nIt is Kite.\nArticle 2 Seat\nThe pier.\n", "a.txt")
    assert sections(doc) == [(1, "Article 1 Name"), (1, "Article 2 Seat")]


def test_an_article_whose_text_runs_on_names_its_section_and_stays_whole(read: Read) -> None:
    text = "Article 7. The keeper lights the lamp at dusk, and puts it out at dawn, every day.\n"
    doc = read(parse_text, text, "a.txt")
    assert sections(doc) == [(1, "Article 7")]
    assert blocks(doc) == [("paragraph", text.strip())]
    assert doc.sections[0].body == 0


@pytest.mark.parametrize(
    "text",
    [
        "Section 3 of the act says that boats must be lit.",
        "article 5 is about oars",
        "See also\nArticle 3 of the treaty, which says so.",
        "Part of the crew was asleep.",
        "Article 4 ........ 17",
        "Rule I think about often",
    ],
)
def test_sentences_about_articles_are_not_articles(read: Read, text: str) -> None:
    assert read(parse_text, text, "a.txt").sections == ()


# Numbered headings --------------------------------------------------------------------------------


def test_numbered_headings_become_a_tree(read: Read) -> None:
    doc = read(
        parse_text,
        "1 Start\n\nText.\n\n1.1 Boat\n\nText.\n\n1.1.1 Hull\nWood.\n\n"
        "1.2 Sail\n\nText.\n\n2. Stop\n\nX.\n",
        "a.txt",
    )
    assert sections(doc) == [
        (1, "1 Start"),
        (2, "1.1 Boat"),
        (3, "1.1.1 Hull"),
        (2, "1.2 Sail"),
        (1, "2. Stop"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1. Take the rope.\n2. Pull it.\n3. Let go.\n",
        "Before\n\n10.2.1 was released in May.\n",
        "1.1 Boats ........ 12\n1.2 Sails ........ 15\n",
        "7 Dwarfs\n\nlived there.\n",
        "1.5 kg of rope\n\n2.5 kg of sail\n",
        "3.30 pm on the pier",
    ],
)
def test_lists_versions_contents_and_amounts_are_no_headings(read: Read, text: str) -> None:
    assert read(parse_text, text, "a.txt").sections == ()


def test_a_title_may_end_with_a_dot_and_a_sentence_is_no_title(read: Read) -> None:
    text = (
        "1. Definitions.\n\nX.\n\n2. Keeping Boats Dry In The Long And Dark Winter.\n\nX.\n\n"
        "3. The keeper of the boat pays for the winter.\n\nX.\n"
    )
    assert [t for _, t in sections(read(parse_text, text, "a.txt"))] == [
        "1. Definitions.",
        "2. Keeping Boats Dry In The Long And Dark Winter.",
    ]


def test_numbers_have_to_go_on(read: Read) -> None:
    text = "1.1 Boats\n\nText.\n\n1.2 Sails\n\nText.\n\n0.9 Not this\n\nX.\n\n9.4 Nor this\n\nX.\n"
    assert sections(read(parse_text, text, "a.txt")) == [(1, "1.1 Boats"), (1, "1.2 Sails")]


# Underlined titles --------------------------------------------------------------------------------


def test_underlined_titles_are_levels_in_the_order_of_their_marks(read: Read) -> None:
    doc = read(
        parse_text,
        "====\nKite\n====\n\nHull\n----\n\nWood.\n\nSail\n----\n\nCloth.\n\nColour\n~~~~~~\n\nRed.\n",
        "a.rst",
    )
    assert sections(doc) == [(1, "Kite"), (2, "Hull"), (2, "Sail"), (3, "Colour")]
    assert doc.title == "Kite"
    assert blocks(doc)[0] == ("heading", "====\nKite\n====")


def test_rows_of_marks_under_nothing_or_under_too_much_are_no_underlines(read: Read) -> None:
    for text in (
        "----\n\nText.\n",
        "A long line of a table\n---\n",
        "Name  Age\n----  ---\nKim   4\n",
    ):
        assert read(parse_text, text, "a.txt").sections == ()


# Size and hostility -------------------------------------------------------------------------------


def test_work_grows_with_the_text(calls: Callable[[Callable[[], object]], int]) -> None:
    part = "Article 1 X\n\ntext\nmore\n\n- a\n- b\n\n1.1 T\n\nTitle\n=====\n\n\n"

    def work(times: int) -> int:
        data = (part * times).encode()
        return calls(lambda: parse_text(data, "a.txt", ParseOptions(), Limits()))

    assert work(200) < 2.2 * work(100)


def test_an_empty_file_is_refused_by_name(read: Read) -> None:
    with pytest.raises(EmptyDocument, match=r"void\.txt"):
        read(parse_text, "\n \n", "void.txt")


def test_a_record_has_paragraphs_and_no_sections() -> None:
    text = "Article 1 X\n\n- a\n- b"
    assert [(b.kind, text[b.start : b.end]) for b in plain_blocks(text)] == [
        ("paragraph", "Article 1 X"),
        ("list_item", "- a"),
        ("list_item", "- b"),
    ]


PIECES = st.sampled_from(
    [
        "Article 1",
        "§ 2",
        "Chapter I",
        "1.1 Word",
        "2 Word",
        ". ",
        "====",
        "----",
        "\n",
        "\n\n",
        "- ",
    ]
    + ["word", " ", "\t", "Word.", "\f", "\u2028", "---\n", "a: b\n", ";\n"]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_keeps_its_text_and_its_spans(read: Read, source: str) -> None:
    if normalise(source).strip():
        assert read(parse_text, source, "a.txt").text == normalise(source)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(read: Read, data: bytes) -> None:
    try:
        read(parse_text, data, "a.txt")
    except DocumentError as e:
        assert "a.txt" in e.message
