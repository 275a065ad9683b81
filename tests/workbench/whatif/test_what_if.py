"""Turning a knob tells what a real run with that setting finds, question by question."""

from __future__ import annotations

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting
from ragdebug.settings import StrategySettings
from ragdebug.workbench.whatif.asking import _verdict

DRAFT = "model=wordllama-l2-supercat-256"
CHUNKING = "fixed:24/0:tokens:nolabel"


def strategy(preset: str, **options: object) -> str:
    more = "".join(f"+{name}={value}" for name, value in options.items())
    return f"{preset}@{CHUNKING}+{DRAFT}{more}"


def really_delivered(wb: Workbench, settings: StrategySettings) -> dict[str, float]:
    """Share of each question's needs that a real run finds within k and budget."""
    (run,) = wb.evaluate([settings], yes=True).runs
    table = wb.measures(run.id)
    made = {}
    for id_, found, tokens in zip(table.questions, table.found, table.tokens, strict=True):
        inside = (found > 0) & (found <= settings.k)
        if settings.budget is not None:
            inside &= (tokens >= 0) & (tokens <= settings.budget)
        made[id_] = float(inside.mean())
    return made


KNOBS = [
    ("hybrid", {"rrf_k": 0}),
    ("hybrid", {"rrf_k": 7.5, "k": 10}),
    ("hybrid", {"weights": "vector:3,bm25:0.25"}),
    ("hybrid", {"weights": "vector:0"}),
    ("hybrid", {"weights": "bm25:0", "k": 3}),
    ("hybrid", {"fusion": "weighted"}),
    ("hybrid", {"fusion": "weighted", "weights": "bm25:0.3", "depth": 20}),
    ("hybrid", {"depth": 1}),
    ("hybrid", {"depth": 100, "k": 60}),
    ("hybrid", {"depth": 5, "k": 30}),  # lists are never shallower than k
    ("hybrid", {"minimum": 0.0306}),
    ("hybrid", {"budget": 90, "k": 20}),
    ("hybrid", {"budget": 25}),
    ("hybrid", {"preset": "bm25"}),
    ("vector", {"preset": "hybrid", "minimum": 0.03, "budget": 100}),
    ("vector", {"minimum": 0.75}),
    ("vector", {"k": 100, "budget": 700}),
    ("bm25", {"minimum": 9.5, "k": 50}),
    ("bm25", {"k": 1}),
    ("bm25", {"depth": 3, "k": 20}),
]


@pytest.mark.model
@pytest.mark.parametrize(("preset", "knobs"), KNOBS)
def test_what_if_is_a_real_run(wb: Workbench, preset: str, knobs: dict[str, object]) -> None:
    told = wb.what_if(strategy(preset), knobs)
    assert not told.left_out
    before = really_delivered(wb, told.before)
    after = really_delivered(wb, told.after)
    assert dict(zip(told.questions, told.values_before.tolist(), strict=True)) == before
    assert dict(zip(told.questions, told.values.tolist(), strict=True)) == after
    assert set(told.rescued) == {q for q in after if after[q] > before[q]}
    assert set(told.harmed) == {q for q in after if after[q] < before[q]}
    assert told.recall.mean == pytest.approx(np.mean(list(after.values())), abs=1e-12)
    assert told.recall.low <= told.recall.mean <= told.recall.high


def test_an_unknown_knob_is_named(wb: Workbench) -> None:
    with pytest.raises(InvalidSetting, match="loudness"):
        wb.what_if(strategy("bm25"), {"loudness": 11})


def test_a_clear_difference_is_called_that_of_one_look() -> None:
    assert _verdict(9, 0, 40, 0.0039) == (
        "rescues 9 and harms 0; a clear difference, p 0.004, n 40, by one look: trying many "
        "settings finds one by chance"
    )
    assert _verdict(2, 1, 40, 1.0) == "rescues 2 and harms 1; not distinguishable, p 1.000, n 40"
