"""Strategies over questions: what is kept, in which order, what waits, what goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import Cancelled, NothingToMeasure
from ragdebug.protocols import Vectors
from ragdebug.questions import Label, Need
from ragdebug.runs import DONE, STOPPED, Run
from tests.workbench.evaluation.conftest import TOPICS

CHUNKING = "structure:60/0:tokens:nolabel"
DRAFT = "model=wordllama-l2-supercat-256"


def strategy(preset: str) -> str:
    return f"{preset}@{CHUNKING}+{DRAFT}"


def test_every_question_that_names_its_document_is_found_first(wb: Workbench) -> None:
    report = wb.evaluate([strategy("bm25")])
    (run,) = report.runs
    assert (run.state, run.asked, report.labelled) == (DONE, 12, 12)
    mean = wb.mean(run.id, "recall@1")
    assert (mean.mean, mean.n) == (1.0, 12)
    # Wilson's interval of 12 of 12: 12 / (12 + 1.96^2).
    assert mean.low == pytest.approx(12 / (12 + 1.959964**2), abs=1e-6)
    assert mean.high == 1.0


def test_cheap_strategies_run_first_and_each_run_is_told_when_it_is_done(wb: Workbench) -> None:
    told: list[str] = []
    wb.evaluate(
        [strategy("hybrid"), strategy("vector"), strategy("bm25")],
        on_run=lambda run: told.append(run.strategy.split("@")[0]),
    )
    assert told == ["bm25", "vector", "hybrid"]
    assert [r.strategy.split("@")[0] for r in wb.runs()] == ["hybrid", "vector", "bm25"]


def test_every_strategy_with_vectors_counts_the_time_of_embedding(wb: Workbench) -> None:
    for run in wb.evaluate([strategy("vector"), strategy("hybrid")]).runs:
        assert run.seconds["embed"] > 0
        (row,) = wb.run_rows([run.id])
        assert row.milliseconds is not None
        assert row.milliseconds >= 1000 * run.seconds["embed"] / 12


def test_a_run_has_the_ranks_that_a_search_shows(wb: Workbench) -> None:
    for preset in ("vector", "bm25", "hybrid"):
        (run,) = wb.evaluate([strategy(preset)]).runs
        results = wb.results(run.id)
        for at, (question, _) in enumerate(results.questions):
            text = wb.question(question).text
            shown = wb.search(text, [strategy(preset)], k=8, remember=False).lists[preset].hits
            first = int(results.spans.first[at])
            kept = [
                (
                    results.spans.documents[int(results.spans.document[i])][0],
                    int(results.spans.start[i]),
                    int(results.spans.end[i]),
                )
                for i in range(first, min(first + 8, int(results.spans.first[at + 1])))
            ]
            assert kept == [(h.chunk.document, h.chunk.start, h.chunk.end) for h in shown]


def test_questions_that_cannot_count_are_left_out_and_counted(wb: Workbench) -> None:
    wb.add_question("who has not been labelled yet")
    wb.add_question("what is the phone number of the moon", not_answerable=True)
    (run,) = wb.evaluate([strategy("bm25")]).runs
    (row,) = wb.run_rows([run.id])
    assert (row.n, row.unlabelled, row.unanswerable) == (12, 1, 1)


def test_a_question_without_any_hit_counts_as_zero(wb: Workbench) -> None:
    place = wb.find_quote("A glacier moves a few metres every year.")[0]
    wb.add_question("xyzzy", [Need((Label(place),))])
    (run,) = wb.evaluate([strategy("bm25")]).runs
    for name in ("recall@20", "hit@20", "rr@20", "ndcg@20", "ap@20", "coverage@20"):
        assert wb.mean(run.id, name).mean == pytest.approx(12 / 13), name
        assert wb.mean(run.id, name).n == 13


def test_a_slice_takes_only_the_questions_with_its_tag(wb: Workbench) -> None:
    some = wb.questions()[:3]
    for one in some:
        wb.change_question(one.id, tags=("birds",))
    (run,) = wb.evaluate([strategy("bm25")], slice="birds").runs
    assert set(wb.measures(run.id).questions) == {q.id for q in some}
    with pytest.raises(NothingToMeasure, match="fish"):
        wb.evaluate([strategy("bm25")], slice="fish")


def test_without_documents_or_questions_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with Workbench(tmp_path / "empty") as wb:
        with pytest.raises(NothingToMeasure, match="no documents"):
            wb.evaluate(["bm25"])
        (tmp_path / "a.txt").write_text("One sentence.", "utf-8")
        wb.ingest([tmp_path / "a.txt"])
        with pytest.raises(NothingToMeasure, match="no questions"):
            wb.evaluate(["bm25"])


def test_a_stopped_run_goes_on_where_it_was(wb: Workbench) -> None:
    def stop(done: int, total: int, what: str) -> None:
        if what == "questions" and done == 5:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        wb.evaluate([strategy("bm25")], progress=stop)
    (stopped,) = wb.runs()
    assert stopped.state == STOPPED
    (run,) = wb.evaluate([strategy("bm25")]).runs
    assert (run.id, run.state) == (stopped.id, DONE)
    assert len(wb.results(run.id).questions) == 12
    assert wb.mean(run.id, "recall@1").mean == 1.0


def test_the_same_experiment_has_the_same_fingerprint_and_a_run_of_its_own(wb: Workbench) -> None:
    first, second = (wb.evaluate([strategy("bm25")]).runs[0] for _ in range(2))
    assert first.id != second.id
    assert first.fingerprint == second.fingerprint
    wb.add_question("one more")
    assert wb.evaluate([strategy("bm25")]).runs[0].fingerprint != first.fingerprint


def test_labels_survive_every_chunking(wb: Workbench) -> None:
    for size in (20, 60, 200):
        (run,) = wb.evaluate([f"vector@fixed:{size}/0:chars:nolabel+{DRAFT}"]).runs
        table = wb.measures(run.id)
        assert len(table.questions) == 12
        assert all((ranks > 0).all() for ranks in table.found), size  # all chunks are in the lists


@pytest.mark.model
def test_a_reranker_scores_each_passage_once_and_never_again(wb: Workbench) -> None:
    seen: list[int] = []

    def progress(done: int, total: int, what: str) -> None:
        if what == "passages reranked":
            seen.append(total)

    one = f"reranked@{CHUNKING}"
    (run,) = wb.evaluate([one], progress=progress).runs
    assert set(seen) == {12}  # twelve passages, however many questions want them
    assert wb.run_rows([run.id])[0].milliseconds is not None
    seen.clear()
    (again,) = wb.evaluate([one], progress=progress).runs
    assert not seen
    (row,) = wb.run_rows([again.id])
    assert row.milliseconds is None  # it would be no search's time
    assert "no milliseconds: scores of the reranker were remembered" in row.notes
    assert wb.mean(again.id, "rr@10").mean == wb.mean(run.id, "rr@10").mean


@pytest.mark.model
def test_a_reranked_run_has_the_ranks_that_a_search_shows(wb: Workbench) -> None:
    one = f"reranked@{CHUNKING}"
    (run,) = wb.evaluate([one]).runs
    results = wb.results(run.id)
    for at in range(3):
        question = wb.question(results.questions[at][0])
        hits = wb.search(question.text, [one], k=5, remember=False).lists["reranked"].hits
        first = int(results.spans.first[at])
        assert [int(results.spans.document[first + i]) for i in range(5)] == [
            [d[0] for d in results.spans.documents].index(h.chunk.document) for h in hits
        ]


@pytest.mark.model
def test_what_would_take_minutes_waits_for_a_yes_or_a_sample(
    wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ragdebug.workbench.evaluation import preparing

    monkeypatch.setattr(preparing, "WAIT_S", 0.0)
    one = f"reranked@{CHUNKING}"
    (planned,) = wb.plan_evaluation([one])
    report = wb.evaluate(["bm25@" + CHUNKING, one])
    assert [r.strategy.split("@")[0] for r in report.runs] == ["bm25"]
    (waiting,) = report.waiting
    assert waiting.passages == 12 and waiting.estimate_s > 0
    assert planned.waits
    (run,) = wb.evaluate([one], sample=4, seed=7).runs
    assert (run.sampled, run.asked) == (4, 4)
    assert "a sample of 4 questions (seed 7)" in wb.run_rows([run.id])[0].notes
    drawn = [q for q, _ in wb.results(run.id).questions]
    again = wb.evaluate([one], sample=4, seed=7).runs[0]
    assert [q for q, _ in wb.results(again.id).questions] == drawn


def test_what_was_measured_at_the_end_of_a_run_is_what_is_read_later(wb: Workbench) -> None:
    run = wb.evaluate(["bm25"]).runs[0].id
    other = replace(wb.store.runs.run(run), id="ffff0000", packages={})  # nothing is kept of it
    kept = wb.results(run)
    wb.store.runs.start(other)
    wb.store.runs.add(other.id, kept.questions, kept.spans, kept.seconds, kept.errors)
    wb.store.runs.finish(other.id, "done", 1.0, {})
    with Workbench(wb.path) as again:
        read, made = again.measures(run), again.measures(other.id)
        assert (read.questions, set(read.names)) == (made.questions, set(made.names))
        for name in made.names:
            assert np.array_equal(read.column(name), made.column(name), equal_nan=True), name
        assert again.curves([run])[0].mean.tolist() == again.curves([other.id])[0].mean.tolist()


def test_after_a_purge_no_measure_of_before_is_told(wb: Workbench) -> None:
    run = wb.evaluate(["bm25"]).runs[0].id
    gone = next(d for d in wb.documents() if "violin" in d.source)
    wb.remove([gone.id])
    wb.measures(run)
    wb.purge([gone.id])
    with Workbench(wb.path) as again:
        for asked in (wb, again):
            for share in (0.9, 0.5):
                table = asked.measures(run, share)
                assert len(table.questions) == len(TOPICS) - 1
                assert len(table.unusable) == 1


def test_equal_scores_stand_by_source_whatever_came_in_first(tmp_path: Path) -> None:
    measured = []
    for order in (("a", "b", "c"), ("b", "c", "a"), ("c", "b", "a")):
        folder = tmp_path / "".join(order)
        folder.mkdir()
        with Workbench(folder / "workspace") as wb:
            for name in order:
                (folder / f"{name}.txt").write_text("A heron stands here.", "utf-8")
                wb.ingest([folder / f"{name}.txt"])
            (place,) = wb.find_quote("A heron stands here.", "b.txt")
            wb.add_question("heron", [Need((Label(place, origin="marked"),))])
            run = wb.evaluate([f"bm25@{CHUNKING}"]).runs[0].id
            measured.append([wb.mean(run, name).mean for name in ("rr@10", "recall@1")])
    assert measured == [[0.5, 0.0]] * 3


def test_runs_that_show_other_numbers_of_hits_say_at_which_they_are_compared(wb: Workbench) -> None:
    runs = wb.evaluate([strategy("bm25"), f"{strategy('bm25')}+k=10"]).runs
    five, ten = sorted(runs, key=lambda run: "k=10" in run.label)

    def said(a: Run, b: Run, measure: str) -> list[str]:
        return [n for n in wb.compare_runs(a.id, b.id, measure).notes if "Compared at" in n]

    assert said(ten, five, "recall@5") == [f"Compared at k = 5; {ten.label} shows 10."]
    assert said(ten, five, "recall@3") == [
        f"Compared at k = 3; {ten.label} shows 10, {five.label} shows 5."
    ]
    assert said(ten, ten, "recall@5") == said(ten, five, "recall@2000t") == []


class Clock:
    """Time that passes only where a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


def test_the_time_of_embedding_holds_no_first_run_of_a_model(
    wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ragdebug.models import load_embedder
    from ragdebug.workbench.evaluation import preparing

    clock, model = Clock(), load_embedder("wordllama-l2-supercat-256")
    embed, took = model.embed_queries, [90.0]

    def slow_at_first(texts: Sequence[str]) -> Vectors:
        clock.now += took.pop() if took else 0.004
        return embed(texts)

    monkeypatch.setattr(model, "embed_queries", slow_at_first)
    monkeypatch.setattr(preparing, "time", clock)
    (run,) = wb.evaluate([strategy("vector")]).runs
    assert run.seconds["embed"] == pytest.approx(12 * 0.004)


def test_no_index_is_made_within_the_time_of_a_search(
    wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ragdebug.workbench.evaluation import lists

    clock, make = Clock(), wb.indexes.bm25

    def slow(*arguments: Any, **more: Any) -> Any:  # noqa: ANN401
        clock.now += 90
        return make(*arguments, **more)

    monkeypatch.setattr(wb.indexes, "bm25", slow)
    monkeypatch.setattr(lists, "time", clock)
    (run,) = wb.evaluate([strategy("bm25") + "+k1=0.6"]).runs
    assert clock.now == 90 and wb.results(run.id).seconds.tolist() == [0.0] * 12
