"""Paragraphs of a DOCX: order, tracked changes, notes, boxes, signs."""

from __future__ import annotations

import pytest

from ragdebug.documents.docx import parse_docx


def run(text: str, properties: str = "") -> str:
    return f'<w:r>{properties}<w:t xml:space="preserve">{text}</w:t></w:r>'


def kinds(parsed):
    return [(b.kind, parsed.text[b.start : b.end]) for b in parsed.blocks]


def test_paragraphs_are_parted_by_a_blank_line_and_empty_ones_left_out(docxs):
    data = docxs.made(
        lambda d: d.add_paragraph("One."),
        lambda d: d.add_paragraph("  "),
        lambda d: d.add_paragraph("Two."),
    )
    parsed = parse_docx(data, "two.docx")
    assert parsed.text == "One.\n\nTwo."
    assert kinds(parsed) == [("paragraph", "One."), ("paragraph", "Two.")]
    assert (parsed.kind, parsed.pages, parsed.language) == ("docx", (), "")


def test_tracked_changes_are_read_as_accepted(docxs):
    data = docxs.raw(
        "<w:p>" + run("The boat ") + f'<w:ins w:id="1">{run("leaves")}</w:ins>'
        '<w:del w:id="2"><w:r><w:delText>left</w:delText></w:r></w:del>'
        + run(" at ten.")
        + "</w:p>",
        f'<w:p><w:moveFrom w:id="3">{run("At the old place.")}</w:moveFrom></w:p>',
        f'<w:p><w:moveTo w:id="4">{run("At the new place.")}</w:moveTo></w:p>',
    )
    parsed = parse_docx(data, "tracked.docx")
    assert parsed.text == "The boat leaves at ten.\n\nAt the new place."
    (warning,) = parsed.warnings
    assert warning.code == "tracked_changes"
    assert "2 insertions, 2 deletions" in warning.message


def test_a_deleted_paragraph_mark_joins_two_paragraphs(docxs):
    mark = '<w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>'
    data = docxs.raw(
        f"<w:p>{mark}{run('First half, ')}</w:p>",
        f"<w:p>{run('second half.')}</w:p>",
        f"<w:p>{mark}{run('Last of all.')}</w:p>",
    )
    assert parse_docx(data, "joined.docx").text == "First half, second half.\n\nLast of all."


def test_deleted_rows_and_cells_are_left_out(docxs):
    def cell(text, properties=""):
        return f"<w:tc>{properties}<w:p>{run(text)}</w:p></w:tc>"

    cut = cell("cut", '<w:tcPr><w:cellDel w:id="2"/></w:tcPr>')
    data = docxs.raw(
        f"<w:tbl><w:tr>{cell('a')}{cell('b')}</w:tr>"
        f'<w:tr><w:trPr><w:del w:id="1"/></w:trPr>{cell("gone")}{cell("too")}</w:tr>'
        f"<w:tr>{cell('c')}{cut}</w:tr></w:tbl>"
    )
    assert parse_docx(data, "rows.docx").text == "a | b\nc"


def test_links_fields_content_controls_and_formulas_are_text(docxs):
    data = docxs.raw(
        f"<w:p>{run('See ')}<w:hyperlink>{run('the site')}</w:hyperlink>"
        f'{run(", page ")}<w:fldSimple w:instr="PAGE">{run("7")}</w:fldSimple>'
        "<w:r><w:instrText>HYPERLINK x</w:instrText></w:r>"
        f"<w:sdt><w:sdtPr><w:alias/></w:sdtPr><w:sdtContent>{run(', box')}</w:sdtContent></w:sdt>"
        "<m:oMath><m:r><m:t>=a+b</m:t></m:r></m:oMath></w:p>",
        f"<w:sdt><w:sdtContent><w:p>{run('Inside a control.')}</w:p></w:sdtContent></w:sdt>",
    )
    assert parse_docx(data, "x.docx").text == "See the site, page 7, box=a+b\n\nInside a control."


def test_signs_that_are_elements(docxs):
    data = docxs.raw(
        "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/>"
        '<w:t>d</w:t><w:softHyphen/><w:t>e</w:t><w:sym w:font="Arial" w:char="20AC"/>'
        '<w:sym w:font="Wingdings" w:char="F0FC"/></w:r></w:p>'
    )
    assert parse_docx(data, "x.docx").text == "a\tb\nc-de\u20ac"


def test_ligatures_and_no_break_blanks_become_what_was_typed(docxs):
    data = docxs.made(lambda d: d.add_paragraph("\ufb01nal\xa0o\ufb03ce, co\xadop"))
    assert parse_docx(data, "x.docx").text == "final office, coop"


def test_hidden_text_is_left_out(docxs):
    hidden = run(" hidden", "<w:rPr><w:vanish/></w:rPr>")
    shown = run(" again", '<w:rPr><w:vanish w:val="0"/></w:rPr>')
    data = docxs.raw(f"<w:p>{run('Seen')}{hidden}{shown}</w:p>")
    assert parse_docx(data, "x.docx").text == "Seen again"


def test_a_text_box_follows_its_paragraph_and_counts_once(docxs):
    box = f"<w:txbxContent><w:p>{run('In the box.')}</w:p></w:txbxContent>"
    data = docxs.raw(
        f"<w:p>{run('Before ')}<w:r><mc:AlternateContent>"
        f'<mc:Choice Requires="wps"><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>'
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
        f"</mc:AlternateContent></w:r>{run('and after.')}</w:p>",
        f"<w:p>{run('Next.')}<w:r><w:pict><v:textbox>{box}</v:textbox></w:pict></w:r></w:p>",
    )
    assert parse_docx(data, "box.docx").text == (
        "Before and after.\n\nIn the box.\n\nNext.\n\nIn the box."
    )


def notes(docxs, kind: str, body: str) -> bytes:
    return (
        f"<w:{kind}s {docxs.spaces}>"
        f'<w:{kind} w:id="-1" w:type="separator"><w:p><w:r><w:separator/></w:r></w:p></w:{kind}>'
        f"{body}</w:{kind}s>"
    ).encode()


def test_notes_follow_the_paragraph_that_refers_to_them(docxs):
    def reference(kind, number):
        return f'<w:r><w:{kind}Reference w:id="{number}"/></w:r>'

    data = docxs.raw(
        f"<w:p>{run('The ferry')}{reference('footnote', 5)}{run(' is old')}"
        f"{reference('footnote', 3)}{run('.')}</w:p>",
        f"<w:p>{run('The end')}{reference('endnote', 2)}{run('.')}{reference('footnote', 5)}</w:p>",
    )

    def note(kind, number, text):
        return (
            f'<w:{kind} w:id="{number}"><w:p><w:r><w:{kind}Ref/></w:r>{run(text)}</w:p>'
            f"<w:p>{run('More.')}</w:p></w:{kind}>"
        )

    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="a" Type="http://x/footnotes" Target="footnotes.xml"/>'
        '<Relationship Id="b" Type="http://x/endnotes" Target="/word/endnotes.xml"/>'
        "</Relationships>"
    )
    data = docxs.replaced(
        data,
        word__footnotes_xml=notes(
            docxs,
            "footnote",
            note("footnote", 3, "Built long ago.") + note("footnote", 5, "A boat."),
        ),
        word__endnotes_xml=notes(docxs, "endnote", note("endnote", 2, "Of the book.")),
        **{"word___rels__document_xml.rels": rels.encode()},
    )
    assert parse_docx(data, "notes.docx").text == (
        "The ferry is old.\n\n[1] A boat. More.\n\n[2] Built long ago. More.\n\n"
        "The end.\n\n[1] Of the book. More."
    )


def test_headers_and_footers_are_named_and_left_out(docxs):
    def build(document):
        document.add_paragraph("Body.")
        document.sections[0].header.paragraphs[0].text = "Ferry line, confidential"
        document.sections[0].footer.paragraphs[0].text = "7"

    parsed = parse_docx(docxs.made(build), "heads.docx")
    assert parsed.text == "Body."
    assert [w.code for w in parsed.warnings] == ["headers_left_out"]
    assert "\u201cFerry line, confidential\u201d" in parsed.warnings[0].message


def test_properties_become_metadata(docxs):
    def build(document):
        document.add_paragraph("Body.")
        properties = document.core_properties
        properties.title, properties.author, properties.language = "Fares", "Pier office", "de-CH"
        properties.keywords, properties.version = "boats, fares", "3.1"

    parsed = parse_docx(docxs.made(build), "props.docx")
    assert parsed.title == "Fares"
    assert parsed.language == "de"
    assert {k: parsed.metadata[k] for k in ("author", "keywords", "version", "language")} == {
        "author": "Pier office",
        "keywords": "boats, fares",
        "version": "3.1",
        "language": "de-CH",
    }
    assert parsed.metadata["created"].startswith("20")


def test_properties_that_people_added_are_metadata_too(docxs):
    custom = (
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"'
        ' xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">'
        '<property name="tenant" pid="2"><vt:lpwstr>acme</vt:lpwstr></property>'
        '<property name="_hidden" pid="3"><vt:lpwstr>x</vt:lpwstr></property></Properties>'
    )
    data = docxs.made(lambda d: d.add_paragraph("Body."))
    data = docxs.replaced(data, docProps__custom_xml=custom.encode())
    metadata = parse_docx(data, "custom.docx").metadata
    assert metadata["tenant"] == "acme"
    assert "_hidden" not in metadata
    assert "python-docx" not in metadata.values()


@pytest.mark.parametrize(
    "space", ["http://purl.oclc.org/ooxml/wordprocessingml/main", "http://example.org/other"]
)
def test_files_of_the_strict_kind_are_read(docxs, space):
    data = docxs.made(lambda d: d.add_paragraph("x"))
    body = (
        f'<w:document xmlns:w="{space}"><w:body><w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr>'
        "<w:r><w:t>Strict</w:t></w:r></w:p></w:body></w:document>"
    )
    parsed = parse_docx(docxs.replaced(data, word__document_xml=body.encode()), "strict.docx")
    assert [(s.level, s.title) for s in parsed.sections] == [(2, "Strict")]
