"""A filter as a person picks or types it: ``key=value`` texts of documents' metadata."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ragdebug.errors import RagDebugError
from ragdebug.settings import parse_pairs
from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

FEW_VALUES = 12  # so many are offered also where each is one document's
MOST_VALUES = 400  # choices of one metadata key; more are typed
HELP = (
    "Metadata that a document must have, applied before ranking, in every list. Two values of one "
    "key are alternatives. Type a pattern such as source=manuals/*."
)


def choices(wb: Workbench) -> list[str]:
    """Values of keys; one with many values of which each is a single document's is left out."""
    made = []
    for key, values in sorted(wb.metadata_keys().items()):
        if len(values) <= FEW_VALUES or (len(values) <= MOST_VALUES and max(values.values()) > 1):
            made += [f"{key}={value}" for value in sorted(values)]
    return made


def pairs(given: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The pairs; what is not of that form is said and left out."""
    made: list[tuple[str, str]] = []
    for text in given:
        try:
            made += parse_pairs([text])
        except RagDebugError as error:
            literal.note(error.message, error.hint)
    return tuple(made)
