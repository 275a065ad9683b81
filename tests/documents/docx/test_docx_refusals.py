"""Locked, damaged, lying and hostile DOCX files."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.documents.docx import parse_docx
from ragdebug.documents.options import Limits
from ragdebug.errors import (
    CorruptDocument,
    DocumentError,
    DocumentTooLarge,
    EmptyDocument,
    EncryptedDocument,
    UnsupportedFormat,
)

MB = 1024 * 1024
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@pytest.fixture(scope="module")
def plain(docxs):
    return docxs.made(lambda d: d.add_heading("Boats", 1), lambda d: d.add_paragraph("Slow."))


def test_what_is_no_docx_is_said_to_be_none(docxs, plain):
    for data, error in (
        (b"", EmptyDocument),
        (b"<html></html>", CorruptDocument),
        (b"PK\x03\x04 and then nothing", CorruptDocument),
        (OLE + b"\0" * 600, UnsupportedFormat),
        (OLE + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le"), EncryptedDocument),
        (docxs.replaced(plain, word__document_xml=None), CorruptDocument),
        (docxs.replaced(plain, word__document_xml=b"<w:document"), CorruptDocument),
        (docxs.replaced(plain, word__document_xml=b"<other/>"), CorruptDocument),
        (docxs.replaced(plain, word__styles_xml=b"no xml"), CorruptDocument),
    ):
        with pytest.raises(error, match=r"odd\.docx") as refused:
            parse_docx(data, "odd.docx")
        assert type(refused.value) is error
        assert refused.value.hint


def test_a_locked_file_is_named_as_such():
    data = OLE + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(EncryptedDocument) as refused:
        parse_docx(data, "locked.docx")
    assert refused.value.message == "locked.docx: password-protected, not read"


def test_a_document_without_text_is_empty(docxs):
    with pytest.raises(EmptyDocument, match=r"blank\.docx"):
        parse_docx(docxs.made(), "blank.docx")


def with_declared_size(data: bytes, name: str, size: int) -> bytes:
    """The archive, saying that a member has another size than it has."""
    changed = bytearray(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        local = archive.getinfo(name).header_offset
    changed[local + 22 : local + 26] = struct.pack("<I", size)
    at = -1
    while (at := data.find(b"PK\x01\x02", at + 1)) >= 0:
        length = struct.unpack_from("<H", data, at + 28)[0]
        if data[at + 46 : at + 46 + length] == name.encode():
            changed[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(changed)


@pytest.fixture(scope="module")
def bomb(docxs, plain):
    words = b"<w:r><w:t>boom</w:t></w:r>" * 700_000
    body = f"<w:document {docxs.spaces}><w:body><w:p>".encode()
    return docxs.replaced(plain, word__document_xml=body + words + b"</w:p></w:body></w:document>")


@pytest.mark.parametrize("declared", [None, 1000])
def test_a_part_that_inflates_beyond_reason_is_refused_in_little_memory(bomb, declared):
    data = bomb if declared is None else with_declared_size(bomb, "word/document.xml", declared)
    tracemalloc.start()
    try:
        with pytest.raises(DocumentTooLarge) as refused:
            parse_docx(data, "bomb.docx")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "bomb.docx: word/document.xml inflates" in refused.value.message
    assert "the limits are 48 MB and 200 times its size" in refused.value.message
    assert peak < 64 * MB


def test_parts_that_are_not_read_count_as_well(docxs, plain):
    data = docxs.replaced(plain, **{"word/media/image1.png": b"\0" * 3_000_000})
    assert parse_docx(data, "x.docx").text == "Boats\n\nSlow."
    with pytest.raises(DocumentTooLarge, match=r"image1\.png"):
        parse_docx(data, "x.docx", limits=Limits(max_inflated_bytes=2_000_000))
    with pytest.raises(DocumentTooLarge, match="200 times"):
        parse_docx(data, "x.docx", limits=Limits(ratio_floor_bytes=MB))


def test_limits_on_bytes_and_parts(plain):
    with pytest.raises(DocumentTooLarge, match="the limit is 0 MB"):
        parse_docx(plain, "x.docx", limits=Limits(max_bytes=1000))
    with pytest.raises(DocumentTooLarge, match=r"parts; the limit is 3"):
        parse_docx(plain, "x.docx", limits=Limits(max_members=3))


def test_entities_neither_grow_nor_reach_out(docxs, plain, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET")
    laughs = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    for entities, used in (
        (f'<!ENTITY a0 "ha">{laughs}', "&a11;"),
        (f'<!ENTITY x SYSTEM "{secret.as_uri()}">', "&x;"),
    ):
        xml = (
            f"<!DOCTYPE d [{entities}]><w:document {docxs.spaces}><w:body><w:p><w:r>"
            f"<w:t>Text{used}</w:t></w:r></w:p></w:body></w:document>"
        )
        data = docxs.replaced(plain, word__document_xml=xml.encode())
        try:
            assert parse_docx(data, "dtd.docx").text == "Text"
        except CorruptDocument as refused:
            assert "dtd.docx" in refused.message


def test_elements_nested_without_end_are_refused(docxs, plain):
    xml = f"<w:document {docxs.spaces}><w:body>" + "<w:sdt>" * 5000
    xml += "</w:sdt>" * 5000 + "</w:body></w:document>"
    with pytest.raises(CorruptDocument, match="not well-formed"):
        parse_docx(docxs.replaced(plain, word__document_xml=xml.encode()), "deep.docx")


def check(data: bytes) -> None:
    try:
        parsed = parse_docx(data, "broken.docx")
    except DocumentError as error:
        assert "broken.docx" in error.message
        return
    assert parsed.text
    # Blocks follow each other, start and end with no blank, and hold all that is not blank.
    at = 0
    for block in parsed.blocks:
        text = parsed.text[block.start : block.end]
        assert text and text == text.strip()
        assert not parsed.text[at : block.start].strip()
        at = block.end
    assert at == len(parsed.text)


@given(st.floats(0, 1))
def test_any_truncation_is_refused_or_read(plain, share):
    check(plain[: int(share * len(plain))])


@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 7)), max_size=20))
def test_any_flipped_bits_are_refused_or_read(plain, flips):
    data = bytearray(plain)
    for place, bit in flips:
        data[int(place * len(data))] ^= 1 << bit
    check(bytes(data))
