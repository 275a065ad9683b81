"""Paragraphs, lists, running heads, headings by type, and the outline."""

from __future__ import annotations

import pytest

from ragdebug.documents.pdf import parse_pdf

BODY = (
    "The river is wide here and the water runs slowly past the old mill, so that",
    "boats can be moored along the bank for most of the year without any trouble.",
)


def kinds(parsed):
    return [(b.kind, parsed.text[b.start : b.end]) for b in parsed.blocks]


def titles(parsed):
    return [(s.level, s.title) for s in parsed.sections]


def test_a_gap_between_lines_starts_a_paragraph(pdfs):
    parsed = parse_pdf(pdfs.draw(pdfs.lines(*BODY, "", *BODY)), "gap.pdf")
    whole = "\n".join(BODY)
    assert parsed.text == f"{whole}\n\n{whole}"
    assert kinds(parsed) == [("paragraph", whole)] * 2


def test_an_indented_first_line_starts_a_paragraph(pdfs):
    def page(canvas):
        for i, text in enumerate(BODY * 3):
            canvas.drawString(72 if i % 2 else 92, 700 - 14 * i, text)

    parsed = parse_pdf(pdfs.draw(page), "indent.pdf")
    assert [text for _, text in kinds(parsed)] == ["\n".join(BODY)] * 3


def test_a_hanging_indent_does_not(pdfs):
    def page(canvas):
        canvas.drawString(72, 700, "First the term is named here, and a full stop ends the line.")
        canvas.drawString(92, 686, "then the text of the entry goes on, further in,")
        canvas.drawString(92, 672, "for two lines more.")

    assert len(parse_pdf(pdfs.draw(page), "hanging.pdf").blocks) == 1


def test_a_paragraph_runs_on_over_the_page(pdfs):
    first = pdfs.lines(
        "On this page a sentence begins that finds no", "end before the page does and"
    )
    second = pdfs.lines("so goes on over here.", "", "A new one.")
    parsed = parse_pdf(pdfs.draw(first, second), "on.pdf")
    assert [text for _, text in kinds(parsed)][1] == "A new one."
    assert len(parsed.blocks) == 2
    assert parsed.pages[1].start == parsed.text.index("so goes on")
    assert parsed.text[parsed.pages[0].start : parsed.pages[0].end].endswith("does and\n")


def test_bullets_and_numbers_are_list_items(pdfs):
    parsed = parse_pdf(
        pdfs.draw(
            pdfs.lines(
                "Bring these things:",
                "\u2022 a lamp that works in the rain",
                "and its spare parts",
                "\u2022 a rope",
                "",
                "1. Untie the boat.",
                "2. Push it off.",
            )
        ),
        "list.pdf",
    )
    assert kinds(parsed) == [
        ("paragraph", "Bring these things:"),
        ("list_item", "\u2022 a lamp that works in the rain\nand its spare parts"),
        ("list_item", "\u2022 a rope"),
        ("list_item", "1. Untie the boat."),
        ("list_item", "2. Push it off."),
    ]


def test_running_heads_stay_and_are_told_once(pdfs):
    def page(number):
        def draw(canvas):
            canvas.drawString(72, 800, "Handbook of the ferry line")
            for i, text in enumerate(BODY * 4):
                canvas.drawString(72, 760 - 14 * i, text)
            canvas.drawString(300, 40, str(number))

        return draw

    parsed = parse_pdf(pdfs.draw(*[page(n) for n in range(9, 13)]), "heads.pdf")
    (warning,) = parsed.warnings
    assert warning.code == "repeated_lines"
    assert "\u201cHandbook of the ferry line\u201d on 4 pages" in warning.message
    assert "\u201c9\u201d on 4 pages" in warning.message
    assert parsed.text.count("Handbook of the ferry line") == 4


def sized(canvas, y, text, size=11.0, font="Helvetica"):
    canvas.setFont(font, size)
    canvas.drawString(72, y, text)


def test_headings_by_size_and_weight(pdfs):
    def page(canvas):
        sized(canvas, 780, "Ferry handbook", 24)
        sized(canvas, 740, "Tickets", 16)
        for i, text in enumerate(BODY):
            sized(canvas, 710 - 14 * i, text)
        sized(canvas, 660, "Refunds", 11, "Helvetica-Bold")
        for i, text in enumerate(BODY * 4):
            sized(canvas, 630 - 14 * i, text)
        sized(canvas, 490, "Boats", 16)
        for i, text in enumerate(BODY * 4):
            sized(canvas, 460 - 14 * i, text)

    parsed = parse_pdf(pdfs.draw(page), "type.pdf")
    assert parsed.title == "Ferry handbook"
    assert titles(parsed) == [
        (1, "Ferry handbook"),
        (2, "Tickets"),
        (3, "Refunds"),
        (2, "Boats"),
    ]
    for section in parsed.sections:
        assert parsed.text[section.start : section.body] == section.title + "\n"
    top, tickets, refunds, boats = parsed.sections
    assert top.end == boats.end == len(parsed.text)
    assert tickets.end == refunds.end == boats.start
    assert [b.level for b in parsed.blocks if b.kind == "heading"] == [1, 2, 3, 2]


def test_type_that_is_scaled_counts_as_it_is_seen(pdfs):
    def page(canvas):
        canvas.saveState()
        canvas.scale(2, 2)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(36, 380, "Seen at twenty")
        canvas.restoreState()
        for i, text in enumerate(BODY * 2):
            sized(canvas, 720 - 14 * i, text, 11)

    assert titles(parse_pdf(pdfs.draw(page), "scaled.pdf")) == [(1, "Seen at twenty")]


def test_a_page_all_in_bold_has_no_headings(pdfs):
    def page(canvas):
        for i in range(10):
            sized(canvas, 760 - 40 * i, f"Bold line number {i} of the list", 11, "Helvetica-Bold")

    assert parse_pdf(pdfs.draw(page), "bold.pdf").sections == ()


def test_the_outline_decides_where_there_is_one(pdfs):
    def first(canvas):
        canvas.drawString(72, 780, "Contents 1 Tickets 2 Boats")
        canvas.drawString(72, 700, "1 Tickets")
        for i, text in enumerate(BODY):
            canvas.drawString(72, 670 - 14 * i, text)
        canvas.drawString(72, 600, "Refunds and")
        canvas.drawString(72, 586, "exchanges")
        for i, text in enumerate(BODY):
            canvas.drawString(72, 550 - 14 * i, text)
        canvas.bookmarkHorizontal("tickets", 0, 712)
        canvas.addOutlineEntry("Tickets", "tickets", 0)
        canvas.bookmarkHorizontal("refunds", 0, 612)
        canvas.addOutlineEntry("Refunds and exchanges", "refunds", 1)

    def second(canvas):
        for i, text in enumerate(BODY):
            canvas.drawString(72, 760 - 14 * i, text)
        canvas.drawString(72, 700, "More about boats follows.")
        canvas.drawString(72, 660, "And more about the pier.")
        canvas.bookmarkPage("boats")
        canvas.addOutlineEntry("Boats in general", "boats", 0)
        canvas.bookmarkHorizontal("pier", 0, 672)
        canvas.addOutlineEntry("A pier of wood", "pier", 1)

    parsed = parse_pdf(pdfs.draw(first, second), "outline.pdf")
    text = parsed.text
    assert titles(parsed) == [
        (1, "Tickets"),
        (2, "Refunds and exchanges"),
        (1, "Boats in general"),
        (2, "A pier of wood"),
    ]
    tickets, refunds, boats, pier = parsed.sections
    assert text[tickets.start : tickets.body] == "1 Tickets\n"
    assert text[refunds.start : refunds.body] == "Refunds and\nexchanges\n"
    assert boats.start == boats.body == parsed.pages[1].start
    assert pier.start == pier.body == text.index("And more about the pier")
    assert tickets.end == boats.start
    assert [k for k, _ in kinds(parsed)][:4] == ["paragraph", "heading", "paragraph", "heading"]


def test_an_outline_on_the_same_words_twice_takes_the_place_it_names(pdfs):
    def page(canvas):
        canvas.drawString(72, 780, "Refunds")
        canvas.drawString(72, 740, "Rules for boats are short.")
        canvas.drawString(72, 600, "Refunds")
        canvas.drawString(72, 560, "Rules for trains are long.")
        canvas.bookmarkHorizontal("b", 0, 611)
        canvas.addOutlineEntry("Refunds", "b", 0)
        canvas.addOutlineEntry("Refunds", "b", 0)

    parsed = parse_pdf(pdfs.draw(page), "twice.pdf")
    assert parsed.sections[-1].start == parsed.text.rindex("Refunds")


@pytest.mark.parametrize("entries", [0, 1])
def test_an_outline_of_one_entry_gives_way_to_headings_by_type(pdfs, entries):
    def page(canvas):
        sized(canvas, 780, "Tickets", 16)
        for i, text in enumerate(BODY * 2):
            sized(canvas, 750 - 14 * i, text)
        sized(canvas, 660, "Boats", 16)
        for i, text in enumerate(BODY * 2):
            sized(canvas, 630 - 14 * i, text)
        if entries:
            canvas.bookmarkPage("all")
            canvas.addOutlineEntry("scan0001", "all", 0)

    assert titles(parse_pdf(pdfs.draw(page), "one.pdf")) == [(1, "Tickets"), (1, "Boats")]


def test_an_outline_that_goes_round_in_circles_ends(pdfs):
    data = pdfs.objects(
        [
            b"<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>"
            b"/Contents 4 0 R>>",
            pdfs.stream(b"BT /F1 12 Tf 72 700 Td (Words of a page) Tj ET"),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            b"<</First 7 0 R/Last 8 0 R/Count 2>>",
            b"<</Title(One)/Parent 6 0 R/Next 8 0 R/First 7 0 R/Dest[3 0 R/Fit]>>",
            b"<</Title(Two)/Parent 6 0 R/Next 7 0 R/Dest[3 0 R/XYZ null null null]>>",
        ]
    )
    parsed = parse_pdf(data, "circle.pdf")
    assert [s.title for s in parsed.sections] == ["One", "Two"]
