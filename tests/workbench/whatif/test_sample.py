"""Every knob that answers at once, on the sample corpus and its questions, against real runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ragdebug import Workbench
from ragdebug.places import sample_folder, sample_questions
from ragdebug.settings import StrategySettings
from tests.workbench.whatif.test_reranked import SharedLetters
from tests.workbench.whatif.test_what_if import really_delivered

MODEL = "wordllama-l2-supercat-256"
CHUNKING = "structure:120/20:tokens:label"
KNOBS = [
    ("hybrid", {"rrf_k": 5}),
    ("hybrid", {"weights": "vector:0.4,bm25:1.6"}),
    ("hybrid", {"depth": 12}),
    ("hybrid", {"k": 14}),
    ("hybrid", {"budget": 400, "k": 10}),
    ("hybrid", {"minimum": 0.0312}),
    ("vector", {"minimum": 0.4, "k": 20}),
    ("bm25", {"budget": 250}),
    ("reranked", {"pool": 9}),
    ("reranked", {"pool": 12, "k": 8, "rrf_k": 20, "depth": 30}),
    ("reranked", {"minimum": 4.0}),
]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """The sample corpus with its questions, embedded by the quickest model."""
    with Workbench(tmp_path_factory.mktemp("sample") / "workspace") as wb:
        wb.ingest([sample_folder()])
        wb.import_questions(sample_questions())
        wb.build(CHUNKING, MODEL)
        yield wb


@pytest.mark.model
@pytest.mark.parametrize(("preset", "knobs"), KNOBS)
def test_on_the_sample_questions_a_knob_tells_what_a_run_finds(
    sample: Workbench, preset: str, knobs: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragdebug.models.load_reranker", lambda name: SharedLetters())
    before = StrategySettings.parse(f"{preset}@{CHUNKING}+model={MODEL}")
    sample.compute_what_if(before, knobs)
    told = sample.what_if(before, knobs)
    assert len(told.questions) > 100
    assert not told.left_out
    really = really_delivered(sample, told.after)
    assert dict(zip(told.questions, told.values.tolist(), strict=True)) == really
    today = really_delivered(sample, told.before)
    assert set(told.rescued) == {q for q in really if really[q] > today[q]}
    assert set(told.harmed) == {q for q in really if really[q] < today[q]}
    assert told.rescued or told.harmed
