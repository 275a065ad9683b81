"""From a question's labels to places that can be followed, and why the others cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ragdebug.questions import PLACED, SUGGESTED, Label
from ragdebug.records import DocumentInfo, Place
from ragdebug.workbench import quotes

TextOf = Callable[[str, str], str]
SEEN = "seen on page"  # origin of a label for which a person has looked at the page


@dataclass(frozen=True, slots=True)
class Resolved:
    """A label as a place.

    Attributes:
        place: in the present text; as the label has it when `standing` is false.
        standing: it stands in the present text of an active document.
        facts: why not, or how it was found.
        seen: a person says that the page has it although its text has it not.
    """

    place: Place
    standing: bool
    facts: Mapping[str, Any] = field(default_factory=dict)
    seen: bool = False


def resolve(
    label: Label,
    active: Mapping[str, DocumentInfo],
    find: Callable[[str], list[DocumentInfo]],
    text_of: TextOf,
) -> list[Resolved]:
    """The places of a label: its own, or every exact place of an unconfirmed quote.

    A passage that is merely alike is never taken.

    Args:
        label: placed or not.
        active: the active documents by id.
        find: documents of a name.
        text_of: canonical text of (document, version).
    """
    place = label.place
    if label.status == PLACED:
        return [_placed(place, active, text_of)]
    quote = words(label)
    seen = label.origin == SEEN
    if not quote.strip():
        why = "The page has no text." if seen else "It has no quote to look for."
        return [Resolved(place, False, {"why": why}, seen)]
    named = find(place.source) if place.source else []
    within = named or ([] if place.source and label.status != SUGGESTED else [*active.values()])
    texts = ((d.id, d.version, d.source, text_of(d.id, d.version)) for d in within)
    found = quotes.find(quote, texts, quotes.MOST)
    if found:
        facts = {"label": label.status}
        return [Resolved(p, True, facts) for p in found]
    where = f"in {place.source}" if place.source else "in any document"
    why = f"The quote stands nowhere {where}."
    if place.source and not named:
        why = f"{place.source} is not in the corpus."
    source = named[0].source if len(named) == 1 else place.source
    wanted = Place("", "", source, -1, -1, quote, place.region)
    return [Resolved(wanted, False, {"why": why, "label": label.status}, seen)]


def words(label: Label) -> str:
    """The words that a label was given for."""
    return label.given or label.place.quote


def by_eye(place: Place) -> dict[str, Any]:
    """What a person saw, as the facts of a reader."""
    number = place.region.removeprefix("page ")
    page = {"page": int(number)} if number.isdecimal() else {}
    source = {"source": place.source} if place.source else {}
    return {"reader": "a person", **source, **page}


def named_by(place: Place, infos: Sequence[DocumentInfo]) -> list[DocumentInfo]:
    """Documents in which a place that stands nowhere may be meant; all where none is named."""
    named = [d for d in infos if place.document == d.id or place.source in (d.source, d.id)]
    return named if place.source or place.document else list(infos)


def _placed(place: Place, active: Mapping[str, DocumentInfo], text_of: TextOf) -> Resolved:
    info = active.get(place.document)
    if info is None:
        return Resolved(place, False, {"why": f"{place.source} is not in the corpus."})
    if info.version != place.version:
        return Resolved(place, False, {"why": f"The text of {place.source} has changed."})
    text = text_of(place.document, place.version)
    if not text[max(place.start, 0) : place.end].strip():
        why = "There is no text at that place."
        return Resolved(place, False, {"why": why}, seen=bool(place.region))
    return Resolved(place, True)
