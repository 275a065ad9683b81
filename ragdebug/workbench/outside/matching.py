"""Which of the kept lists answers a query: by its text, or by the question that asks it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ragdebug.store.result_lists import ReturnedList


class Matching:
    """The lists of many queries, found by the text of a query.

    A list belongs to a query of its very text; else to the question of its id, whatever the file
    has under query or id; else to a query that differs in blanks and case alone. Questions that
    have one text have one list.

    Args:
        lists: the first of several for one query counts.
        questions: (id, text) of the questions as they are now.
    """

    def __init__(self, lists: Sequence[ReturnedList], questions: Iterable[tuple[str, str]]) -> None:
        self._by_text: dict[str, ReturnedList] = {}
        self._by_id: dict[str, ReturnedList] = {}
        self._folded: dict[str, ReturnedList] = {}
        for one in lists:
            for name in (one.query, one.question):
                if name:
                    self._by_text.setdefault(name, one)
                    self._folded.setdefault(folded(name), one)
            for name in (one.question, one.query):
                if name:
                    self._by_id.setdefault(name, one)
        self._ids: dict[str, list[str]] = {}
        for id_, text in questions:
            self._ids.setdefault(text, []).append(id_)

    def of(self, query: str) -> ReturnedList | None:
        """The list of a query, None where there is none."""
        if (found := self._by_text.get(query)) is not None:
            return found
        for id_ in self._ids.get(query, ()):
            if id_ in self._by_id:
                return self._by_id[id_]
        return self._folded.get(folded(query))


def folded(text: str) -> str:
    """A query without regard to case and blanks."""
    return " ".join(text.split()).casefold()
