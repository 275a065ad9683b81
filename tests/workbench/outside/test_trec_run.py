"""An imported TREC run scores what ir_measures says, to the last digit."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ragdebug import Workbench
from tests.workbench.outside.conftest import KS, Collection, collection


def load(wb: Workbench, collected: Collection) -> None:
    wb.ingest([collected.corpus])
    wb.import_questions(collected.folder)


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_random_runs_with_ties_agree_with_ir_measures(
    wb: Workbench, tmp_path: Path, seed: int
) -> None:
    collected = collection(tmp_path, seed)
    load(wb, collected)
    report = wb.import_lists(collected.run, "engine")
    (run,) = wb.evaluate(["list:engine"]).runs
    table = wb.measures(run.id)
    assert sorted(table.questions) == sorted(collected.qrels)
    for name, wanted in collected.measures().items():
        expected = [wanted[question] for question in table.questions]
        assert table.column(name).tolist() == pytest.approx(expected, abs=1e-12), name
    assert report.answered == 25 - len(report.unanswered)
    assert {q for q, _ in table.errors} == set(report.unanswered)


def test_lists_that_come_before_questions_and_documents_are_found_by_them(
    wb: Workbench, collected: Collection
) -> None:
    early = wb.import_lists(collected.run, "engine")
    assert (early.questions, early.answered, early.placed) == (0, 0, 0)
    load(wb, collected)
    late = wb.list_report("engine")
    assert late.questions == 25
    assert late.answered == 22
    assert late.placed > 0.8 * late.hits
    (run,) = wb.evaluate(["list:engine"]).runs
    wanted = collected.measures()["ndcg@10"]
    table = wb.measures(run.id)
    expected = [wanted[q] for q in table.questions]
    assert table.column("ndcg@10").tolist() == pytest.approx(expected, abs=1e-12)


def test_questions_without_a_list_count_as_not_found_and_are_told(
    wb: Workbench, collected: Collection
) -> None:
    load(wb, collected)
    wb.import_lists(collected.run, "engine")
    (run,) = wb.evaluate(["list:engine"]).runs
    (row,) = wb.run_rows([run.id])
    assert row.n == 25
    assert "the list has no answer for 3 of 25 questions, which count as 0" in row.notes
    assert run.label == "list:engine"


def test_other_content_under_the_name_is_another_experiment(
    wb: Workbench, collected: Collection
) -> None:
    load(wb, collected)
    wb.import_lists(collected.run, "engine")
    (first,) = wb.evaluate(["list:engine"]).runs
    (same,) = wb.evaluate(["list:engine"]).runs
    lines = collected.run.read_text().splitlines()
    collected.run.write_text("\n".join(lines[: len(lines) // 2]) + "\n")
    wb.import_lists(collected.run, "engine")
    (other,) = wb.evaluate(["list:engine"]).runs
    assert first.fingerprint == same.fingerprint != other.fingerprint
    (old,) = wb.result_lists(removed=True)
    wb.restore_list(old.id)
    (again,) = wb.evaluate(["list:engine"]).runs
    assert again.fingerprint == first.fingerprint


def test_a_run_that_is_deeper_than_what_is_kept_says_so(wb: Workbench, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(f'{{"_id": "d{i}", "text": "subject {i}"}}\n' for i in range(130)))
    wb.ingest([corpus])
    run = tmp_path / "deep.trec"
    run.write_text("".join(f"q1 Q0 d{i} {i + 1} {200 - i} x\n" for i in range(130)))
    report = wb.import_lists(run)
    assert report.info.name == "deep"
    assert report.deepest == 130
    assert any("deeper than 100" in note for note in report.notes)


def test_measures_of_all_ks_are_there(wb: Workbench, collected: Collection) -> None:
    load(wb, collected)
    wb.import_lists(collected.run, "engine")
    (run,) = wb.evaluate(["list:engine"]).runs
    means = wb.means(run.id, [f"ap@{k}" for k in KS])
    assert all(math.isfinite(m.mean) and m.n == 25 for m in means.values())
