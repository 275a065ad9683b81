"""HNSW against exact search: recall reckoned by hand, and by brute force over random vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import IndexIncomplete, InvalidSetting, NothingToMeasure
from ragdebug.protocols import ModelInfo
from ragdebug.questions import Label, Need
from ragdebug.retrieve.dense import DenseIndex
from ragdebug.settings import DenseSettings
from ragdebug.workbench.health import index_check as use

DRAFT = "wordllama-l2-supercat-256"
VECTOR = f"vector+model={DRAFT}"
MODEL = ModelInfo("m", "embedder", "f", dimension=24)


def rows(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def test_recall_is_the_share_of_the_exact_first_k() -> None:
    exact, found = [rows(1, 2, 3, 4), rows(5, 6), rows()], [rows(2, 1, 9, 3), rows(7, 8), rows()]
    assert use.recalls(exact, found, 2).tolist() == [1.0, 0.0, 1.0]
    assert use.recalls(exact, found, 4).tolist() == [0.75, 0.0, 1.0]
    interval = use.intervals(exact, found, [4])[4]
    assert (interval.mean, interval.n) == (pytest.approx(1.75 / 3), 3)


def test_queries_that_lose_a_need_come_first() -> None:
    names = [("a", "one"), ("b", "two"), ("c", "three"), ("d", "four")]
    exact = [rows(1, 2)] * 4
    found = [rows(1, 2), rows(1, 9), rows(8, 9), rows(1, 2)]
    costs = use.costs(names, exact, found, [0, 1, 0, 0])
    assert [(c.question, c.recall, c.lost) for c in costs] == [("b", 0.5, 1), ("c", 0.0, 0)]


def test_another_ef_search_finds_what_an_index_built_with_it_finds() -> None:
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((3000, 24)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    every = np.arange(3000)
    exact = DenseIndex.build(vectors, every, 3000, MODEL, DenseSettings())
    built = DenseIndex.build(vectors, every, 3000, MODEL, DenseSettings("hnsw", 4))
    queries = rng.standard_normal((40, 24)).astype(np.float32)
    precise, _ = use.searched(exact, queries, 20, None)
    brute = np.argsort(-(queries @ vectors.T), axis=1)[:, :20]
    assert [r.tolist() for r in precise] == brute.tolist()
    means = []
    for ef in (8, 64, 600):
        other = DenseIndex.build(vectors, every, 3000, MODEL, DenseSettings("hnsw", 4, ef))
        found, _ = use.searched(built.with_ef_search(ef), queries, 20, None)
        same, _ = use.searched(other, queries, 20, None)
        assert [r.tolist() for r in found] == [r.tolist() for r in same]
        means.append(use.recalls(precise, found, 20).mean())
    assert means[0] < means[1] < means[2]
    assert built.settings.ef_search == DenseSettings().ef_search


@pytest.fixture
def wb(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path / "workspace") as opened:
        files = [(f"{n}.txt", f"Buoy number {n} is painted in colour {n * 7}.") for n in range(60)]
        opened.ingest_files([(name, text.encode()) for name, text in files])
        opened.build("structure:220/40", DRAFT)
        yield opened


def test_without_questions_chunks_ask_for_themselves(wb: Workbench) -> None:
    check = wb.index_check(VECTOR, sample=25)
    assert (check.kind, check.queries, check.total) == ("chunk texts", 25, 60)
    assert (check.labelled, check.lost) == (0, 0)
    assert set(check.recall) == {5, 10, 20}
    assert all(i.n == 25 for i in check.recall.values())


def test_questions_are_asked_and_the_needs_they_lose_counted(wb: Workbench) -> None:
    place = wb.find_quote("Buoy number 17 is painted")[0]
    wb.add_question("where is buoy number 17", [Need((Label(place),))])
    wb.add_question("who paints them")
    check = wb.index_check(VECTOR, m=8, ef_search=16)
    assert (check.kind, check.queries, check.labelled, check.k) == ("questions", 2, 1, 5)
    assert (check.m, check.asked, check.ef_search) == (8, 16, 36)
    assert check.exact_ms > 0 and check.hnsw_ms > 0
    # Of 60 chunks an index of 8 links finds all: nothing is lost.
    assert check.recall[20].mean == 1.0
    assert check.costs == ()


def test_an_index_is_built_once_for_all_values_of_ef_search(wb: Workbench) -> None:
    first = wb.index_check(VECTOR, m=8, ef_search=16)
    again = wb.index_check(VECTOR, m=8, ef_search=200)
    assert first.build_s > 0
    assert (again.build_s, again.ef_search) == (0.0, 200)
    assert wb.index_check(VECTOR, m=10, ef_search=200).build_s > 0


def test_the_same_seed_draws_the_same_sample(wb: Workbench) -> None:
    for n in range(12):
        wb.add_question(f"where is buoy number {n}")
    a, b = (wb.index_check(VECTOR, sample=5, seed=1) for _ in range(2))
    assert (a.queries, a.total, a.recall) == (5, 12, b.recall)


def test_a_filter_narrows_both_searches(wb: Workbench) -> None:
    check = wb.index_check(f"{VECTOR}+filter=source=1*.txt")
    assert check.recall[20].mean == 1.0


def test_what_cannot_be_compared_is_refused(wb: Workbench, tmp_path: Path) -> None:
    with pytest.raises(NothingToMeasure):
        wb.index_check("bm25")
    with pytest.raises(InvalidSetting):
        wb.index_check(VECTOR, m=1)
    with pytest.raises(IndexIncomplete):
        wb.index_check(f"vector@fixed:3/0+model={DRAFT}")
    with Workbench(tmp_path / "new") as empty, pytest.raises(NothingToMeasure):
        empty.index_check(VECTOR)
