"""Turning knobs of a reranked strategy, as far as the reranker has scored and beyond."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.model_files import info
from ragdebug.settings import StrategySettings

DRAFT = "model=wordllama-l2-supercat-256"
CHUNKING = "fixed:24/0:tokens:nolabel"


class SharedLetters:
    """Counts letters that query and text share in order: quick, coarse, and full of ties."""

    info = info("late-interaction")
    score_kind = "maxsim"

    def __init__(self) -> None:
        self.read = 0

    def score(self, query: str, texts: Sequence[str]) -> np.ndarray:
        self.read += len(texts)
        words = query.split()
        return np.array([float(sum(w in text for w in words) // 2) for text in texts])

    def score_pairs(
        self, queries: Sequence[str], texts: Sequence[str], wanted: Sequence[Sequence[int]]
    ) -> Iterator[np.ndarray]:
        for text, asked in zip(texts, wanted, strict=True):
            yield np.array([self.score(queries[at], [text])[0] for at in asked])

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        return [0] * len(texts)


@pytest.fixture(autouse=True)
def scorer(monkeypatch: pytest.MonkeyPatch) -> SharedLetters:
    made = SharedLetters()
    monkeypatch.setattr("ragdebug.models.load_reranker", lambda name: made)
    return made


def strategy(**options: object) -> str:
    more = "".join(f"+{name}={value}" for name, value in options.items())
    return f"reranked@{CHUNKING}+{DRAFT}{more}"


def really_delivered(wb: Workbench, settings: StrategySettings) -> dict[str, float]:
    (run,) = wb.evaluate([settings], yes=True).runs
    table = wb.measures(run.id)
    made = {}
    for id_, found, tokens in zip(table.questions, table.found, table.tokens, strict=True):
        inside = (found > 0) & (found <= settings.k)
        if settings.budget is not None:
            inside &= (tokens >= 0) & (tokens <= settings.budget)
        made[id_] = float(inside.mean())
    return made


KNOBS: list[dict[str, object]] = [
    {"pool": 5},
    {"pool": 30, "k": 25},
    {"pool": 9, "k": 9, "minimum": 2.0},
    {"blend": "yes"},
    {"blend": "yes", "pool": 12, "minimum": 0.03, "budget": 60},
    {"rrf_k": 3, "pool": 10},
    {"weights": "bm25:0", "pool": 15},
    {"reranker": "identity", "pool": 8, "minimum": 0.01, "k": 8},
    {"preset": "hybrid", "k": 20},
]


@pytest.mark.model
@pytest.mark.parametrize("knobs", KNOBS)
def test_what_if_is_a_real_run(wb: Workbench, knobs: dict[str, object]) -> None:
    wb.compute_what_if(strategy(pool=60), knobs)
    told = wb.what_if(strategy(pool=60), knobs)
    assert not told.left_out
    after = really_delivered(wb, told.after)
    assert dict(zip(told.questions, told.values.tolist(), strict=True)) == after
    before = really_delivered(wb, told.before)
    assert dict(zip(told.questions, told.values_before.tolist(), strict=True)) == before


@pytest.mark.model
def test_a_deeper_pool_has_a_price_and_is_remembered(wb: Workbench, scorer: SharedLetters) -> None:
    # BM25 alone feeds the pool, so that "xyzzy", which nothing holds, has nothing to be read.
    base = strategy(weights="vector:0", k=5, pool=61, filter="language=xx")
    assert wb.plan_what_if(base, {"pool": 5}).instant  # the filter lets nothing through
    base = strategy(weights="vector:0", k=5, pool=61, depth=70)
    cost = wb.plan_what_if(base, {"pool": 70})
    assert cost.texts == 0 and cost.passages > 0 and cost.estimate_s > 0
    assert str(cost.passages) in str(cost).replace(",", "")
    told = wb.what_if(base, {"pool": 70})
    assert scorer.read == 0
    assert told.left_out and told.cost == cost
    assert set(told.left_out).isdisjoint(told.questions)
    nothing = next(q.id for q in wb.questions() if q.text == "xyzzy")
    assert nothing in told.questions
    wb.compute_what_if(base, {"pool": 70})
    assert scorer.read > 0
    assert wb.plan_what_if(base, {"pool": 70}).instant
    again = wb.what_if(base, {"pool": 70})
    assert not again.left_out and len(again.questions) == 46
    read = scorer.read
    wb.compute_what_if(base, {"pool": 70})
    assert scorer.read == read
