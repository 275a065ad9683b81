"""The use case of comparing HNSW with exact search."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from ragdebug.errors import NothingToMeasure
from ragdebug.evidence import Coverage
from ragdebug.model_files import info as model_info
from ragdebug.protocols import Progress, Vectors, silent
from ragdebug.questions import LABELLED, Question
from ragdebug.records import Place
from ragdebug.retrieve.dense import DenseIndex
from ragdebug.settings import DenseSettings, StrategySettings
from ragdebug.table import ChunkTable
from ragdebug.workbench.health import index_check as use
from ragdebug.workbench.health.index_check import IndexCheck
from ragdebug.workbench.health.run_checks import RunChecks

BATCH = 512


class IndexChecks(RunChecks):
    """Exact and approximate vector search side by side."""

    def index_check(
        self,
        strategy: StrategySettings | str,
        sample: int = 200,
        m: int | None = None,
        ef_search: int | None = None,
        seed: int = 0,
        progress: Progress = silent,
    ) -> IndexCheck:
        """Ask the same queries by exact search and by HNSW.

        The queries are questions of the workspace; where there are none, the texts of chunks, whose
        vectors are there already and find themselves first.

        Args:
            strategy: whose chunking, model, filter and k are used; it needs vectors.
            sample: so many queries, drawn by `seed`; 0 for all.
            m: links of a node; the strategy's own where None. Another one builds another index.
            ef_search: candidates kept in mind; the strategy's own where None. A search for 20 hits
                never keeps fewer than 36.
            seed: of the sample.
            progress: called with queries done.

        Raises:
            NothingToMeasure: there are no chunks, or the strategy has no vectors.
            IndexIncomplete: some chunks have no vector yet.
            ModelError: the model is not here.
        """
        one = StrategySettings.parse(strategy) if isinstance(strategy, str) else strategy
        if not one.uses_vectors:
            raise NothingToMeasure(f"{one.preset} uses no vectors, so that it has no such index.")
        m = one.dense.hnsw_m if m is None else m
        ef_search = one.dense.ef_search if ef_search is None else ef_search
        settings = DenseSettings("hnsw", m, ef_search)
        resources = self._resources(one, progress)
        table, mask = resources.table, resources.mask
        if not len(table):
            raise NothingToMeasure("There are no chunks.", hint="Read documents in first.")
        exact = self.indexes.complete(table, one.embedder, DenseSettings())
        asked, queries, kind, total = self._queries(one, table, sample, seed, progress)
        approximate, build_s = self._built(table, one.embedder, settings, progress)
        depth = max(*use.KS, one.k)
        precise, exact_s = use.searched(exact, queries, depth, mask, progress, "exact searches")
        quick, hnsw_s = use.searched(approximate, queries, depth, mask, progress, "HNSW searches")
        coverages: dict[Place, Coverage] = {}

        def coverage(place: Place) -> Coverage:
            if place not in coverages:
                text = self._text(place.document, place.version)
                coverages[place] = Coverage(table, place, text)
            return coverages[place]

        lost = []
        for question, a, b in zip(asked, precise, quick, strict=True):
            found = [use.needs_found(question, rows, one.k, coverage) for rows in (a, b)]
            lost.append(max(0, found[0] - found[1]))
        return IndexCheck(
            strategy=str(one),
            chunks=len(table),
            kind=kind,
            queries=len(queries),
            total=total,
            m=m,
            ef_search=max(ef_search, depth + use.MARGIN),
            asked=ef_search,
            recall=use.intervals(precise, quick),
            exact_ms=exact_s * 1000,
            hnsw_ms=hnsw_s * 1000,
            build_s=build_s,
            labelled=sum(q.state == LABELLED for q in asked),
            k=one.k,
            costs=use.costs([(q.id, q.text) for q in asked], precise, quick, lost),
        )

    @staticmethod
    def index_strategies(strategies: Sequence[StrategySettings]) -> list[StrategySettings]:
        """One strategy for each index that some strategies search in; the default one for none.

        Raises:
            NothingToMeasure: none of them uses vectors.
        """
        dense = [s for s in strategies if s.uses_vectors]
        if strategies and not dense:
            raise NothingToMeasure(
                "None of these strategies uses vectors, so that there is no such index."
            )
        first = {(s.chunking, s.embedder, s.filter): s for s in reversed(dense)}
        return list(first.values())[::-1] or [StrategySettings(preset="vector")]

    def _queries(
        self, strategy: StrategySettings, table: ChunkTable, sample: int, seed: int, tell: Progress
    ) -> tuple[list[Question], Vectors, str, int]:
        """What is asked, as questions, with vectors of shape (queries, dimension)."""
        every = self.questions()
        total = len(every) or len(table)
        at = np.arange(total)
        if 0 < sample < total:
            at = np.sort(np.random.default_rng(seed).choice(total, sample, replace=False))
        model = model_info(strategy.embedder)
        if every:
            drawn = [every[i] for i in at.tolist()]
            return drawn, _embedded(strategy.embedder, drawn, tell), use.QUESTIONS, total
        rows, vectors = self.indexes.vectors(table, model)
        asked = np.isin(rows, at)
        drawn = [Question("", table.index_text(i)) for i in rows[asked].tolist()]
        return drawn, vectors[asked], use.CHUNK_TEXTS, total

    def _built(
        self, table: ChunkTable, embedder: str, settings: DenseSettings, progress: Progress
    ) -> tuple[DenseIndex, float]:
        """The HNSW index, and the seconds of building it; 0 where it was there."""
        if self.indexes.has_dense(table, embedder, settings):
            return self.indexes.complete(table, embedder, settings, progress), 0.0
        start = time.perf_counter()
        made = self.indexes.complete(table, embedder, settings, progress)
        return made, time.perf_counter() - start


def _embedded(embedder: str, questions: Sequence[Question], progress: Progress) -> Vectors:
    from ragdebug.models import load_embedder

    progress(0, 0, "loading the model")
    loaded = load_embedder(embedder)
    parts = []
    for at in range(0, len(questions), BATCH):
        progress(at, len(questions), "questions embedded")
        parts.append(loaded.embed_queries([q.text for q in questions[at : at + BATCH]]))
    return np.concatenate(parts)
