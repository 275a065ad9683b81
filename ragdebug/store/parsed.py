"""A parsed document as bytes, without its text, and back again, equal."""

from __future__ import annotations

import json
import zlib
from typing import Any

from ragdebug.records import Block, Page, ParsedDocument, ParseWarning, Section, Span
from ragdebug.store.clean import clean, dump


def encode(parsed: ParsedDocument) -> bytes:
    """All of a parsed document except its text."""
    value = {
        "kind": parsed.kind,
        "parser": parsed.parser,
        "key": parsed.key,
        "title": parsed.title,
        "sections": [[s.start, s.end, s.level, s.title, s.body] for s in parsed.sections],
        "pages": [[p.number, p.start, p.end, p.label] for p in parsed.pages],
        "blocks": [_block(b) for b in parsed.blocks],
        "metadata": dict(parsed.metadata),
        "language": parsed.language,
        "warnings": warnings_value(parsed.warnings),
    }
    return zlib.compress(dump(value).encode(), 6)


def decode(data: bytes, text: str) -> ParsedDocument:
    """The document that `encode` was given, with its text."""
    value = json.loads(zlib.decompress(data))
    return ParsedDocument(
        text=text,
        kind=value["kind"],
        parser=value["parser"],
        key=value["key"],
        title=value["title"],
        sections=tuple(Section(*s) for s in value["sections"]),
        pages=tuple(Page(*p) for p in value["pages"]),
        blocks=tuple(_read_block(b) for b in value["blocks"]),
        metadata=value["metadata"],
        language=value["language"],
        warnings=read_warnings(value["warnings"]),
    )


def warnings_value(warnings: tuple[ParseWarning, ...]) -> list[list[Any]]:
    """Warnings as JSON takes them."""
    return [[w.code, w.message, w.page, w.line] for w in warnings]


def read_warnings(value: list[list[Any]]) -> tuple[ParseWarning, ...]:
    """Warnings as `warnings_value` gave them."""
    return tuple(ParseWarning(*w) for w in value)


def clean_metadata(metadata: Any) -> dict[str, str]:  # noqa: ANN401 - a mapping of any values
    """Metadata as plain text keys and values."""
    return {clean(str(k)): clean(str(v)) for k, v in metadata.items()}


def _block(block: Block) -> list[Any]:
    rows = [[r.start, r.end] for r in block.rows]
    header = None if block.header is None else [block.header.start, block.header.end]
    return [block.kind, block.start, block.end, block.level, rows, header]


def _read_block(value: list[Any]) -> Block:
    kind, start, end, level, rows, header = value
    spans = tuple(Span(*r) for r in rows)
    return Block(kind, start, end, level, spans, None if header is None else Span(*header))
