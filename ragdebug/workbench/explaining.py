"""Use cases of explaining one hit, returned or wanted, by the arithmetic of its lists.

A hit is a row of the chunk table of the strategy's chunking. What stands here needs no model, as
long as the lists are at hand in a trace; what a model says is in `explaining_models`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragdebug import explain
from ragdebug.errors import InvalidSetting
from ragdebug.explain import BM25Explanation
from ragdebug.model_files import info as model_info
from ragdebug.pipeline import Resources, run
from ragdebug.protocols import Vectors, silent
from ragdebug.records import RankedList, Trace
from ragdebug.settings import StrategySettings
from ragdebug.workbench import full_lists
from ragdebug.workbench.explaining_models import ExplainingModels
from ragdebug.workbench.explanations import FusionExplanation


class Explaining(ExplainingModels):
    """Use cases of explaining one hit."""

    def explain_bm25(
        self, query: str, strategy: StrategySettings | str, row: int
    ) -> BM25Explanation:
        """The BM25 score of a chunk, a row a term; also of one that no list shows."""
        settings = self._settings(strategy)
        resources = self._resources(settings, silent)
        index = self.indexes.bm25(resources.table, settings.bm25)
        full = full_lists.bm25(index, query, resources.mask)
        return explain.bm25_rows(index, query, row, full.rank_of(row), len(full))

    def explain_fusion(
        self,
        query: str,
        strategy: StrategySettings | str,
        row: int,
        trace: Trace | None = None,
    ) -> FusionExplanation:
        """What each list gave to a chunk, and the smallest changes that would admit it.

        Args:
            query: as it was asked.
            strategy: hybrid or reranked; for a reranked one, admitted means to the pool.
            row: of the chunk table.
            trace: of the search, so that nothing is searched again. Where the query's vector is
                not at hand and its model not in memory, ranks beyond the depth of the vector list
                stay unknown, and so does what a larger depth would do.

        Raises:
            InvalidSetting: the strategy fuses nothing.
        """
        settings = self._settings(strategy)
        if settings.preset not in ("hybrid", "reranked"):
            raise InvalidSetting(
                f"{settings.preset} fuses no lists.", hint="Ask for hybrid or reranked instead."
            )
        resources = self._resources(settings, silent)
        if trace is None or trace.stage("fused") is None:
            trace = run(query, replace(settings, preset="hybrid", minimum=None), resources)
        fused = trace.stage("fused")
        if fused is None:
            raise InvalidSetting("There is nothing to fuse.", hint="Ask something of some chunks.")
        lists = [s for s in trace.stages if s.name in ("vector", "bm25")]
        longer = self._longer(query, settings, resources, lists)
        far = {name: one.rank_of(row) for name, one in longer.items()}
        shares = trace.shares.get(row, ())
        rows = explain.ledger(row, lists, fused, shares, settings.fusion, far)
        pooled = settings.preset == "reranked"
        admitted = settings.rerank.pool if pooled else settings.k
        made = FusionExplanation(
            ledger=rows,
            admitted=admitted,
            goal="pool" if pooled else "top k",
            score=float(fused.scores[rows.rank - 1]) if rows.rank is not None else None,
            last=float(fused.scores[admitted - 1]) if len(fused) >= admitted else None,
            changes=(),
        )
        if made.inside:
            return made
        known = [longer.get(one.name, one) for one in lists]
        ranks = explain.Ranks(known, lists[0].depth)
        changes = explain.admissions(ranks, row, settings.fusion, admitted, settings.k)
        whole = len(longer) == len(lists)
        if not whole:
            changes = tuple(c for c in changes if c.knob != "depth")
        knob = "pool" if pooled else "k"
        larger = explain.more(ranks, row, settings.fusion, admitted, knob, whole)
        return replace(made, changes=(*changes, larger))

    def _longer(
        self,
        query: str,
        settings: StrategySettings,
        resources: Resources,
        lists: Sequence[RankedList],
    ) -> dict[str, RankedList]:
        """The lists over the whole corpus, by name, where that loads no model."""
        made = {}
        for one in lists:
            if one.name == "bm25":
                index = self.indexes.bm25(resources.table, settings.bm25)
                full = full_lists.bm25(index, query, resources.mask)
            else:
                vector = self._known_vector(settings.embedder, query)
                if vector is None:
                    continue
                dense = self.indexes.dense(resources.table, settings.embedder, settings.dense)
                full = full_lists.vector(dense, vector, resources.mask)
            made[one.name] = full_lists.continued(one, full)
        return made

    def _known_vector(self, embedder: str, query: str) -> Vectors | None:
        """The query's vector, where it is known or the model is in memory."""
        from ragdebug.models import is_loaded

        known = self._query_vectors.peek((model_info(embedder).fingerprint, query))
        if known is None and is_loaded(embedder):
            known = self._embed_query(embedder, query)
        return known
