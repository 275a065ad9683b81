"""Questions and what answers them: needs, and for each need the places that satisfy it.

A label never names a chunk, so it survives every new chunking.
"""

from __future__ import annotations

from dataclasses import dataclass

from ragdebug.records import Place
from ragdebug.settings import fingerprint

PLACED = "placed"  # stands where it says, in the version it says
SUGGESTED = "suggested"  # found by a fuzzy match; waits for a person's yes
UNPLACED = "unplaced"  # an imported quote that stands nowhere; start and end are -1
STALE = "stale"  # the document changed, and the quote is no longer in it
STATUSES = (PLACED, SUGGESTED, UNPLACED, STALE)

LABELLED, NOT_ANSWERABLE, UNLABELLED, UNUSABLE = (
    "labelled",
    "not answerable",
    "unlabelled",
    "unusable",
)


@dataclass(frozen=True, slots=True)
class Label:
    """One place that satisfies a need.

    Attributes:
        place: where; for an unplaced quote the source it was given for, with start and end -1.
        status: one of `STATUSES`; only a placed label is measured with.
        origin: where the label came from: ``marked``, ``import FILE``, ``list STRATEGY`` (taken
            over from that list's hits: it favours that strategy), ``same text``.
        given: quote (or, without one, document) as an imported file has it, where the place says
            otherwise; the label is known again by it when the file is imported again.
    """

    place: Place
    status: str = PLACED
    origin: str = ""
    given: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that has to be found; any of its places is enough. `grade` is its gain, above 0."""

    labels: tuple[Label, ...]
    grade: float = 1.0

    @property
    def places(self) -> tuple[Place, ...]:
        """The places that can be measured with."""
        return tuple(x.place for x in self.labels if x.status == PLACED)


@dataclass(frozen=True, slots=True)
class Question:
    """A real question.

    Attributes:
        id: stable; a short hash, or what an imported file calls it.
        text: as it was asked.
        tags: sorted, without blanks at their ends.
        notes: a person's.
        needs: empty as long as it is not labelled.
        not_answerable: nothing in this corpus answers it, which a person has said.
        rejected: places judged as not answering.
        level: ``passage``, or ``document`` for imported relevance judgments, where documents are
            ranked by their best chunk.
        origin: ``typed``, ``search``, ``import FILE``.
        removed: taken out; can be put back.
        created_at: UTC, ISO 8601; so `updated_at`.
    """

    id: str
    text: str
    tags: tuple[str, ...] = ()
    notes: str = ""
    needs: tuple[Need, ...] = ()
    not_answerable: bool = False
    rejected: tuple[Place, ...] = ()
    level: str = "passage"
    origin: str = ""
    removed: bool = False
    created_at: str = ""
    updated_at: str = ""

    @property
    def usable_needs(self) -> tuple[Need, ...]:
        """Needs with at least one place that can be measured with."""
        return tuple(n for n in self.needs if n.places)

    @property
    def state(self) -> str:
        """Labelled, not answerable, unlabelled, or unusable (labels, but none that is placed)."""
        if self.not_answerable:
            return NOT_ANSWERABLE
        if not self.needs:
            return UNLABELLED
        return LABELLED if self.usable_needs else UNUSABLE

    @property
    def version(self) -> str:
        """Changes with what a measure depends on: text, needs, judgments, level."""
        return fingerprint(
            [
                self.text,
                [[n.grade, [_plain(x) for x in n.labels]] for n in self.needs],
                self.not_answerable,
                [_position(p) for p in self.rejected],
                self.level,
            ]
        )


def _position(place: Place) -> list[str | int]:
    return [getattr(place, name) for name in Place.__slots__]


def _plain(label: Label) -> list[object]:
    rest = [getattr(label, name) for name in Label.__slots__ if name != "place"]
    return [_position(label.place), *rest]


def new_id(text: str, taken: frozenset[str] | set[str] = frozenset()) -> str:
    """A short id for a question, the same for the same text, that is not taken yet."""
    digest = fingerprint(text)
    at = 0
    made = digest[:10]
    while made in taken:
        at += 1
        made = fingerprint([text, at])[:10]
    return made
