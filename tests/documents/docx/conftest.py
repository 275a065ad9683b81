"""Small DOCX files: made with python-docx, with raw XML where it has no words for it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import docx
import pytest
from docx.document import Document
from docx.oxml.parser import parse_xml

SPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def made(*build: Callable[[Document], object]) -> bytes:
    """A DOCX after these functions worked on it."""
    document = docx.Document()
    for step in build:
        step(document)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def raw(*parts: str) -> bytes:
    """A DOCX whose body holds these elements, without namespace declarations."""

    def build(document: Document) -> None:
        body = document.element.body
        for part in parts:
            name = part[1:].replace(">", " ", 1).split(" ", 1)[0]
            element = part.replace(f"<{name}", f"<{name} {SPACES}", 1)
            body.insert(len(body) - 1, parse_xml(element))

    return made(build)


def replaced(data: bytes, **parts: bytes | None) -> bytes:
    """The package with parts (``word/document.xml`` as word__document_xml) replaced or removed."""
    names = {key.replace("__", "/").replace("_xml", ".xml"): value for key, value in parts.items()}
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", 8) as new:
        for item in old.infolist():
            if item.filename not in names:
                new.writestr(item.filename, old.read(item))
        for name, value in names.items():
            if value is not None:
                new.writestr(name, value)
    return target.getvalue()


class Docxs:
    """The builders above, for tests."""

    made = staticmethod(made)
    raw = staticmethod(raw)
    replaced = staticmethod(replaced)
    spaces = SPACES


@pytest.fixture(scope="session")
def docxs() -> Docxs:
    """Builders of small DOCX files."""
    return Docxs()
