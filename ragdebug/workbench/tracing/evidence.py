"""What answers a query, in a person's words: where it stands, or that it stands nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragdebug.errors import RagDebugError
from ragdebug.questions import PLACED, UNPLACED, Label, Need, Question
from ragdebug.records import Place
from ragdebug.workbench import quotes
from ragdebug.workbench.questions import Questions
from ragdebug.workbench.tracing.resolving import SEEN, words


class Evidence(Questions):
    """Use cases of saying what should have been found."""

    def evidence(
        self,
        query: str,
        places: Sequence[Place] = (),
        quote: str = "",
        source: str = "",
        page: int | None = None,
    ) -> Question:
        """A question, not kept, of a query and what answers it; see `why`.

        A page without a quote is itself the place that answers.
        """
        labels = tuple(Label(place) for place in places)
        if quote.strip():
            labels += self._quoted(quote.strip(), source, page)
        elif source and page is not None:
            labels += (self._page(source, page),)
        return Question("", query, needs=(Need(labels),) if labels else ())

    def seen_on_page(self, id: str, quote: str, source: str, page: int) -> Question:  # noqa: A002
        """Keep that a person sees a quote on a page whose text does not have it.

        The question's label of that quote then says so; it stays one that cannot be measured.

        Raises:
            RagDebugError: the question has no label of that quote that stands nowhere.
        """
        found = self.question(id)
        place = Place("", "", source, -1, -1, quote, f"page {page}")

        def seen(label: Label) -> Label:
            mine = label.status != PLACED and words(label) == quote
            return replace(label, place=place, status=UNPLACED, origin=SEEN) if mine else label

        needs = tuple(replace(n, labels=tuple(map(seen, n.labels))) for n in found.needs)
        if needs == found.needs:
            raise RagDebugError(f"{found.text!r} has no label of that quote without a place.")
        return self.change_question(id, needs=needs)

    def _page(self, source: str, page: int) -> Label:
        """A label of a whole page; of one without text that somebody sees it there."""
        info = self.resolve(source)
        place = self.region(info.id, page)
        if self._text(place.document, place.version)[place.start : place.end].strip():
            return Label(place)
        return Label(Place("", "", info.source, -1, -1, "", f"page {page}"), UNPLACED, SEEN)

    def _quoted(self, quote: str, source: str, page: int | None) -> tuple[Label, ...]:
        """Labels of a quote: where it stands, else one that stands nowhere."""
        infos = self._place_finder().naming.find(source) if source else self._active()
        texts = ((d.id, d.version, d.source, self._text(d.id, d.version)) for d in infos)
        found = quotes.find(quote, texts, quotes.MOST + 1)
        if len(found) > quotes.MOST:
            self.find_quote(quote, infos[0].id if source else "")  # says that it is too common
        if found:
            return tuple(Label(place) for place in found)
        named = infos[0].source if source and infos else source
        region = "" if page is None else f"page {page}"
        place = Place("", "", named, -1, -1, quote, region)
        return (Label(place, UNPLACED, "" if page is None else SEEN),)
