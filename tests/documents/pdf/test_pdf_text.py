"""Characters and words of PDF text."""

from __future__ import annotations

import pytest

from ragdebug.documents.letters import clean_line, plain, unknown_share
from ragdebug.documents.pdf import parse_pdf
from ragdebug.documents.pdf_hyphens import Hyphens


def test_ligatures_become_letters_and_positions_are_those_of_the_letters(pdfs):
    source = "the e\ufb03cient o\ufb03ce work\ufb02ow de\ufb01nes the \ufb01nal \ufb02oor"
    source += " sta\ufb00 li\ufb06"
    parsed = parse_pdf(pdfs.mapped(source), "ligatures.pdf")
    assert parsed.text == "the efficient office workflow defines the final floor staff list"
    start = parsed.text.index("final")
    assert parsed.text[start : start + 5] == "final"
    assert (parsed.pages[0].start, parsed.pages[0].end) == (0, len(parsed.text))
    assert parsed.blocks[0].end == len(parsed.text)


@pytest.mark.parametrize(
    ("form", "letters"),
    [
        ("\ufb00", "ff"),
        ("\ufb01", "fi"),
        ("\ufb02", "fl"),
        ("\ufb03", "ffi"),
        ("\ufb04", "ffl"),
        ("\ufb05", "st"),
        ("\ufb06", "st"),
        ("\u2f00", "\u4e00"),  # Kangxi radical one
        ("\ufefb", "\u0644\u0627"),  # Arabic lam with alef
        ("\xa0", " "),
        ("\xad", ""),
        ("\x00", ""),
        ("\ufffe", ""),
        ("\uf0b7", "\u2022"),
        ("\xe9", "\xe9"),
        ("\xb2", "\xb2"),  # a raised two is not the number two
        ("\uff21", "\uff21"),  # wide letters were typed as such
    ],
)
def test_only_forms_that_say_how_a_letter_is_drawn_are_replaced(form, letters):
    assert plain(form) == letters


def test_a_plain_line_is_left_alone_and_blanks_around_removed_signs_collapse():
    assert clean_line("two  blanks") == "two  blanks"
    assert clean_line("here \ufffe and there") == "here and there"


def test_nul_goes_from_text_and_outline(pdfs):
    def page(canvas):
        canvas.drawString(72, 700, "A page about saffron.")
        canvas.bookmarkPage("a")
        canvas.addOutlineEntry("Spi\x00ces", "a", 0)
        canvas.addOutlineEntry("Saf\x00fron", "a", 1)

    parsed = parse_pdf(pdfs.draw(page, lang="en"), "nul.pdf")
    mapped = parse_pdf(pdfs.mapped("Nul \x00 here and saffron"), "nul.pdf")
    assert "\0" not in mapped.text + "".join(s.title for s in parsed.sections)
    assert mapped.text == "Nul here and saffron"


def test_characters_beyond_the_basic_plane_count_as_one(pdfs):
    parsed = parse_pdf(pdfs.mapped("go \U0001f600 far"), "emoji.pdf")
    assert parsed.text == "go \U0001f600 far"
    assert len(parsed.text) == 8


def test_signs_that_no_font_explains_are_told(pdfs):
    parsed = parse_pdf(pdfs.mapped("ab \ue010\ue011\ue012"), "odd.pdf")
    assert [w.code for w in parsed.warnings] == ["replaced_characters"]
    assert unknown_share("abcd") == 0
    assert unknown_share("\ue000\ufffdab") == 0.5


def test_a_soft_hyphen_at_a_line_end_always_joins():
    assert Hyphens([]).join("an exam", "ple of it", "\xad") == ("an example", "of it")


def test_a_hard_hyphen_goes_when_the_whole_word_stands_elsewhere():
    hyphens = Hyphens([["This Example is whole."]])
    assert hyphens.join("an exam", "ple, then more", "-") == ("an example,", "then more")


def test_a_compound_keeps_its_hyphen_when_it_stands_elsewhere():
    hyphens = Hyphens([["a well-known tune"]])
    assert hyphens.join("the well", "known tune", "-") == ("the well-known", "tune")


def test_the_more_frequent_form_wins():
    hyphens = Hyphens([["re-sign resign"], ["re-sign"]])
    assert hyphens.join("to re", "sign it", "-") == ("to re-sign", "it")


@pytest.mark.parametrize(
    ("before", "after"),
    [("an unheard", "of word"), ("Anna", "Maria came"), ("12", "34 end"), ("a dash ", "here")],
)
def test_a_hyphen_stays_at_its_line_end_when_nothing_is_sure(before, after):
    hyphens = Hyphens([["annamaria 1234"]])
    assert hyphens.join(before, after, "-") == (before + "-", after)


def test_hyphens_in_a_document(pdfs):
    data = pdfs.draw(
        pdfs.lines(
            "The example is whole here, and an exam-",
            "ple is cut here. This is a well-known tune, a well-",
            "known one. Nobody saw the unfa-",
            "miliar word twice. The end.",
        )
    )
    assert parse_pdf(data, "cut.pdf").text == (
        "The example is whole here, and an example\n"
        "is cut here. This is a well-known tune, a well-known\n"
        "one. Nobody saw the unfa-\n"
        "miliar word twice. The end."
    )


def test_a_line_that_is_only_the_end_of_a_word_moves_up_whole(pdfs):
    data = pdfs.draw(pdfs.lines("An example of an exam-", "ple", "and the next line."))
    assert parse_pdf(data, "x.pdf").text == "An example of an example\nand the next line."
