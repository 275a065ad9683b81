"""Headings, lists and tables of a DOCX."""

from __future__ import annotations

import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement, parse_xml

from ragdebug.documents.docx import parse_docx
from ragdebug.documents.docx_numbering import Numbering, write_number
from ragdebug.documents.docx_styles import Style, Styles


def kinds(parsed):
    return [(b.kind, b.level, parsed.text[b.start : b.end]) for b in parsed.blocks]


def titles(parsed):
    return [(s.level, s.title) for s in parsed.sections]


def test_headings_make_sections_and_the_title_style_the_title(docxs):
    data = docxs.made(
        lambda d: d.add_heading("Ferry handbook", 0),
        lambda d: d.add_paragraph("Welcome."),
        lambda d: d.add_heading("Tickets", 1),
        lambda d: d.add_heading("Refunds", 2),
        lambda d: d.add_paragraph("Within ten days."),
        lambda d: d.add_heading("Boats", 1),
    )
    parsed = parse_docx(data, "handbook.docx")
    assert parsed.title == "Ferry handbook"
    assert titles(parsed) == [(1, "Tickets"), (2, "Refunds"), (1, "Boats")]
    tickets, refunds, boats = parsed.sections
    assert parsed.text[refunds.start : refunds.body] == "Refunds\n"
    assert parsed.text[refunds.body : refunds.end].strip() == "Within ten days."
    assert tickets.end == refunds.end == boats.start
    assert boats.end == boats.body == len(parsed.text)
    assert [k for k, _, _ in kinds(parsed)] == [
        "heading",
        "paragraph",
        "heading",
        "heading",
        "paragraph",
        "heading",
    ]


def test_without_title_and_property_the_highest_heading_is_the_title(docxs):
    data = docxs.made(lambda d: d.add_heading("Small", 3), lambda d: d.add_heading("Large", 1))
    assert parse_docx(data, "x.docx").title == "Large"


def test_styles_based_on_a_heading_and_outline_levels_are_headings(docxs):
    def build(document):
        own = document.styles.add_style("Chapter of ours", WD_STYLE_TYPE.PARAGRAPH)
        own.base_style = document.styles["Heading 2"]
        document.add_paragraph("By its base", style=own)
        leveled = document.add_paragraph("By its level")
        level = OxmlElement("w:outlineLvl")
        level.set(qn("w:val"), "2")
        leveled._p.get_or_add_pPr().append(level)

    assert titles(parse_docx(docxs.made(build), "x.docx")) == [
        (2, "By its base"),
        (3, "By its level"),
    ]


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("heading 1", 1),
        ("Heading 3", 3),
        ("\u00dcberschrift 2", 2),
        ("Titre 4", 4),
        ("T\u00edtulo 1", 1),
        ("\u0417\u0430\u0433\u043e\u043b\u043e\u0432\u043e\u043a 2", 2),
        ("Heading for tables", 0),
        ("Body Text", 0),
    ],
)
def test_names_of_heading_styles_in_other_languages(docxs, name, level):
    root = _xml(
        docxs,
        f'<w:styles><w:style w:type="paragraph" w:styleId="S1"><w:name w:val="{name}"/></w:style>'
        "</w:styles>",
    )
    properties = _xml(docxs, '<w:pPr><w:pStyle w:val="S1"/></w:pPr>')
    assert Styles(root).of(properties).level == level


def test_a_style_that_is_based_on_itself_ends(docxs):
    root = _xml(
        docxs,
        '<w:styles><w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>',
    )
    assert Styles(root).of(_xml(docxs, '<w:pPr><w:pStyle w:val="A"/></w:pPr>')) == Style()


def test_an_outline_level_of_body_text_makes_a_heading_style_text(docxs):
    root = _xml(
        docxs,
        '<w:styles><w:style w:type="paragraph" w:styleId="A"><w:name w:val="heading 1"/>'
        "</w:style></w:styles>",
    )
    properties = _xml(docxs, '<w:pPr><w:pStyle w:val="A"/><w:outlineLvl w:val="9"/></w:pPr>')
    assert Styles(root).of(properties).level == 0


def _xml(docxs, text: str):
    name = text[1:].replace(">", " ", 1).split(" ", 1)[0]
    return parse_xml(text.replace(f"<{name}", f"<{name} {docxs.spaces}", 1))


def test_lists_carry_their_numbers_and_bullets(docxs):
    data = docxs.made(
        lambda d: d.add_paragraph("Bring:"),
        lambda d: d.add_paragraph("rope", style="List Bullet"),
        lambda d: d.add_paragraph("untie", style="List Number"),
        lambda d: d.add_paragraph("push", style="List Number"),
        lambda d: d.add_paragraph("Done."),
    )
    assert kinds(parse_docx(data, "list.docx")) == [
        ("paragraph", 0, "Bring:"),
        ("list_item", 1, "\u2022 rope"),
        ("list_item", 1, "1. untie"),
        ("list_item", 1, "2. push"),
        ("paragraph", 0, "Done."),
    ]
    assert "rope\n1. untie\n2. push\n\nDone." in parse_docx(data, "list.docx").text


def numbering(docxs) -> Numbering:
    def level(depth, kind, text, extra=""):
        return (
            f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>{extra}'
            f'<w:lvlText w:val="{text}"/></w:lvl>'
        )

    return Numbering(
        _xml(
            docxs,
            '<w:numbering><w:abstractNum w:abstractNumId="7">'
            + level(0, "upperRoman", "Article %1")
            + level(1, "decimal", "%1.%2", "<w:isLgl/>")
            + level(2, "lowerLetter", "(%3)")
            + level(3, "none", "")
            + "</w:abstractNum>"
            '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
            '<w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0">'
            '<w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>',
        )
    )


def test_numbers_are_written_as_the_list_says(docxs):
    counted = numbering(docxs)
    steps = [("1", 0), ("1", 1), ("1", 1), ("1", 2), ("1", 2), ("1", 0), ("1", 1), ("1", 3)]
    assert [counted.label(*step) for step in steps] == [
        "Article I",
        "1.1",
        "1.2",
        "(a)",
        "(b)",
        "Article II",
        "2.1",
        "",
    ]


def test_a_list_that_starts_again(docxs):
    counted = numbering(docxs)
    assert [counted.label("1", 0), counted.label("1", 0)] == ["Article I", "Article II"]
    assert [counted.label("2", 0), counted.label("2", 0)] == ["Article I", "Article II"]
    assert counted.label("99", 0) == "\u2022"


@pytest.mark.parametrize(
    ("number", "kind", "text"),
    [
        (4, "lowerRoman", "iv"),
        (1994, "upperRoman", "MCMXCIV"),
        (26, "lowerLetter", "z"),
        (28, "upperLetter", "BB"),
        (3, "decimalZero", "03"),
        (3, "unheardOf", "3"),
        (0, "lowerRoman", "0"),
    ],
)
def test_kinds_of_numbers(number, kind, text):
    assert write_number(number, kind) == text


def test_quotations_and_code_keep_their_kind(docxs):
    def build(document):
        document.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
        document.add_paragraph("He said so.", style="Quote")
        document.add_paragraph("x = 1", style="Source Code")
        document.add_paragraph("y = 2", style="Source Code")

    assert kinds(parse_docx(docxs.made(build), "x.docx")) == [
        ("quote", 0, "He said so."),
        ("code", 0, "x = 1\ny = 2"),
    ]


# Tables -------------------------------------------------------------------------------------------


def table(document, rows):
    made = document.add_table(len(rows), len(rows[0]))
    for i, row in enumerate(rows):
        for j, text in enumerate(row):
            made.cell(i, j).text = text
    return made


def test_tables_stand_between_their_paragraphs_with_rows_kept_together(docxs):
    def build(document):
        document.add_paragraph("Before the fares.")
        table(document, [("Route", "Fare"), ("Island", "Row seven"), ("Harbour", "Row eight")])
        document.add_paragraph("After the fares.")

    parsed = parse_docx(docxs.made(build), "table.docx")
    text = parsed.text
    assert text == (
        "Before the fares.\n\nRoute | Fare\nIsland | Row seven\nHarbour | Row eight\n\n"
        "After the fares."
    )
    block = parsed.blocks[1]
    assert block.kind == "table"
    assert [text[r.start : r.end] for r in block.rows] == [
        "Route | Fare",
        "Island | Row seven",
        "Harbour | Row eight",
    ]
    assert text[block.header.start : block.header.end] == "Route | Fare"


def test_merged_cells_count_once(docxs):
    def build(document):
        made = table(document, [("", "", ""), ("a", "b", "c"), ("", "d", "e")])
        made.cell(0, 0).merge(made.cell(0, 2)).text = "Over all three"
        made.cell(1, 0).merge(made.cell(2, 0)).text = "tall"

    parsed = parse_docx(docxs.made(build), "merged.docx")
    assert parsed.text == "Over all three\ntall | b | c\n| d | e"


def test_lines_in_a_cell_and_tables_in_a_cell_stay_on_their_row(docxs):
    def build(document):
        made = table(document, [("h1", "h2"), ("two\nlines", ""), ("x", "y")])
        made.cell(1, 0).add_paragraph("more")
        inner = made.cell(1, 1).add_table(2, 2)
        for i, text in enumerate(("n1", "n2", "n3", "")):
            inner.cell(i // 2, i % 2).text = text

    assert parse_docx(docxs.made(build), "cells.docx").text == (
        "h1 | h2\ntwo lines more | n1, n2; n3\nx | y"
    )


def test_a_table_of_one_column_is_a_frame_around_text(docxs):
    def build(document):
        cell = document.add_table(1, 1).cell(0, 0)
        cell.text = "Note well."
        cell.add_paragraph("Inside a heading", style="Heading 1")

    parsed = parse_docx(docxs.made(build), "frame.docx")
    assert parsed.text == "Note well.\n\nInside a heading"
    assert titles(parsed) == [(1, "Inside a heading")]


def test_header_rows_are_those_that_the_table_repeats(docxs):
    def row(text, properties=""):
        cells = "".join(f"<w:tc><w:p><w:r><w:t>{t}</w:t></w:r></w:p></w:tc>" for t in text)
        return f"<w:tr>{properties}{cells}</w:tr>"

    repeat = "<w:trPr><w:tblHeader/></w:trPr>"
    twice = docxs.raw(
        f"<w:tbl>{row('ab', repeat)}{row('cd', repeat)}{row('ef')}{row('gh', repeat)}</w:tbl>"
    )
    parsed = parse_docx(twice, "x.docx")
    header = parsed.blocks[0].header
    assert parsed.text[header.start : header.end] == "a | b\nc | d"
    none = docxs.raw(f"<w:tbl>{row('ab')}{row('cd')}</w:tbl>")
    assert parse_docx(none, "x.docx").blocks[0].header is None
    look = '<w:tblPr><w:tblLook w:val="04A0"/></w:tblPr>'
    one = docxs.raw(f"<w:tbl>{look}{row('ab')}{row('cd')}</w:tbl>")
    assert parse_docx(one, "x.docx").blocks[0].header is not None
