"""The usual remedies for each stage at which a question is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from ragdebug.errors import InvalidSetting
from ragdebug.runs import DEPTH
from ragdebug.settings import (
    DEFAULT_EMBEDDER,
    DRAFT_EMBEDDER,
    PLAIN,
    AnalyzerSettings,
    ChunkingSettings,
    StrategySettings,
)


@dataclass(frozen=True, slots=True)
class Remedy:
    """A strategy that may find what another one loses, and why."""

    name: str
    reason: str
    strategy: StrategySettings


Making = Callable[[StrategySettings], Iterator[Remedy]]


def remedies(stage: str, strategy: StrategySettings) -> tuple[Remedy, ...]:
    """Remedies for a stage, the likeliest first; none where no setting helps, see `NO_REMEDY`.

    An unknown or empty stage gets all of them.
    """
    made: dict[StrategySettings, Remedy] = {}
    for one in _FOR_STAGE.get(stage, _EVERY):
        try:
            for remedy in one(strategy):
                if remedy.strategy != strategy:
                    made.setdefault(remedy.strategy, remedy)
        except InvalidSetting:
            continue  # such a change makes no sense for this strategy
    return tuple(made.values())


# Chunks -------------------------------------------------------------------------------------------


def _structure(s: StrategySettings) -> Iterator[Remedy]:
    cut = s.chunking
    if cut.is_unsized:
        made = ChunkingSettings(label=cut.label)
    else:
        made = replace(cut, strategy="structure", separators=())
    yield Remedy(
        f"cut by {made.strategy}",
        "Chunks that follow headings and tables keep a passage in one piece.",
        replace(s, chunking=made),
    )


def _overlap(s: StrategySettings) -> Iterator[Remedy]:
    cut = s.chunking
    if not cut.is_unsized and not cut.overlap_unit:
        more = cut.size // 5 if cut.overlap < cut.size // 5 else 2 * cut.overlap
        yield Remedy(
            f"overlap {more}",
            "What lies across a border stands whole in one of the two chunks.",
            replace(s, chunking=replace(cut, overlap=more)),
        )


def _larger(s: StrategySettings) -> Iterator[Remedy]:
    if not s.chunking.is_unsized:
        yield Remedy(
            f"chunks of {2 * s.chunking.size}",
            "A larger chunk holds a longer passage whole.",
            replace(s, chunking=replace(s.chunking, size=2 * s.chunking.size)),
        )


def _smaller(s: StrategySettings) -> Iterator[Remedy]:
    cut = s.chunking
    if not cut.is_unsized and cut.size > 1:
        overlap = cut.overlap if cut.overlap_unit else min(cut.overlap, cut.size // 2 // 5)
        yield Remedy(
            f"chunks of {cut.size // 2}",
            "A smaller chunk fits the model's window and the budget, and says one thing.",
            replace(s, chunking=replace(cut, size=cut.size // 2, overlap=overlap)),
        )


def _label(s: StrategySettings) -> Iterator[Remedy]:
    if s.chunking.is_imported:
        return
    yield Remedy(
        "with label",
        "The headings above a passage often hold the words that it lacks.",
        replace(s, chunking=replace(s.chunking, label=True)),
    )


# Lists --------------------------------------------------------------------------------------------


def _hybrid(s: StrategySettings) -> Iterator[Remedy]:
    if s.preset in ("vector", "bm25"):
        yield Remedy(
            "hybrid",
            "What one kind of list misses the other may have.",
            replace(s, preset="hybrid"),
        )


def _alone(s: StrategySettings) -> Iterator[Remedy]:
    if s.preset in ("hybrid", "reranked"):
        for name in ("bm25", "vector"):
            yield Remedy(f"{name} alone", "The other list outvotes it.", replace(s, preset=name))


def _analyzer(s: StrategySettings) -> Iterator[Remedy]:
    if s.uses_bm25:
        for name, analyzer in (
            ("words as they stand", PLAIN),
            ("without stemming", AnalyzerSettings(stemming=False)),
            ("words of the corpus' language", AnalyzerSettings()),
        ):
            yield Remedy(
                name,
                "Another analyzer keeps or joins other words.",
                replace(s, bm25=replace(s.bm25, analyzer=analyzer)),
            )


def _deeper(s: StrategySettings) -> Iterator[Remedy]:
    if s.preset in ("hybrid", "reranked"):
        yield Remedy(
            f"depth {max(DEPTH, 2 * s.depth)}",
            "More candidates of each list take part in fusion.",
            replace(s, depth=max(DEPTH, 2 * s.depth)),
        )


def _model(s: StrategySettings) -> Iterator[Remedy]:
    if s.uses_vectors:
        other = DRAFT_EMBEDDER if s.embedder == DEFAULT_EMBEDDER else DEFAULT_EMBEDDER
        yield Remedy(
            f"model {other}",
            "Another model sees other texts as alike.",
            replace(s, embedder=other),
        )


# Fusion and reranking -----------------------------------------------------------------------------


def _fusion(s: StrategySettings) -> Iterator[Remedy]:
    if s.preset not in ("hybrid", "reranked"):
        return
    yield Remedy(
        "RRF k 10",
        "A small k lets the first ranks of one list count for more.",
        replace(s, fusion=replace(s.fusion, method="rrf", k=10)),
    )
    for name in ("bm25", "vector"):
        weights = tuple((other, 2.0 if other == name else 1.0) for other in ("vector", "bm25"))
        yield Remedy(
            f"{name} counts twice",
            f"The list that has it, if that is {name}, is heard more.",
            replace(s, fusion=replace(s.fusion, weights=weights)),
        )
    yield Remedy(
        "weighted scores",
        "Scores keep a clear lead that ranks hide.",
        replace(s, fusion=replace(s.fusion, method="weighted")),
    )


def _reranker(s: StrategySettings) -> Iterator[Remedy]:
    if s.preset != "reranked":
        pool = max(s.rerank.pool, s.k)
        yield Remedy(
            "reranker",
            "A second model reads question and passage together.",
            replace(s, preset="reranked", rerank=replace(s.rerank, pool=pool)),
        )


def _pool(s: StrategySettings) -> Iterator[Remedy]:
    if s.preset == "reranked":
        yield Remedy(
            f"pool {2 * s.rerank.pool}",
            "The reranker sees more candidates.",
            replace(s, rerank=replace(s.rerank, pool=2 * s.rerank.pool)),
        )


def _gentle(s: StrategySettings) -> Iterator[Remedy]:
    if s.preset == "reranked":
        yield Remedy(
            "blend",
            "The first stage keeps a say in the order.",
            replace(s, rerank=replace(s.rerank, blend=True)),
        )
        yield Remedy("no reranker", "The first stage alone had it.", replace(s, preset="hybrid"))


# Cuts ---------------------------------------------------------------------------------------------


def _more(s: StrategySettings) -> Iterator[Remedy]:
    k = min(2 * s.k, DEPTH)
    pool = max(s.rerank.pool, k) if s.preset == "reranked" else s.rerank.pool
    yield Remedy(
        f"k {k}",
        "More hits, and a longer context, reach further down.",
        replace(s, k=k, rerank=replace(s.rerank, pool=pool)),
    )


def _no_minimum(s: StrategySettings) -> Iterator[Remedy]:
    yield Remedy("no minimum score", "Nothing is left out.", replace(s, minimum=None))


def _budget(s: StrategySettings) -> Iterator[Remedy]:
    if s.budget is not None:
        yield Remedy(
            f"budget {2 * s.budget}",
            "More whole chunks fit the context.",
            replace(s, budget=2 * s.budget),
        )


def _no_filter(s: StrategySettings) -> Iterator[Remedy]:
    yield Remedy("no filter", "All documents take part.", replace(s, filter=()))


_FOR_STAGE: Mapping[str, tuple[Making, ...]] = MappingProxyType(
    {
        "not_in_corpus": (),
        "lost_in_parsing": (),
        "filtered_out": (_no_filter,),
        "cut": (_structure, _overlap, _larger),
        "beyond_window": (_smaller, _hybrid, _model, _structure),
        "not_retrieved": (_hybrid, _deeper, _analyzer, _label, _structure, _smaller, _model),
        "lost_in_fusion": (_fusion, _alone, _deeper, _pool, _reranker, _label),
        "lost_in_rerank": (_gentle, _more, _pool, _label, _smaller),
        "below_k": (_reranker, _more, _hybrid, _fusion, _label, _analyzer, _smaller, _model),
        "below_minimum_score": (_no_minimum,),
        "over_budget": (_budget, _smaller, _reranker),
        "delivered": (),
    }
)
_EVERY: tuple[Making, ...] = tuple(
    dict.fromkeys(one for some in _FOR_STAGE.values() for one in some)
)
NO_REMEDY: Mapping[str, str] = MappingProxyType(
    {
        "not_in_corpus": "No setting brings it back: the text that answers is in no document. "
        "Read the document in that has it.",
        "lost_in_parsing": "No setting of a strategy brings it back: the text was lost when the "
        "file was read. Read the file another way, or paste the text of the page.",
        "delivered": "Nothing is lost: the question is delivered.",
    }
)
