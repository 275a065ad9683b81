"""What a person should know about the labels of a question before trusting what they measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ragdebug.questions import STALE, SUGGESTED, UNPLACED, Label, Question
from ragdebug.records import DocumentInfo

LONG_TOKENS = 80
TAKEN = "list "


def taken_from(label: Label) -> str:
    """Text form of the strategy whose hit a label was taken over from, "" for none."""
    return label.origin.removeprefix(TAKEN) if label.origin.startswith(TAKEN) else ""


def of(
    question: Question,
    active: Mapping[str, DocumentInfo],
    tokens: Callable[[str], int],
    borders: Callable[[Label], bool],
) -> Iterator[str]:
    """Sentences about a question's labels, in their order.

    Args:
        question: as it stands now.
        active: the active documents by id.
        tokens: counts those of a quote.
        borders: whether a label starts and ends where chunks of the strategy it came from do.
    """
    many = len(question.needs) > 1
    for number, need in enumerate(question.needs, 1):
        where = f"Need {number}: " if many else ""
        for label in need.labels:
            for text in _label(label, active, tokens, borders):
                yield where + (text if not where else text[0].lower() + text[1:])


def _label(
    label: Label,
    active: Mapping[str, DocumentInfo],
    tokens: Callable[[str], int],
    borders: Callable[[Label], bool],
) -> Iterator[str]:
    place = label.place
    if label.status == UNPLACED:
        yield f"The passage stands nowhere{f' in {place.source}' if place.source else ''}."
    elif place.document not in active:
        yield f"The document {place.source} is not in the corpus."
    elif label.status == STALE:
        yield f"The text of {place.source} has changed, and the passage is no longer in it."
    elif label.status == SUGGESTED:
        yield f"The passage in {place.source} is only suggested; say yes to it or mark another."
    if place.region or not place.quote:
        return
    size = tokens(place.quote)
    if size > LONG_TOKENS:
        yield (
            f"The evidence has {size} tokens; above {LONG_TOKENS} it favours large chunks. "
            "Mark the sentences that answer."
        )
    if borders(label):
        yield (
            f"The evidence starts and ends where chunks of {taken_from(label)} do, "
            "which favours that chunking."
        )
