"""What makes one text of a document another version of it."""

from __future__ import annotations

from ragdebug.records import ParsedDocument
from ragdebug.settings import fingerprint


def version_of(parsed: ParsedDocument) -> str:
    """Hash of the canonical text, the parser, and a record's heading, which is not in its text."""
    heading = [s.title for s in parsed.sections] if parsed.kind == "record" else []
    return fingerprint([parsed.text, parsed.parser, *heading])
