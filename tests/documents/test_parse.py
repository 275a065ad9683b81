from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents import parse as module
from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.documents.parse import SUPPORTED, kind_of, parse
from ragdebug.errors import (
    CorruptDocument,
    DocumentError,
    DocumentTooLarge,
    EmptyDocument,
    EncryptedDocument,
    UnsafeArchive,
    UnsupportedFormat,
)

ENGLISH = "The ferry leaves the pier at noon and comes back in the evening."
GERMAN = "Die Fähre verlässt den Anleger am Mittag und kehrt am Abend zurück."


def pdf(text: str) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, invariant=True)
    canvas.drawString(72, 720, text)
    canvas.save()
    return out.getvalue()


def docx(text: str) -> bytes:
    from docx import Document

    out = io.BytesIO()
    document = Document()
    document.add_paragraph(text)
    document.save(out)
    return out.getvalue()


def zipped(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, "x")
    return out.getvalue()


# Dispatch -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.md", b"# T", "markdown"),
        ("docs/A.MARKDOWN", b"# T", "markdown"),
        ("a.txt", b"# T", "text"),
        ("a.log", b"x", "text"),
        ("a.htm", b"<p>x", "html"),
        ("a.csv", b"a,b\n1,2\n", "record"),
        ("a.tsv", b"a\tb\n1\t2\n", "record"),
        ("a.json", b'{"a": 1}', "json"),
        ("a.jsonl", b'{"text": "x"}', "record"),
        ("a.py", b"x = 1", "code"),
        ("Makefile", b"all:\n", "code"),
        ("README", b"x", "text"),
        ("notes.xyz", b"just text", "text"),
        ("noname", b"just text", "text"),
        ("run", b"#!/bin/sh\nx", "code"),
        ("page.xyz", b"<!DOCTYPE html><p>x", "html"),
    ],
)
def test_the_name_says_how_a_file_is_read(name: str, data: bytes, kind: str) -> None:
    (doc,) = parse(data, name)
    assert doc.kind == kind
    assert doc.warnings == ()


def test_pdf_and_docx_are_read_by_their_parsers() -> None:
    assert parse(pdf("Kelp grows here."), "a.pdf")[0].kind == "pdf"
    assert "Kelp" in parse(docx("Kelp grows here."), "a.docx")[0].text


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.docx", "a.json"])
def test_a_pdf_by_any_other_name_is_a_pdf(name: str) -> None:
    (doc,) = parse(pdf("Kelp grows here."), name)
    assert doc.kind == "pdf" and "Kelp" in doc.text
    assert [w.code for w in doc.warnings] == ["wrong_suffix"]
    assert name in doc.warnings[0].message


def test_other_files_that_lie_about_their_suffix_are_read_or_named() -> None:
    assert "Kelp" in parse(docx("Kelp."), "a.pdf")[0].text
    page = b"<!doctype html><html><body><p>Not found</body></html>"
    assert parse(page, "a.pdf")[0].text == "Not found"
    assert parse(page, "a.txt")[0].kind == "html"
    with pytest.raises(CorruptDocument, match=r"a\.pdf"):
        parse(b"plain text", "a.pdf")
    with pytest.raises(DocumentError, match=r"a\.docx"):
        parse(b"plain text", "a.docx")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.txt", b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
        ("a.md", zipped("x.txt"), "zip"),
        ("a.csv", zipped("xl/workbook.xml"), "Excel"),
        ("book.xlsx", zipped("xl/workbook.xml"), "Excel"),
        ("a.txt", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old Office"),
        ("a.txt", b"{\\rtf1 x}", "RTF"),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "docx"),
        ("mail.msg", b"Subject: x", "kind that is not read"),
        ("a.zip", zipped("x.txt"), "add it alone"),
        ("thing.xyz", bytes(range(256)) * 4, "unknown kind"),
    ],
)
def test_what_is_not_read_is_refused_with_its_real_kind(name: str, data: bytes, said: str) -> None:
    with pytest.raises(UnsupportedFormat) as caught:
        parse(data, name)
    assert name in caught.value.message and said in str(caught.value)


def test_text_that_begins_like_a_picture_is_text() -> None:
    for start in ("GIF89a is a format", "MZ is a mark", "BZhang said", "ID3 tags", "PK\x03"[:2]):
        assert parse(start.encode(), "a.txt")[0].text == start


def test_binary_data_under_the_name_of_text_is_refused() -> None:
    for name in ("a.txt", "a.md", "a.csv", "a.json", "a.jsonl", "a.py", "a.html"):
        with pytest.raises(CorruptDocument, match=name.replace(".", r"\.")):
            parse(bytes(range(256)) * 8, name)


@pytest.mark.parametrize(
    "data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n \n", b"\0\0"]
)
def test_empty_files_are_refused_by_name_whatever_their_kind(data: bytes) -> None:
    for suffix, kind in SUPPORTED.items():
        if kind in ("pdf", "docx", "gzip", "archive") and data.strip():
            continue
        with pytest.raises(EmptyDocument, match=r"void\."):
            parse(data, f"void{suffix}")


# Compressed files ---------------------------------------------------------------------------------


def test_compressed_files_are_read_as_what_they_hold() -> None:
    (doc,) = parse(gzip.compress(b"id,text\n1,x\n"), "faq.csv.gz")
    assert (doc.kind, doc.text) == ("record", "x")
    assert parse(gzip.compress(b"# T"), "a.md")[0].kind == "markdown"
    assert parse(gzip.compress(b"def f():\n    pass\n"), "a.py.gz")[0].sections[0].title == "f"
    with pytest.raises(UnsafeArchive, match=r"bomb\.txt\.gz"):
        parse(gzip.compress(bytes(60 * 2**20)), "bomb.txt.gz")
    with pytest.raises(CorruptDocument, match=r"not\.gz"):
        parse(b"plain text", "not.gz")


# Limits -------------------------------------------------------------------------------------------


def test_a_giant_line_is_refused_before_it_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_PARSERS", {})
    limits = Limits(max_bytes=1000)
    with pytest.raises(DocumentTooLarge, match=r"line\.txt has 1,001 bytes; the limit is 1,000"):
        parse(b"x" * 1001, "line.txt", limits=limits)


def test_a_long_line_within_the_size_is_refused_by_every_text_parser() -> None:
    limits = Limits(max_line_chars=1000)
    for name in ("a.txt", "a.md", "a.html", "a.csv", "a.jsonl", "a.py"):
        with pytest.raises(DocumentTooLarge, match=r"line 2"):
            parse(b"x\n" + b"y" * 1001, name, limits=limits)


# Faults -------------------------------------------------------------------------------------------


def test_a_fault_in_a_library_is_told_as_a_fault_of_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*args: object) -> None:
        raise KeyError("inner")

    monkeypatch.setattr("ragdebug.documents.markdown.parse_markdown", broken)
    with pytest.raises(CorruptDocument, match=r"a\.md cannot be read") as caught:
        parse(b"# T", "a.md")
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_locked_pdf_is_named_and_says_so() -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption("pear", strength=128))
    canvas.drawString(72, 720, "Kelp grows here.")
    canvas.save()
    with pytest.raises(EncryptedDocument, match=r"locked\.pdf"):
        parse(out.getvalue(), "locked.pdf")
    (doc,) = parse(out.getvalue(), "locked.pdf", ParseOptions(password="pear"))
    assert "Kelp" in doc.text


# Language -----------------------------------------------------------------------------------------


def test_the_language_is_chosen_or_said_or_detected() -> None:
    assert parse(GERMAN.encode(), "a.txt")[0].language == "de"
    assert parse(GERMAN.encode(), "a.txt", ParseOptions(language="nl"))[0].language == "nl"
    assert parse(f"---\nlang: fr-FR\n---\n{GERMAN}".encode(), "a.md")[0].language == "fr"
    assert parse(f"<html lang=it><p>{GERMAN}".encode(), "a.html")[0].language == "it"
    assert parse(b"def f():\n    return 1\n", "a.py")[0].language == ""
    code = "```\n" + "int i = 0; i < n; i++\n" * 50 + "```\n"
    assert parse(f"{code}\n{GERMAN}\n\n{code}".encode(), "a.md")[0].language == "de"


def test_each_record_has_its_own_language() -> None:
    lines = "".join(json.dumps({"text": t}) + "\n" for t in (ENGLISH, GERMAN, "x1"))
    assert [d.language for d in parse(lines.encode(), "a.jsonl")] == ["en", "de", ""]


def test_records_by_the_thousand_of_one_language_are_sampled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[str] = []

    def detect(text: str) -> tuple[str, float]:
        looked_at.append(text)
        return "en", 1.0

    monkeypatch.setattr(module, "detect", detect)
    docs = parse((json.dumps({"text": ENGLISH}) + "\n").encode() * 5000, "a.jsonl")
    assert {d.language for d in docs} == {"en"}
    assert len(looked_at) < 2500


# The whole ----------------------------------------------------------------------------------------


def test_suffixes_name_kinds_that_exist() -> None:
    assert set(SUPPORTED.values()) == {*module._PARSERS, "gzip", "archive"}
    assert kind_of("dir/A.MD") == "markdown" and kind_of("a.unknown") == ""


def test_nothing_heavy_is_loaded_before_a_file_needs_it() -> None:
    code = (
        "import sys; from ragdebug.documents.parse import parse; parse(b'a.b', 'a.txt');"
        "heavy = {'markdown_it', 'selectolax', 'pypdfium2', 'docx', 'charset_normalizer', 'yaml',"
        "'py3langid', 'pandas', 'torch'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@given(st.binary(max_size=200), st.sampled_from(sorted(SUPPORTED) + ["", ".unknown"]))
def test_any_bytes_under_any_name_are_read_or_refused(data: bytes, suffix: str) -> None:
    try:
        docs = parse(data, f"file{suffix}")
    except DocumentError as e:
        assert f"file{suffix}" in e.message
        return
    for doc in docs:
        doc.text.encode()
        assert doc.text.strip() and "\0" not in doc.text
