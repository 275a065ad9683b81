"""What is said of result lists: of a whole set, and of one that a person is about to take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragdebug.store.result_lists import ResultListInfo


@dataclass(frozen=True, slots=True)
class ListReport:
    """Result lists of many queries, and how they meet the questions and documents of now.

    Attributes:
        info: the set.
        strategy: text form under which it is searched and evaluated, ``list:NAME``.
        questions: how many questions there are.
        answered: how many of them it has a list for.
        unanswered: ids of those it has none for.
        unknown: queries and ids that no question has, some of them.
        unknown_queries: how many.
        hits: of all lists together.
        placed: hits that stand somewhere in the documents.
        elsewhere: hits of documents that are not here.
        empty: lists without any hit.
        deepest: hits of the longest list.
        notes: sentences about the whole set.
        dry_run: nothing was kept.
    """

    info: ResultListInfo
    strategy: str
    questions: int
    answered: int
    unanswered: tuple[str, ...]
    unknown: tuple[str, ...]
    unknown_queries: int
    hits: int
    placed: int
    elsewhere: int
    empty: int
    deepest: int
    notes: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def not_placed(self) -> int:
        """Hits that never count as found, since nobody knows where they stand."""
        return self.hits - self.placed

    @property
    def problems(self) -> list[tuple[int, str]]:
        """Lines of the file that were left out or repaired."""
        return [(int(line), str(text)) for line, text in self.info.about.get("problems", [])]


@dataclass(frozen=True, slots=True)
class PreviewHit:
    """One hit of a list that is pasted.

    Attributes:
        score: NaN without one.
        name: document here, else what the list calls it.
        text: its words, as given or as they stand here; "" where nobody knows them.
        placed: whether it stands somewhere in the documents.
    """

    rank: int
    score: float
    name: str
    text: str
    placed: bool


@dataclass(frozen=True, slots=True)
class ListPreview:
    """What a pasted list was understood as.

    Attributes:
        sentence: in words.
        hits: best first.
        notes: what to know about it.
        about: form and kind, as they are kept.
    """

    sentence: str
    hits: tuple[PreviewHit, ...]
    notes: tuple[str, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def placed(self) -> int:
        """How many stand somewhere in the documents."""
        return sum(h.placed for h in self.hits)
