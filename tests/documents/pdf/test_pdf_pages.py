"""Page map, printed labels, properties, and pages without text."""

from __future__ import annotations

import io

from pypdf import PdfReader, PdfWriter

from ragdebug.documents.options import ParseOptions
from ragdebug.documents.pdf import parse_pdf


def rewritten(data: bytes, change) -> bytes:
    writer = PdfWriter(clone_from=io.BytesIO(data))
    change(writer)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def page_of(parsed, word: str):
    at = parsed.text.index(word)
    return next(p for p in parsed.pages if p.start <= at < p.end)


def test_pages_count_from_one_and_cover_the_text(pdfs):
    data = pdfs.draw(*[pdfs.lines(f"Here is the word {w}.") for w in ("cover", "kettle", "spoons")])
    parsed = parse_pdf(data, "three.pdf")
    assert parsed.text == (
        "Here is the word cover.\n\nHere is the word kettle.\n\nHere is the word spoons."
    )
    assert [(p.number, p.start, p.end) for p in parsed.pages] == [
        (1, 0, 25),
        (2, 25, 51),
        (3, 51, 75),
    ]
    assert page_of(parsed, "cover").number == 1


def test_labels_are_kept_apart_from_sheet_numbers(pdfs):
    data = pdfs.draw(*[pdfs.lines(f"word{i}") for i in range(5)])

    def label(writer):
        writer.set_page_label(0, 1, style="/r")
        writer.set_page_label(2, 4, style="/D", prefix="B-")

    data = rewritten(data, label)
    parsed = parse_pdf(data, "labels.pdf")
    assert [p.label for p in parsed.pages] == PdfReader(io.BytesIO(data)).page_labels
    assert [p.label for p in parsed.pages] == ["i", "ii", "B-1", "B-2", "B-3"]
    assert (page_of(parsed, "word2").number, page_of(parsed, "word2").label) == (3, "B-1")


def test_a_page_without_text_keeps_its_number_and_is_named(pdfs):
    def picture(canvas):
        canvas.rect(100, 100, 200, 200, fill=1)

    data = pdfs.draw(pdfs.lines("About anchors."), picture, picture, pdfs.lines("About ropes."))
    parsed = parse_pdf(data, "mixed.pdf")
    assert parsed.text == "About anchors.\n\nAbout ropes."
    assert [(p.start, p.end) for p in parsed.pages] == [(0, 16), (16, 16), (16, 16), (16, 28)]
    assert page_of(parsed, "ropes").number == 4
    assert [(w.code, w.page) for w in parsed.warnings] == [
        ("no_text_layer", 2),
        ("no_text_layer", 3),
    ]


def test_pages_without_text_at_either_end(pdfs):
    data = pdfs.draw(lambda c: None, pdfs.lines("Words."), lambda c: None)
    parsed = parse_pdf(data, "ends.pdf")
    assert [(p.start, p.end) for p in parsed.pages] == [(0, 0), (0, 6), (6, 6)]


def test_properties_without_what_programs_fill_in(pdfs):
    def page(canvas):
        canvas.setAuthor("The Bridge Office")
        canvas.setKeywords("bridges, rivers")
        canvas.drawString(72, 700, "Text.")

    parsed = parse_pdf(pdfs.draw(page, invariant=1), "props.pdf")
    assert parsed.metadata == {
        "author": "The Bridge Office",
        "keywords": "bridges, rivers",
        "created": "2000-01-01T00:00:00+00:00",
        "modified": "2000-01-01T00:00:00+00:00",
    }
    assert parsed.title == ""
    assert parsed.kind == "pdf"


def test_language_is_what_the_file_or_the_caller_says(pdfs):
    plain = pdfs.draw(pdfs.lines("Text."))
    stated = pdfs.draw(pdfs.lines("Text."), lang="de-AT")
    assert parse_pdf(plain, "a.pdf").language == ""
    assert parse_pdf(stated, "a.pdf").language == "de"
    assert parse_pdf(stated, "a.pdf", ParseOptions(language="fr")).language == "fr"


def test_a_form_is_told_to_hide_what_was_typed_into_it(pdfs):
    def page(canvas):
        canvas.drawString(72, 700, "Your name:")
        canvas.acroForm.textfield(name="n", x=150, y=690, value="typed")

    parsed = parse_pdf(pdfs.draw(page), "form.pdf")
    assert "form_fields" in [w.code for w in parsed.warnings]


def test_reading_twice_gives_the_same(pdfs):
    data = pdfs.draw(pdfs.lines("One.", "", "Two."), pdfs.lines("Three."))
    assert parse_pdf(data, "a.pdf") == parse_pdf(data, "b.pdf")
