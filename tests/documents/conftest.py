"""What holds for every parsed document, whatever its format."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from ragdebug.documents.options import Limits, ParseOptions
from ragdebug.records import ParsedDocument

KINDS = {"heading", "paragraph", "list_item", "table", "code", "quote", "unit"}


def sound(doc: ParsedDocument) -> None:
    """Check spans, order and nesting; a block holds each character that is not blank."""
    text = doc.text
    assert "\0" not in text + doc.title
    text.encode()
    assert text.strip()
    done, ends = 0, []
    covered = 0
    for block in doc.blocks:
        assert block.kind in KINDS
        assert 0 <= block.start < block.end <= len(text)
        assert not text[block.start].isspace() and not text[block.end - 1].isspace()
        if block.kind == "unit":
            while ends and ends[-1] <= block.start:
                ends.pop()
            assert not ends or block.end <= ends[-1]
            ends.append(block.end)
        else:
            assert block.start >= done
        assert not text[covered : block.start].strip()
        covered = max(covered, block.end)
        done = max(done, block.end if block.kind != "unit" else block.start)
        last = block.start
        for row in block.rows:
            assert last <= row.start < row.end <= block.end
            last = row.end
        if block.header is not None:
            assert block.start <= block.header.start < block.header.end <= block.end
    assert not text[covered:].strip()
    open_: list[Any] = []
    before = 0
    for section in doc.sections:
        assert 0 <= section.start <= section.body <= section.end <= len(text)
        assert section.start >= before
        before = section.start
        assert section.title == " ".join(section.title.split())
        while open_ and open_[-1].end <= section.start:
            open_.pop()
        if open_:
            assert section.end <= open_[-1].end and section.level > open_[-1].level
        open_.append(section)
    for key, value in doc.metadata.items():
        assert isinstance(key, str) and isinstance(value, str)
        (key + value).encode()


@pytest.fixture(scope="session")
def check() -> Callable[[ParsedDocument], None]:
    """The function that checks what holds for every document."""
    return sound


@pytest.fixture(scope="session")
def read() -> Callable[..., Any]:
    """Call a parser on text or bytes with default options, and check what comes out."""

    def run(
        parser: Callable[..., Any],
        source: str | bytes,
        name: str,
        limits: Limits | None = None,
        **options: Any,
    ) -> Any:
        data = source.encode() if isinstance(source, str) else source
        result = parser(data, name, ParseOptions(**options), limits or Limits())
        for doc in result if isinstance(result, list) else [result]:
            sound(doc)
        return result

    return run


@pytest.fixture(scope="session")
def calls() -> Callable[[Callable[[], object]], int]:
    """How many function calls some work takes: a measure of growth that no clock disturbs."""

    def count(work: Callable[[], object]) -> int:
        total = 0

        def note(frame: object, event: str, arg: object) -> None:
            nonlocal total
            total += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            work()
        finally:
            sys.setprofile(before)
        return total

    return count
