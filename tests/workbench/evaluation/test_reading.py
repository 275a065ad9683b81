"""Runs compared, drawn and told question by question, on lists made by hand.

Every question has one need, a document of its own. A run is written down as the rank at which each
question finds it (0: never); the other hits come from documents that answer nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import RagDebugError
from ragdebug.questions import Label, Need, Question
from ragdebug.runs import DONE, RankedSpans, Run
from ragdebug.store.run_rows import take

DEPTH = 30


class Hand:
    """Questions and runs made by hand in a workspace."""

    def __init__(self, folder: Path, n: int) -> None:
        docs = folder / "docs"
        docs.mkdir()
        for at in range(n):
            (docs / f"answer{at:03}.txt").write_text(f"Answer number {at} stands here.", "utf-8")
        for at in range(DEPTH):
            (docs / f"other{at:03}.txt").write_text(f"Something else, {at}.", "utf-8")
        self.wb = Workbench(folder / "workspace")
        self.wb.ingest([docs])
        infos = {d.source: d for d in self.wb.documents()}
        names = sorted(infos)
        self.answers = [infos[s] for s in names if "answer" in s]
        self.others = [infos[s] for s in names if "other" in s]
        for at, info in enumerate(self.answers):
            place = self.wb.place(info.id, 0, info.chars)
            self.wb.add_question(f"question {at}", [Need((Label(place, origin="marked"),))])
        self.questions = self.wb.questions()

    def run(
        self,
        ranks: Sequence[int],
        name: str = "vector",
        chunking: str = "structure:220/40",
        questions: Sequence[Question] | None = None,
        scores: Sequence[float] | None = None,
        corpus: str = "c",
        errors: Sequence[str] | None = None,
    ) -> str:
        """Keep a run; its id."""
        asked = list(questions if questions is not None else self.questions[: len(ranks)])
        number = len(self.wb.runs()) + 1
        run = Run(
            id=f"{number:08x}",
            fingerprint=f"f{number}",
            strategy=f"{name}@{chunking}",
            chunking=chunking,
            embedder="",
            corpus=corpus,
            questions="q",
            depth=DEPTH,
            asked=len(asked),
            created_at=f"2026-01-{number:02}T00:00:00+00:00",
            label=f"{name} {chunking}",
        )
        documents = tuple((d.id, d.version, d.source) for d in [*self.answers, *self.others])
        rows = []
        for at, rank in enumerate(ranks):
            hits = list(range(len(self.answers), len(documents)))
            if rank:
                hits.insert(rank - 1, at)
            rows.append(hits[:DEPTH])
        flat = np.concatenate([np.array(r, np.int32) for r in rows])
        chars = np.array([d.chars for d in [*self.answers, *self.others]])
        top = scores if scores is not None else [1.0] * len(ranks)
        spans = RankedSpans(
            documents=documents,
            first=np.arange(0, len(flat) + 1, DEPTH, np.int64),
            document=flat,
            start=np.zeros(len(flat), np.int64),
            end=chars[flat].astype(np.int64),
            tokens=np.full(len(flat), 10, np.int32),
            score=np.concatenate([s - np.arange(DEPTH) / 1000 for s in top]),
            pool=np.zeros(len(ranks), np.int32),
            score_kind="cosine",
        )
        self.wb.store.runs.start(run)
        self.wb.store.runs.add(
            run.id,
            [(q.id, q.version) for q in asked],
            spans,
            np.full(len(ranks), 0.004),
            list(errors or [""] * len(ranks)),
        )
        self.wb.store.runs.finish(run.id, DONE, 1.0, {})
        return run.id


@pytest.fixture
def hand(tmp_path: Path) -> Hand:
    return Hand(tmp_path, 20)


def test_a_table_of_runs_gives_means_with_intervals(hand: Hand) -> None:
    run = hand.run([1] * 10 + [2] * 5 + [7] * 3 + [0] * 2)
    (row,) = hand.wb.run_rows([run], ["recall@1", "recall@5", "rr@10", "tokens@5"])
    assert row.n == 20
    assert row.metrics["recall@1"].mean == 0.5
    assert row.metrics["recall@5"].mean == 0.75
    assert row.metrics["rr@10"].mean == pytest.approx((10 + 5 / 2 + 3 / 7) / 20)
    assert row.metrics["tokens@5"].mean == 50
    assert row.milliseconds == pytest.approx(4)
    # Wilson for 15 of 20, worked out by hand: 0.5313 to 0.8881.
    low, high = row.metrics["recall@5"].low, row.metrics["recall@5"].high
    assert (round(low, 4), round(high, 4)) == (0.5313, 0.8881)


def test_a_measure_at_any_k_can_be_asked_for(hand: Hand) -> None:
    run = hand.run([7] * 20)
    assert hand.wb.mean(run, "recall@6").mean == 0
    assert hand.wb.mean(run, "recall@7").mean == 1
    assert hand.wb.mean(run, "recall@65t").mean == 0
    assert hand.wb.mean(run, "recall@70t").mean == 1
    with pytest.raises(RagDebugError, match="no measure"):
        hand.wb.mean(run, "recal@5")


def test_the_curve_rises_where_evidence_is_found_and_ends_where_lists_end(hand: Hand) -> None:
    run = hand.run([1] * 5 + [4] * 5 + [30] * 5 + [0] * 5)
    (curve,) = hand.wb.curves([run], "recall", 50)
    assert curve.x.tolist() == list(range(1, 31))  # the lists were cut at 30
    assert curve.mean[0] == 0.25 and curve.mean[2] == 0.25
    assert curve.mean[3] == 0.5 and curve.mean[29] == 0.75
    assert (curve.low <= curve.mean).all() and (curve.mean <= curve.high).all()
    (budget,) = hand.wb.budget_curves([run], [9, 10, 39, 40])
    assert budget.mean.tolist() == [0, 0.25, 0.25, 0.5]


def test_a_clear_difference_is_told_in_words(hand: Hand) -> None:
    better = hand.run([1] * 16 + [0] * 4, "hybrid")
    worse = hand.run([1] * 5 + [0] * 14 + [1], "vector")
    compared = hand.wb.compare_runs(better, worse, "recall@5")
    paired = compared.paired
    assert (paired.wins, paired.ties, paired.losses, paired.n) == (11, 8, 1, 20)
    assert paired.difference == pytest.approx(0.5)
    # 12 differ, 11 in one direction: two-sided 2 * (C(12,11) + C(12,12)) / 2^12.
    assert paired.p == pytest.approx(2 * 13 / 4096)
    assert "hybrid finds 11 questions that vector misses and loses 1" in compared.verdict
    assert len(compared.won) == 11 and len(compared.lost) == 1
    assert compared.lost == (hand.questions[19].id,)


def test_turning_a_comparison_round_turns_its_signs(hand: Hand) -> None:
    a, b = hand.run([1] * 15 + [0] * 5, "hybrid"), hand.run([1] * 9 + [0] * 11, "vector")
    there, back = hand.wb.compare_runs(a, b), hand.wb.compare_runs(b, a)
    assert there.paired.difference == -back.paired.difference
    assert (there.won, there.lost) == (back.lost, back.won)
    assert there.paired.p == back.paired.p


def test_few_questions_get_no_verdict(hand: Hand) -> None:
    a = hand.run([1] * 9, "hybrid")
    b = hand.run([0] * 9, "vector")
    assert "no verdict" in hand.wb.compare_runs(a, b).verdict


def test_runs_over_different_questions_are_compared_on_what_they_share(hand: Hand) -> None:
    a = hand.run([1] * 16, "hybrid", questions=hand.questions[:16])
    b = hand.run([1] * 14, "vector", questions=hand.questions[2:16])
    compared = hand.wb.compare_runs(a, b)
    assert compared.paired.n == 14
    (note,) = (n for n in compared.notes if "both runs" in n)
    assert note == (
        "Compared on the 14 questions that both runs have; 2 (question 0; question 1) are only in "
        f"{a}, 0 are only in {b}."
    )
    long = hand.run([1] * 19, "bm25", questions=hand.questions[:19])
    other = hand.run([1], "bm25", questions=hand.questions[18:19])
    (note,) = (n for n in hand.wb.compare_runs(long, other).notes if "both runs" in n)
    assert "18 (question 0; question 1; question 2; ...) are only in" in note


def test_what_differs_between_two_runs_is_said(hand: Hand) -> None:
    a = hand.run([1] * 20, "hybrid", corpus="old")
    b = hand.run([1] * 20, "hybrid", chunking="fixed:200/0", corpus="new")
    assert any("corpus changed" in n for n in hand.wb.compare_runs(a, b).notes)
    assert any("depends on chunk size" in n for n in hand.wb.compare_runs(a, b, "iou@5").notes)
    assert not any("chunk size" in n for n in hand.wb.compare_runs(a, b, "recall@5").notes)


def test_many_comparisons_make_p_larger(hand: Hand) -> None:
    base = hand.run([1] * 5 + [0] * 15, "vector")
    others = [hand.run([1] * 14 + [0] * 6, name) for name in ("bm25", "hybrid", "reranked")]
    alone = hand.wb.compare_runs(others[0], base).paired.p
    together = hand.wb.compare_with(base, others)
    assert [c.p_adjusted for c in together] == pytest.approx([3 * alone] * 3)
    assert all("(Holm, 3 tests)" in c.verdict for c in together)


def test_a_comparison_without_any_difference_makes_no_other_p_larger(hand: Hand) -> None:
    base = hand.run([1] * 5 + [0] * 15, "vector")
    other = hand.run([1] * 14 + [0] * 6, "bm25")
    same = hand.run([1] * 5 + [0] * 15, "hybrid")
    first, second = hand.wb.compare_with(base, [other, same])
    assert first.p_adjusted == hand.wb.compare_runs(other, base).paired.p
    assert "Holm" not in first.verdict
    assert (second.p_adjusted, second.verdict) == (1, "the same recall@5 on every question, n 20")


def test_questions_stand_worst_first_with_their_ranks(hand: Hand) -> None:
    a = hand.run([1, 3, 0] + [1] * 17, "hybrid")
    b = hand.run([9, 3, 0] + [1] * 17, "vector")
    rows = hand.wb.question_rows([a, b], "recall@5")
    assert [r.question.text for r in rows[:2]] == ["question 2", "question 0"]
    assert rows[0].ranks == {a: None, b: None} and rows[0].missed == 2
    assert rows[1].ranks == {a: 1, b: 9} and rows[1].outcome == "win"
    assert rows[0].outcome == "tie"


def test_what_only_one_run_finds_and_the_ceiling_of_all(hand: Hand) -> None:
    a = hand.run([1] * 10 + [0] * 10, "vector")
    b = hand.run([0] * 5 + [1] * 10 + [0] * 5, "bm25")
    finds = hand.wb.unique_finds([a, b], 5)
    assert (len(finds.only[a]), len(finds.only[b])) == (5, 5)
    assert (len(finds.every), len(finds.none)) == (5, 5)
    assert finds.union.mean == 0.75
    assert finds.best[1] == 0.5


def test_a_drop_beyond_noise_is_marked_in_the_history(hand: Hand) -> None:
    hand.run([1] * 18 + [0] * 2, "hybrid")
    hand.run([1] * 17 + [0] * 3, "hybrid")
    bad = hand.run([1] * 6 + [0] * 14, "hybrid")
    (points,) = hand.wb.history_of("recall@5").values()
    assert [bool(p.drop) for p in points] == [False, False, True]
    assert points[-1].run.id == bad


def test_the_order_of_runs_may_depend_on_what_counts_as_found(hand: Hand) -> None:
    a = hand.run([1] * 20, "vector")
    b = hand.run([2] * 20, "bm25")
    check = hand.wb.share_check([a, b], "recall@1")
    assert check.means == {a: (1, 1, 1, 1), b: (0, 0, 0, 0)}
    assert not check.changes


def test_minimum_scores_silence_both_kinds_of_questions(hand: Hand) -> None:
    for at in (0, 1):
        hand.wb.change_question(hand.questions[at].id, not_answerable=True, needs=())
    asked = hand.wb.questions()[:4]
    run = hand.run([0, 0, 1, 1], questions=asked, scores=[0.2, 0.6, 0.5, 0.9])
    top = hand.wb.top_scores(run)
    assert top.answerable.tolist() == [0.5, 0.9]
    assert top.not_answerable.tolist() == [0.2, 0.6]
    assert [(s.minimum, s.answerable, s.not_answerable) for s in top.steps] == [
        (0.2, 0, 0), (0.5, 0, 1), (0.6, 1, 1), (0.9, 1, 2),
    ]  # fmt: skip
    assert top.auc == 0.75  # of four pairs, three are in order


def test_without_labels_two_runs_are_told_apart_by_their_overlap(hand: Hand) -> None:
    a = hand.run([1] * 20, "vector")
    b = hand.run([1] * 15 + [0] * 5, "bm25")
    report = hand.wb.overlap_report(a, b, 5)
    assert report.differing == 0.25
    assert [r.share for r in report.rows[:5]] == pytest.approx([4 / 6] * 5)
    assert report.rows[5].share == 1
    assert report.labels_needed == math.ceil((1.960 + 0.842) ** 2 * 0.25 / 0.05**2)
    same = hand.wb.overlap_report(a, a, 5)
    assert same.labels_needed is None and "the same passages" in same.sentence


def test_pooled_hits_are_shuffled_by_seed_and_leave_out_what_is_judged(hand: Hand) -> None:
    a = hand.run([1] * 20, "vector")
    b = hand.run([1] * 19 + [0], "bm25")
    queue = hand.wb.judge_queue([a, b], 3)
    assert queue == hand.wb.judge_queue([a, b], 3)
    assert queue != hand.wb.judge_queue([a, b], 3, seed=1)
    first = queue[0]
    assert first.question.text == "question 19"  # the only one the runs dispute
    labelled = {p for q in hand.wb.questions() for n in q.needs for p in n.places}
    spans = {(i.place.document, i.place.start) for i in queue}
    assert not spans & {(p.document, p.start) for p in labelled}
    hand.wb.reject(first.question.id, first.place)
    left = hand.wb.judge_queue([a, b], 3)
    assert len(left) == len(queue) - 1


def test_a_failed_search_counts_as_zero_and_is_named(hand: Hand) -> None:
    run = hand.run([1] * 20, errors=["The model is gone."] + [""] * 19)
    (row,) = hand.wb.run_rows([run], ["recall@5"])
    assert [m for _, m in row.errors] == ["The model is gone."]
    assert row.metrics["recall@5"].n == 20


def test_the_gate_holds_breaks_and_cannot_tell(hand: Hand) -> None:
    run = hand.run([1] * 15 + [0] * 5, "hybrid")
    assert hand.wb.gate([run], {"recall@5": 0.75}).exit_code == 0
    assert hand.wb.gate([run], {"recall@5": 0.76}).exit_code == 1
    small = hand.run([1] * 9, "hybrid")
    assert hand.wb.gate([small], {"recall@5": 0.5}).exit_code == 3
    assert hand.wb.gate([], {"recall@5": 0.5}).exit_code == 3
    before = hand.run([1] * 20, "hybrid")
    assert hand.wb.gate([run], {}, before).exit_code == 0  # five of twenty: p 0.0625
    worse = hand.run([1] * 10 + [0] * 10, "hybrid")
    assert hand.wb.gate([worse], {}, before).exit_code == 1
    assert hand.wb.gate([before], {}, worse).exit_code == 0


def test_runs_are_taken_out_and_put_back(hand: Hand) -> None:
    run = hand.run([1] * 20)
    hand.wb.note_run(run, "with the new parser")
    assert hand.wb.run(run[:6]).note == "with the new parser"
    hand.wb.remove_runs([run])
    assert not hand.wb.runs() and hand.wb.runs(removed=True)[0].id == run
    hand.wb.restore_runs([run])
    assert hand.wb.runs()[0].id == run


def test_means_taken_together_are_those_taken_one_by_one(hand: Hand) -> None:
    run = hand.run([1] * 10 + [2] * 5 + [7] * 3 + [0] * 2)
    names = [*hand.wb.measure_names(), "recall@7", "recall@750t", "ndcg@4"]
    together = hand.wb.means(run, names)
    assert list(together) == names
    with Workbench(hand.wb.path) as again:
        for name in names:
            one, other = again.mean(run, name), together[name]
            assert one.n == other.n, name
            for end in ("mean", "low", "high"):
                value = getattr(one, end)
                assert getattr(other, end) == pytest.approx(value, nan_ok=True), name


def test_of_a_run_that_goes_on_only_what_came_is_measured(hand: Hand) -> None:
    whole = hand.wb.results(hand.run([1] * 20))
    run = replace(whole.run, id="eeee0000", state="running")
    runs = hand.wb.store.runs
    runs.start(run)

    def add(at: int) -> None:
        few = take(whole.spans, np.arange(at, at + 5))
        asked, seconds = whole.questions[at : at + 5], whole.seconds[at : at + 5]
        runs.add(run.id, asked, few, seconds, [""] * 5)

    add(0)
    hand.wb.results(run.id)
    add(5)
    assert len(hand.wb.asked(run.id)) == len(hand.wb.measures(run.id).questions)
    assert hand.wb.mean(run.id, "recall@5").mean == 1.0
    runs.finish(run.id, DONE, 2.0, {})
    assert len(hand.wb.measures(run.id).questions) == 10
