"""Pages of several columns, tables, and turned pages."""

from __future__ import annotations

import pytest

from ragdebug.documents.pdf import parse_pdf
from ragdebug.documents.pdf_columns import alternates, find_gutters, is_prose, reading_order
from ragdebug.documents.pdf_lines import Line

LEFT = (
    "The ferry leaves the pier at",
    "seven and comes back before",
    "noon, when the tide turns and",
    "the wind is still low.",
)
RIGHT = (
    "Bicycles travel free on every",
    "boat, as long as they are tied",
    "to the rail on the upper deck",
    "by their owners.",
)
READ = "\n".join(LEFT) + "\n\n" + "\n".join(RIGHT)


def by_rows(canvas):
    for i, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        canvas.drawString(60, 700 - 14 * i, left)
        canvas.drawString(300, 700 - 14 * i, right)


def by_columns(canvas):
    for x, column in ((60, LEFT), (300, RIGHT)):
        for i, line in enumerate(column):
            canvas.drawString(x, 700 - 14 * i, line)


def by_uneven_rows(canvas):
    for i, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        canvas.drawString(60, 700 - 14 * i, left)
        canvas.drawString(300, 695 - 14 * i, right)


@pytest.mark.parametrize("draw", [by_rows, by_columns, by_uneven_rows])
def test_columns_are_read_one_after_the_other_however_they_were_drawn(pdfs, draw):
    parsed = parse_pdf(pdfs.draw(draw), "two.pdf")
    assert parsed.text == READ
    assert parsed.warnings == ()
    assert [b.kind for b in parsed.blocks] == ["paragraph", "paragraph"]


def test_lines_across_both_columns_part_the_page_into_bands(pdfs):
    def page(canvas):
        canvas.drawCentredString(260, 760, "A heading over both of the columns of this page")
        by_rows(canvas)
        canvas.drawString(60, 620, "One line runs across the whole width of the page in between.")
        for i, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
            canvas.drawString(60, 590 - 14 * i, left.lower())
            canvas.drawString(300, 590 - 14 * i, right.lower())
        canvas.drawString(60, 60, "Ferry news")
        canvas.drawRightString(440, 60, "Page 7")

    text = parse_pdf(pdfs.draw(page), "bands.pdf").text
    parts = ("A heading over", *LEFT, *RIGHT, "One line runs")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    below = text[places[-1] :]  # the second band repeats the words in lower case
    parts = (*(part.lower() for part in (*LEFT, *RIGHT)), "Ferry news", "Page 7")
    places = [below.index(part) for part in parts]
    assert places == sorted(places)


def test_a_sentence_that_runs_on_in_the_next_column_is_one_paragraph(pdfs):
    left = (*LEFT[:3], "the wind is low and all of the")

    def page(canvas):
        for i, (a, b) in enumerate(zip(left, ("passengers are", *RIGHT[1:]), strict=True)):
            canvas.drawString(60, 700 - 14 * i, a)
            canvas.drawString(300, 700 - 14 * i, b)

    parsed = parse_pdf(pdfs.draw(page), "on.pdf")
    assert "low and all of the\npassengers are\nboat" in parsed.text
    assert len(parsed.blocks) == 1


def test_three_columns(pdfs):
    def page(canvas):
        for row in range(5):
            for column in range(3):
                words = (
                    f"c{column}r{row} some words in it" if row else f"c{column}r0 Starts all here"
                )
                canvas.drawString(50 + 170 * column, 700 - 14 * row, words)

    text = parse_pdf(pdfs.draw(page), "three.pdf").text
    places = [text.index(f"c{c}r{r}") for c in range(3) for r in range(5)]
    assert places == sorted(places)


def test_rows_of_a_table_stay_rows(pdfs):
    def page(canvas):
        for i in range(8):
            canvas.drawString(60, 700 - 16 * i, f"item{i}")
            canvas.drawString(220, 700 - 16 * i, f"size {i}")
            canvas.drawString(380, 700 - 16 * i, f"{i}.50")

    parsed = parse_pdf(pdfs.draw(page), "table.pdf")
    assert parsed.text.splitlines()[:2] == ["item0 size 0 0.50", "item1 size 1 1.50"]
    assert parsed.warnings == ()


def test_a_numbered_list_is_no_pair_of_columns(pdfs):
    def page(canvas):
        for i in range(8):
            canvas.drawString(60, 700 - 16 * i, f"{i + 1}.")
            canvas.drawString(90, 700 - 16 * i, f"and this is the text of item {i + 1} of the list")

    parsed = parse_pdf(pdfs.draw(page), "list.pdf")
    assert parsed.text.splitlines()[0] == "1. and this is the text of item 1 of the list"
    assert {b.kind for b in parsed.blocks} == {"list_item"}


def test_full_cells_that_could_be_columns_are_told(pdfs):
    def page(canvas):
        for i in range(6):
            canvas.drawString(60, 700 - 16 * i, f"Question {i} about the boat tickets")
            canvas.drawString(320, 700 - 16 * i, f"Answer {i} about the boat tickets")

    parsed = parse_pdf(pdfs.draw(page), "unsure.pdf")
    assert parsed.text.splitlines()[0] == (
        "Question 0 about the boat tickets Answer 0 about the boat tickets"
    )
    assert [(w.code, w.page) for w in parsed.warnings] == [("columns_suspected", 1)]


def test_cells_drawn_one_by_one_keep_their_order(pdfs):
    def page(canvas):
        for row in range(3):
            for column in range(2):
                for line in range(3):
                    y = 700 - 60 * row - 14 * line
                    words = f"row{row} cell{column} line{line} and some more"
                    canvas.drawString(60 + 240 * column, y, words)

    text = parse_pdf(pdfs.draw(page), "cells.pdf").text
    places = [
        text.index(f"row{r} cell{c} line{i}") for r in range(3) for c in (0, 1) for i in range(3)
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_columns_of_a_turned_page(pdfs, turn):
    def page(canvas):
        canvas.setPageRotation(turn)
        if turn == 90:
            canvas.translate(pdfs.width, 0)
            canvas.rotate(90)
        elif turn == 180:
            canvas.translate(pdfs.width, pdfs.height)
            canvas.rotate(180)
        else:
            canvas.translate(0, pdfs.height)
            canvas.rotate(270)
        canvas.translate(0, -200)
        by_rows(canvas)

    assert parse_pdf(pdfs.draw(page), "turned.pdf").text == READ


def test_text_that_runs_up_an_upright_page(pdfs):
    def page(canvas):
        canvas.translate(pdfs.width, 0)
        canvas.rotate(90)
        canvas.translate(0, -200)
        by_rows(canvas)

    assert parse_pdf(pdfs.draw(page), "lying.pdf").text == READ


# The parts, with boxes worked out by hand ---------------------------------------------------------


def line(x0, x1, top):
    return Line(0, 10, x0, x1, top - 10, top, size=10)


def test_a_gutter_is_where_few_lines_cross_and_more_stand_on_both_sides():
    rows = [[0, y, 99, y + 10] for y in range(0, 60, 12)]
    rows += [[120, y, 220, y + 10] for y in range(0, 60, 12)]
    (gutter,) = find_gutters(rows)
    assert (gutter.left, gutter.right, gutter.middle) == (99, 120, 109.5)
    crossed = [[0, 100 + y, 220, 110 + y] for y in range(0, 84, 12)]
    assert find_gutters(rows + crossed) == [gutter]  # 7 of 12
    crossed += [[0, 200, 220, 210]]
    assert find_gutters(rows + crossed) == []  # 8 of 13


def test_a_narrow_gap_and_too_few_lines_make_no_gutter():
    narrow = [[0, y, 100, y + 10] for y in range(0, 60, 12)]
    narrow += [[106, y, 220, y + 10] for y in range(0, 60, 12)]
    assert find_gutters(narrow) == []
    few = [[x, y, x + 100, y + 10] for x in (0, 120) for y in (0, 12)]
    assert find_gutters(few) == []
    assert find_gutters([]) == []


def test_reading_order_of_boxes():
    gutters = find_gutters([[x, y, x + 100, y + 10] for x in (0, 120) for y in range(0, 60, 12)])
    across = line(0, 220, 100)
    left = [line(0, 100, 88 - 12 * i) for i in range(3)]
    right = [line(120, 220, 88 - 12 * i) for i in range(3)]
    mixed = [right[0], left[2], across, right[2], left[0], left[1], right[1]]
    assert reading_order(mixed, gutters) == [across, *left, *right]
    assert [x.flow for x in (across, *left, *right)] == [1, 2, 2, 2, 3, 3, 3]
    assert not alternates([*left, *right], gutters)
    assert alternates([left[0], right[0], left[1], right[1], left[2], right[2]], gutters)


@pytest.mark.parametrize(
    ("texts", "verdict"),
    [
        (["and so on it goes"] * 6, "prose"),
        (["Item"] * 6, "table"),
        (["Two words"] * 6, "unsure"),
        (["Every line starts large"] * 6, "unsure"),
    ],
)
def test_prose_fills_its_lines_and_starts_them_in_mid_sentence(texts, verdict):
    gutters = find_gutters([[x, y, x + 100, y + 10] for x in (0, 120) for y in range(0, 60, 12)])
    lines = [line(x, x + 100, 88 - 12 * i) for x in (0, 120) for i in range(3)]
    assert is_prose(lines, texts, gutters) == verdict
