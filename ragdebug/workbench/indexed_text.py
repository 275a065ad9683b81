"""The text that is indexed for a chunk: its parts, and how far a model reads it."""

from __future__ import annotations

from ragdebug.chunk.labels import compose
from ragdebug.chunk.sentence_spans import sentence_spans
from ragdebug.records import Document
from ragdebug.table import ChunkTable
from ragdebug.tokens import counter
from ragdebug.workbench.explanations import IndexedText, Reading, Span
from ragdebug.workbench.questions.sentences import sentences


def parts_of(table: ChunkTable, row: int, document: Document) -> IndexedText:
    """The parts of a chunk's index text: label, context, then its sentences."""
    chunk = table.chunk(row)
    if table.given_text(row) is not None:
        cut = sentence_spans(chunk.index_text)
        return IndexedText(chunk.index_text, tuple(cut), ("sentence",) * len(cut), 0)
    start, end = table.index_spans[row].tolist()
    if start < 0:
        start, end = chunk.start, chunk.end
    text = chunk.index_text
    body = len(text) - (end - start)
    label = len(text) - len(compose("", chunk.context, document.text[start:end]))
    found: list[tuple[Span, str]] = []
    if chunk.label:
        found.append(((0, label), "label"))
    if chunk.context:
        found.append(((label, body), "context"))
    for a, b in sentences(document, start, end):
        a, b = max(a, start), min(b, end)
        if document.text[a:b].strip():
            found.append(((a - start + body, b - start + body), "sentence"))
    return IndexedText(
        text, tuple(span for span, _ in found), tuple(kind for _, kind in found), body
    )


def reading(text: str, tokenizer: str, room: int) -> Reading:
    """How far a model reads a text.

    Args:
        text: as it is given to the model.
        tokenizer: name of the model whose tokenizer counts.
        room: most tokens of the text that it reads; 0 for no limit.
    """
    tokens = counter(tokenizer).offsets(text)
    end = len(text) if not room or len(tokens) <= room else int(tokens[room - 1, 1])
    return Reading(end, len(tokens), room)
