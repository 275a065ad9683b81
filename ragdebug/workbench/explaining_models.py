"""Use cases of explaining one hit by asking its model again, with parts of the text left out.

What takes time comes bit by bit: the generators give what is known so far, and stop where nobody
asks for more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdebug import explain
from ragdebug.errors import InvalidSetting, ModelError
from ragdebug.explain import AT_ONCE, Occlusion
from ragdebug.pipeline import run
from ragdebug.protocols import Embedder, ModelInfo, PairScorer, Vectors, silent, text_hash
from ragdebug.records import Trace
from ragdebug.rerank import pool_size
from ragdebug.settings import DEFAULT_EMBEDDER, DEFAULT_RERANKER, StrategySettings
from ragdebug.tokens import counter
from ragdebug.workbench import full_lists
from ragdebug.workbench.explanations import (
    IndexedText,
    Reading,
    RerankExplanation,
    Span,
    VectorExplanation,
    WordSimilarity,
)
from ragdebug.workbench.indexed_text import parts_of, reading
from ragdebug.workbench.search import Search

Score = Callable[[Sequence[str]], NDArray[np.float64]]


class ExplainingModels(Search):
    """Use cases of explaining what a model gave."""

    def explain_vector(
        self, query: str, strategy: StrategySettings | str, row: int
    ) -> Iterator[VectorExplanation]:
        """The cosine of a chunk, and what each sentence is worth to it, bit by bit.

        Raises:
            ModelError: the model is not here or cannot be loaded.
        """
        settings = self._settings(strategy)
        resources = self._resources(settings, silent)
        indexed = self._indexed(settings, row)
        model, score = self._cosines(query, settings)
        read = reading(indexed.text, settings.embedder, _room(model))
        index = self.indexes.dense(resources.table, settings.embedder, settings.dense)
        vector = self._embed_query(settings.embedder, query)
        full = full_lists.vector(index, vector, resources.mask)
        rank = full.rank_of(row)
        listed = None if rank is None else float(full.scores[rank - 1])
        for weights in explain.occlude(indexed.text, indexed.parts, score, end=read.end):
            yield VectorExplanation(
                row, settings.embedder, indexed, read, rank, len(full), weights, listed
            )

    def explain_words(
        self, query: str, strategy: StrategySettings | str, row: int, part: int
    ) -> Iterator[Occlusion]:
        """What each word of one part of the indexed text is worth to the cosine, bit by bit.

        Args:
            query: as it was asked.
            strategy: whose model is used.
            row: of the chunk table.
            part: position in `IndexedText.parts`.
        """
        settings = self._settings(strategy)
        model, score = self._cosines(query, settings)
        indexed = self._indexed(settings, row)
        end = reading(indexed.text, settings.embedder, _room(model)).end
        words = explain.word_spans(indexed.text, *indexed.parts[part])
        yield from explain.occlude(indexed.text, words, score, end=end)

    def explain_tokens(
        self, query: str, strategy: StrategySettings | str, row: int
    ) -> WordSimilarity:
        """For each word of the query the most similar one of the chunk's indexed text."""
        from ragdebug.models import load_embedder

        settings = self._settings(strategy)
        embedder = load_embedder(settings.embedder)
        texts = (query, self._indexed(settings, row).text)
        words = [explain.word_spans(text) for text in texts]
        in_context = True
        try:
            vectors = [_in_context(embedder, t, w) for t, w in zip(texts, words, strict=True)]
        except ModelError:
            in_context = False
            vectors = [_alone(embedder, t, w) for t, w in zip(texts, words, strict=True)]
        matches = explain.best_words(words[0], vectors[0], words[1], vectors[1])
        return WordSimilarity(texts[1], matches, in_context)

    def explain_rerank(
        self,
        query: str,
        strategy: StrategySettings | str,
        row: int,
        trace: Trace | None = None,
    ) -> Iterator[RerankExplanation]:
        """Where the reranker put a chunk, and what each sentence is worth to it, bit by bit.

        A chunk that was not in the pool is scored all the same, to say where it would stand.

        Raises:
            InvalidSetting: the strategy reranks nothing.
            ModelError: the model is not here or cannot be loaded.
        """
        settings = self._settings(strategy)
        if settings.preset != "reranked":
            raise InvalidSetting(
                f"{settings.preset} reranks nothing.", hint="Ask for reranked instead."
            )
        resources = self._resources(settings, silent)
        if trace is None or trace.stage("reranked") is None:
            trace = run(query, settings, resources)
        fused, reranked = trace.stage("fused"), trace.stage("reranked")
        if fused is None or reranked is None:
            raise InvalidSetting(
                "There is nothing to rerank.", hint="Ask something of some chunks."
            )
        scorer = self._scorer(settings.rerank.model)
        indexed = self._indexed(settings, row)
        before, after, pool = fused.rank_of(row), reranked.rank_of(row), pool_size(reranked)
        inside = after is not None and after <= pool
        made = RerankExplanation(
            row=row,
            model=settings.rerank.model,
            score_kind=scorer.score_kind,
            before=before,
            before_score=float(fused.scores[before - 1]) if before is not None else None,
            before_kind=fused.score_kind,
            after=after if inside else None,
            score=float(reranked.scores[after - 1]) if after is not None and inside else None,
            list_kind=reranked.score_kind,
            pool=pool,
            would_be=None,
            indexed=indexed,
            reading=Reading(len(indexed.text), 0, 0),
            occlusion=None,
        )
        if scorer.score_kind == "identity":
            yield made
            return
        rows = fused.rows[:pool].tolist()
        texts = [resources.table.index_text(r) for r in rows]
        others = self._raw_scores(query, scorer, texts)
        read = _pair_reading(query, indexed.text, scorer)
        for weights in explain.occlude(
            indexed.text,
            indexed.parts,
            lambda some: scorer.score(query, some),
            end=read.end,
        ):
            place = rows.index(row) if row in rows else len(rows)
            mine = others[place] if row in rows else weights.score
            # Equal scores keep the order before.
            would_be = 1 + sum(s > mine or (s == mine and i < place) for i, s in enumerate(others))
            yield replace(made, reading=read, occlusion=weights, would_be=would_be)

    def _raw_scores(self, query: str, scorer: PairScorer, texts: Sequence[str]) -> list[float]:
        """The reranker's scores of the pool, which the search has kept."""
        hashes = [text_hash(t) for t in texts]
        known = self.store.scores.get(scorer.info.fingerprint, query, hashes)
        new = [at for at, h in enumerate(hashes) if h not in known]
        for first in range(0, len(new), AT_ONCE):
            some = new[first : first + AT_ONCE]
            scores = scorer.score(query, [texts[at] for at in some]).tolist()
            known = {**known, **dict(zip((hashes[at] for at in some), scores, strict=True))}
        return [known[h] for h in hashes]

    def _indexed(self, settings: StrategySettings, row: int) -> IndexedText:
        table = self.chunk_table(settings.chunking)
        ref = table.document(row)
        return parts_of(table, row, self.document(ref.id, ref.version))

    def _cosines(self, query: str, settings: StrategySettings) -> tuple[ModelInfo, Score]:
        """The model, and a function that gives the cosines of the query and some texts."""
        from ragdebug.models import load_embedder

        embedder = load_embedder(settings.embedder)
        vector = self._embed_query(settings.embedder, query)

        def score(texts: Sequence[str]) -> NDArray[np.float64]:
            return np.asarray(embedder.embed_passages(texts) @ vector, np.float64)

        return embedder.info, score

    @staticmethod
    def _settings(strategy: StrategySettings | str) -> StrategySettings:
        """The strategy, where its scores were made here.

        Raises:
            InvalidSetting: another system made them.
        """
        one = StrategySettings.parse(strategy) if isinstance(strategy, str) else strategy
        if one.is_outside:
            raise InvalidSetting(
                f"{one.title} was scored by another system; how, only that system can tell.",
                title="Nothing to take apart",
                hint="Explain the same passage in a column that is searched here.",
            )
        return one


def _room(model: ModelInfo) -> int:
    """Most tokens of a text that a model reads, 0 for no limit."""
    return max(1, model.window - model.special_tokens) if model.window else 0


def _pair_reading(query: str, text: str, scorer: PairScorer) -> Reading:
    """How far a reranker reads a text beside a query."""
    name = scorer.info.name
    room = max(1, scorer.info.window - scorer.info.special_tokens) if scorer.info.window else 0
    if name == DEFAULT_RERANKER:  # which reads query and text apart
        return reading(text, DEFAULT_EMBEDDER, room)
    if not room:
        return reading(text, name, 0)
    alone, both = scorer.lengths(query, ["", text])
    asked = alone - scorer.info.special_tokens
    return reading(text, name, max(1, _beside(asked, both - alone, room)))


def _beside(asked: int, tokens: int, room: int) -> int:
    """Tokens of a text that are read after a query's, when the two share some room.

    What is too long is taken off the end of the longer one; where both are longer than half of the
    room, each gets a half (the truncation "longest_first" of the tokenizers library).
    """
    shorter = min(asked, tokens)
    if asked + tokens <= room or 2 * shorter <= room:
        return tokens if tokens <= asked else min(tokens, room - asked)
    return room // 2 + (room % 2 if tokens >= asked else 0)


def _in_context(embedder: Embedder, text: str, words: Sequence[Span]) -> Vectors:
    """Vectors of words from those of their tokens; ModelError where a model has none."""
    read: Any = getattr(embedder, "token_vectors", None)
    if read is None:
        raise ModelError(f"{embedder.info.name} has no token vectors.")
    vectors: Vectors = read([text])[0]
    tokens = counter(embedder.info.name).offsets(text)
    if len(vectors) > len(tokens):
        raise ModelError(f"The tokens of {embedder.info.name} cannot be placed in the text.")
    return explain.of_words(words, tokens, vectors)


def _alone(embedder: Embedder, text: str, words: Sequence[Span]) -> Vectors:
    """Vectors of words, each embedded by itself."""
    alone = [text[a:b] for a, b in words]
    parts = [
        embedder.embed_passages(alone[at : at + AT_ONCE]) for at in range(0, len(alone), AT_ONCE)
    ]
    return np.concatenate([np.zeros((0, embedder.info.dimension), np.float32), *parts])
