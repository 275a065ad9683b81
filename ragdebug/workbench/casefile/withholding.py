"""Texts that somebody chose not to show: gone from every place in which a case file would say them.

A hit is named by its rank in today's list, or as ``hybrid:3`` in another. Chunks of other lists
that share characters with it are withheld with it, and so is all else that shows its words: copies
in other documents, headings, the quote of an answer, the text around it, the page it stands on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragdebug.errors import InvalidSetting
from ragdebug.workbench.casefile.records import (
    Answer,
    Case,
    CaseHit,
    Excerpt,
    HitList,
    Picture,
    Side,
    Table,
)
from ragdebug.workbench.casefile.same_words import WITHHELD, Secrets
from ragdebug.workbench.tracing.reports import NeedTrace, PathStep, PlaceTrace


def withhold(case: Case, hits: Sequence[int | str]) -> Case:
    """The case without the texts of some hits.

    Raises:
        InvalidSetting: there is no such hit.
    """
    chosen = [_named(case, str(one).strip()) for one in hits]
    if not chosen:
        return case
    hide = _Hiding(
        tuple((h.document, h.start, h.end) for h in chosen), Secrets(h.text for h in chosen)
    )
    return replace(
        case,
        answers=tuple(tuple(map(hide.answer, places)) for places in case.answers),
        today=hide.side(case.today),
        proposed=hide.side(case.proposed) if case.proposed is not None else None,
        others=tuple(map(hide.list, case.others)),
        picture=hide.picture(case.picture) if case.picture is not None else None,
        tables=tuple(t for t in case.tables if not hide.shows(t)),
        excerpt=hide.excerpt(case.excerpt) if case.excerpt is not None else None,
    )


def _named(case: Case, text: str) -> CaseHit:
    name, _, number = text.rpartition(":")
    chosen = next((one for one in case.lists if not name or one.name == name), None)
    hits = chosen.hits if chosen is not None else ()
    found = next((h for h in hits if str(h.rank) == number), None)
    if found is None:
        raise InvalidSetting(
            f"There is no hit {text} whose text could be withheld.",
            hint=f"Give a rank of the list {case.today.list.name}, or one such as "
            f"{case.lists[-1].name}:2.",
        )
    return found


@dataclass(frozen=True, slots=True)
class _Hiding:
    """Takes passages, as (document, start, end), and their words out of the parts of a case."""

    spans: tuple[tuple[str, int, int], ...]
    words: Secrets

    def inside(self, document: str, start: int, end: int) -> bool:
        return any(document == d and start < b and end > a for d, a, b in self.spans)

    def hit(self, hit: CaseHit) -> CaseHit:
        section = self.words.headings(hit.section)
        if not self.inside(hit.document, hit.start, hit.end) and not self.words.in_text(hit.text):
            return replace(hit, section=section)
        return replace(hit, text="", marks=(), cut=0, section=section, withheld=True)

    def list(self, one: HitList) -> HitList:
        return replace(one, hits=tuple(map(self.hit, one.hits)))

    def answer(self, answer: Answer) -> Answer:
        kept = replace(answer, section=self.words.headings(answer.section))
        if self._quotes(answer.document, answer.start, answer.end, answer.quote):
            return replace(kept, quote="", withheld=True)
        return kept

    def excerpt(self, excerpt: Excerpt) -> Excerpt:
        end = excerpt.start + len(excerpt.text)
        if self.inside(excerpt.document, excerpt.start, end) or self.words.in_text(excerpt.text):
            return replace(excerpt, text="", marks=(), cuts=(), withheld=True)
        return excerpt

    def picture(self, picture: Picture) -> Picture | None:
        there = self.inside(picture.document, picture.start, picture.end)
        return None if there or self.words.in_text(picture.text) else picture

    def shows(self, table: Table) -> bool:
        if table.passage is None:  # words of the query and numbers
            return False
        there = self.inside(*table.passage)
        return there or any(self.words.in_quote(cell) for row in table.rows for cell in row)

    def side(self, side: Side) -> Side:
        why = side.why
        kept = replace(
            why, needs=tuple(map(self._need, why.needs)), path=tuple(map(self._step, why.path))
        )
        return Side(self.list(side.list), kept)

    def _quotes(self, document: str, start: int, end: int, quote: str) -> bool:
        return self.inside(document, start, end) or self.words.in_quote(quote)

    def _need(self, need: NeedTrace) -> NeedTrace:
        return replace(need, places=tuple(map(self._place, need.places)))

    def _place(self, trace: PlaceTrace) -> PlaceTrace:
        place = trace.place
        if self._quotes(place.document, place.start, place.end, place.quote):
            place = replace(place, quote="")
        path = tuple(map(self._step, trace.path))
        return replace(trace, place=place, path=path, facts=self._facts(trace.facts))

    def _step(self, step: PathStep) -> PathStep:
        return replace(step, facts=self._facts(step.facts))

    def _facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Facts, what another reader reads among them."""
        return {
            key: WITHHELD if isinstance(one, str) and self.words.in_text(one) else one
            for key, one in facts.items()
        }
