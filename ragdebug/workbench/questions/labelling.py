"""What answers a question, said by a person: this does, this does not, this is where it went."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ragdebug.errors import ChangedMeanwhile, RagDebugError
from ragdebug.questions import PLACED, SUGGESTED, Label, Need, Question
from ragdebug.records import Place
from ragdebug.workbench.questions.editing import Editing


class Labelling(Editing):
    """Use cases of judging."""

    def label(
        self,
        id: str,  # noqa: A002 - what everybody calls it
        places: Sequence[Place],
        need: int | None = None,
        origin: str = "marked",
    ) -> Question:
        """Say that places answer a question.

        Args:
            id: of the question; it is then no longer one that nothing answers.
            places: any of them is enough. Those that it has already are not added again.
            need: number of a need from 0 that they belong to; None for a new one.
            origin: where the label comes from; ``list STRATEGY`` for a hit of that list.

        Raises:
            RagDebugError: there is no such question or need.
        """

        def change(q: Question) -> Question:
            if need is not None:
                _need_of(q, need)
            known = {x.place for n in q.needs for x in n.labels if x.status == PLACED}
            labels = tuple(
                Label(p, PLACED, origin) for p in dict.fromkeys(places) if p not in known
            )
            needs = q.needs
            if labels and need is None:
                needs = (*needs, Need(labels))
            elif labels:
                needs = _at(needs, need or 0, lambda n: (*n.labels, *labels))
            rejected = tuple(p for p in q.rejected if p not in places)
            return replace(q, needs=needs, rejected=rejected, not_answerable=False)

        return self._edit(f"label of {self.question(id).text!r}", [id], change)[0]

    def unlabel(
        self,
        id: str,  # noqa: A002
        need: int,
        label: int,
        seen: Label | None = None,
    ) -> Question:
        """Take a label away; a need without labels goes with it. Numbers count from 0.

        Raises:
            RagDebugError: there is no such label.
            ChangedMeanwhile: it is not the one that was `seen` there.
        """

        def change(q: Question) -> Question:
            gone = _label_of(q, need, label, seen)
            needs = _at(q.needs, need, lambda n: tuple(x for x in n.labels if x is not gone))
            return replace(q, needs=needs)

        return self._edit(f"label of {self.question(id).text!r}", [id], change)[0]

    def reject(self, id: str, place: Place) -> Question:  # noqa: A002
        """Say that a place does not answer; a label of that very place goes."""

        def change(q: Question) -> Question:
            needs = tuple(
                replace(n, labels=tuple(x for x in n.labels if x.place != place)) for n in q.needs
            )
            rejected = tuple(dict.fromkeys((*q.rejected, place)))
            return replace(q, needs=tuple(n for n in needs if n.labels), rejected=rejected)

        return self._edit(f"judgment of {self.question(id).text!r}", [id], change)[0]

    def accept(
        self,
        id: str,  # noqa: A002
        need: int,
        label: int,
        place: Place | None = None,
        seen: Label | None = None,
    ) -> Question:
        """Say yes to a label that waits for it, or give it another place.

        Args:
            id: of the question.
            need: number of the need, from 0.
            label: number of the label in it, from 0.
            place: where it stands really; None for what is suggested, or for the nearest passage
                where the quote is gone. A suggestion that is replaced counts as judged.
            seen: the label that was looked at; None to take whatever is there.

        Raises:
            RagDebugError: there is no such label, or nothing to say yes to.
            ChangedMeanwhile: it is not the one that was seen.
        """

        def change(q: Question) -> Question:
            old = _label_of(q, need, label, seen)
            new = place or self._accepted(old)
            given = old.given or ("" if old.place.quote == new.quote else old.place.quote)
            if not given and not new.quote and old.place.source != new.source:
                given = old.place.source
            rejected = q.rejected
            if old.status == SUGGESTED and place is not None and place != old.place:
                rejected = tuple(dict.fromkeys((*rejected, old.place)))
            made = Label(new, PLACED, old.origin, given)
            needs = _at(q.needs, need, lambda n: tuple(made if x is old else x for x in n.labels))
            return replace(q, needs=needs, rejected=tuple(p for p in rejected if p != new))

        return self._edit(f"label of {self.question(id).text!r}", [id], change)[0]

    def nearest_place(self, label: Label) -> tuple[Place, float] | None:
        """The passage most like a label's quote, in its document if that is here, else anywhere.

        Returns:
            The place and its similarity, 0 to 100; None when nothing is alike.
        """
        quote = label.place.quote
        if not quote.strip():
            return None
        finder = self._place_finder()
        place = label.place
        named = [d for d in self._active() if d.id == place.document]
        named = named or finder.naming.find(place.source)
        near = finder.nearest(quote, named) if named else None
        return near or finder.nearest(quote)

    def _accepted(self, label: Label) -> Place:
        if label.status in (PLACED, SUGGESTED):
            return label.place
        near = self.nearest_place(label)
        if near is None:
            raise RagDebugError(
                "Nothing in the corpus is like this quote.",
                title="No passage to accept",
                hint="Mark the passage in its document, or take the label away.",
            )
        return near[0]


def _need_of(question: Question, need: int) -> Need:
    if not 0 <= need < len(question.needs):
        raise RagDebugError(
            f"The question {question.text!r} has no need number {need}.",
            hint="It may have been changed meanwhile; look at it again.",
        )
    return question.needs[need]


def _label_of(question: Question, need: int, label: int, seen: Label | None = None) -> Label:
    labels = _need_of(question, need).labels
    if seen is not None and 0 <= label < len(labels) and labels[label] != seen:
        raise ChangedMeanwhile(
            f"The labels of {question.text!r} have been changed by somebody else.",
            hint="Look at them as they are now, and choose again.",
        )
    if not 0 <= label < len(labels):
        raise RagDebugError(
            f"The question {question.text!r} has no label {label} in need {need}.",
            hint="It may have been changed meanwhile; look at it again.",
        )
    return labels[label]


def _at(
    needs: tuple[Need, ...], at: int, labels: Callable[[Need], tuple[Label, ...]]
) -> tuple[Need, ...]:
    """The needs, one of them with other labels; one without any is left out."""
    made = (replace(n, labels=labels(n)) if i == at else n for i, n in enumerate(needs))
    return tuple(n for n in made if n.labels)
