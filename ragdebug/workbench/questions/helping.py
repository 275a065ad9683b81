"""Help for the person who labels: likely sentences, the same text elsewhere, warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ragdebug.errors import RagDebugError
from ragdebug.questions import Label, Question
from ragdebug.records import Chunk, Place
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    DEFAULT_RERANKER,
    DEFAULT_WORKSPACE,
    BM25Settings,
    StrategySettings,
)
from ragdebug.table import page_at
from ragdebug.tokens import counter
from ragdebug.workbench.kept import Kept
from ragdebug.workbench.questions import alike, sentences, warnings
from ragdebug.workbench.questions.exchange import Exchange
from ragdebug.workbench.questions.records import SentenceChoice

Borders = tuple[frozenset[int], frozenset[int]]  # where chunks start, and where they end
_Scorer = Callable[[str, Sequence[str]], Sequence[float]]

NEARLY = 90.0  # similarity from which on a passage elsewhere is offered as the same


class Questions(Exchange):
    """All use cases on questions."""

    def __init__(self, path: str | Path = DEFAULT_WORKSPACE, **options: Any) -> None:  # noqa: ANN401
        super().__init__(path, **options)
        self._borders: Kept[Borders] = Kept(64)
        self._alike: Kept[list[list[int]]] = Kept(2)

    def sentence_choice(self, hit: Place | Chunk, query: str) -> SentenceChoice:
        """The sentences of a hit with the likeliest one chosen, for "this answers it".

        Sentences that the hit cuts are whole. A model has its say where one is loaded; none is
        loaded for it.

        Raises:
            DocumentNotFound: the hit's document is gone.
        """
        document = self.document(hit.document, hit.version)
        spans = sentences.sentences(document, hit.start, hit.end)
        analyzer = self.indexes.analyzer(BM25Settings())
        return sentences.choose(document, spans, query, analyzer, _model())

    def chosen_place(self, choice: SentenceChoice) -> Place:
        """The place that a choice of sentences stands for."""
        return self.place(choice.document, choice.start, choice.end, choice.version)

    def same_text(self, place: Place, most: int = 20) -> list[Place]:
        """Identical and nearly identical passages elsewhere, to be offered and never just added.

        Exact ones come first. Another version or another customer's copy may be wrong.
        """
        if not place.quote.strip():
            return []
        finder = self._place_finder()
        exact = finder.everywhere(place.quote)
        nearly = [p for p, s in finder.alike(place.quote, most=most + len(exact)) if s >= NEARLY]
        found: list[Place] = []
        for one in (*exact, *nearly):
            if not any(_overlaps(one, known) for known in (place, *found)):
                found.append(one)
        return found[:most]

    def page_of(self, place: Place) -> int | None:
        """Sheet number of a place's start, None where its document has no pages or is not here."""
        info = self._by_id().get(place.document)
        if info is None or not info.pages or place.start < 0:
            return None
        page = page_at(self.document(info.id, place.version).parsed.pages, place.start)
        return page.number if page else None

    def similar_questions(self, threshold: float = alike.THRESHOLD) -> list[list[Question]]:
        """Groups of questions that are nearly the same; `threshold` runs from 0 to 100."""
        questions = self.questions()
        texts = tuple((q.id, q.text) for q in questions)
        numbers = self._alike.get((texts, threshold), lambda: alike.groups(questions, threshold))
        return [[questions[at] for at in group] for group in numbers]

    def label_warnings(self, question: Question) -> list[str]:
        """What to know before trusting the labels: too long, on chunk borders, stale, unplaced."""
        active = self._by_id()
        count = counter(DEFAULT_EMBEDDER).count
        return list(warnings.of(question, active, count, self._on_borders))

    @staticmethod
    def labels_taken_from(questions: Iterable[Question]) -> tuple[str, ...]:
        """Strategies that labels were taken over from, and which they favour; sorted."""
        labels = (x for q in questions for need in q.needs for x in need.labels)
        return tuple(sorted({name for x in labels if (name := warnings.taken_from(x))}))

    def _on_borders(self, label: Label) -> bool:
        name, place = warnings.taken_from(label), label.place
        if not name:
            return False
        try:
            chunking = StrategySettings.parse(name).chunking

            def make() -> Borders:
                chunks = self.indexes.cut(self.document(place.document, place.version), chunking)
                return frozenset(c.start for c in chunks), frozenset(c.end for c in chunks)

            starts, ends = self._borders.get((place.document, place.version, chunking), make)
        except RagDebugError:  # settings or a text of another time
            return False
        return place.start in starts and place.end in ends


def _overlaps(one: Place, other: Place) -> bool:
    return one.document == other.document and one.start < other.end and other.start < one.end


def _model() -> _Scorer | None:
    """Scores of sentences by the built-in reranker, where it is in memory already."""
    from ragdebug.models import is_loaded, load_reranker

    if not is_loaded(DEFAULT_RERANKER):
        return None
    scorer = load_reranker(DEFAULT_RERANKER)
    return lambda query, texts: scorer.score(query, texts).tolist()
