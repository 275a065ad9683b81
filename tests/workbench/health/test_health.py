"""Health of a workspace: what is looked at, what is kept, what an evaluation adds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ragdebug import Workbench
from ragdebug.errors import Cancelled
from ragdebug.protocols import ModelInfo
from ragdebug.questions import Label, Need
from ragdebug.settings import PRESETS, StrategySettings

DRAFT = "model=wordllama-l2-supercat-256"
BIRDS = ("heron", "crane", "coot", "teal", "swift", "finch", "stork", "grebe", "plover", "dunlin")


@pytest.fixture
def wb(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path / "workspace") as opened:
        opened.ingest_files(
            [(f"{b}.txt", f"The {b} was seen at the eastern dyke this morning.".encode())
             for b in BIRDS]
        )  # fmt: skip
        yield opened


def codes(wb: Workbench, *strategies: str) -> dict[str, str]:
    return {f.code: f.severity for f in wb.health(strategies)}


def test_an_empty_workspace_has_nothing_to_say(tmp_path: Path) -> None:
    with Workbench(tmp_path / "new") as wb:
        assert wb.health() == []


def test_the_four_presets_are_looked_at_until_there_are_runs(wb: Workbench) -> None:
    assert [s.preset for s in wb.health_checks().strategies] == list(PRESETS)
    wb.add_question("where was the heron")
    wb.evaluate(["bm25"])
    checked = wb.health_checks()
    assert [s.preset for s in checked.strategies] == ["bm25"]
    assert [r.strategy for r in checked.runs] == [str(StrategySettings.parse("bm25"))]
    assert wb.health_checks(["vector"]).runs == ()


def test_a_run_on_another_corpus_is_left_out(wb: Workbench) -> None:
    wb.add_question("where was the heron")
    wb.evaluate(["bm25"])
    wb.ingest_files([("new.txt", b"Another bird was seen.")])
    assert wb.health_checks().runs == ()


def test_what_is_found_is_kept_until_the_corpus_changes(wb: Workbench) -> None:
    assert wb.known_health(["bm25"]) is None
    first = wb.health(["bm25"])
    assert wb.known_health(["bm25"]) == first
    steps: list[int] = []
    wb.health(["bm25"], progress=lambda done, total, what: steps.append(done))
    assert steps == []
    wb.ingest_files([("copy.txt", b"The heron was seen at the eastern dyke this morning.")])
    assert wb.known_health(["bm25"]) is None
    assert "duplicate_documents" in codes(wb, "bm25")
    assert "duplicate_documents" not in {f.code for f in first}


def test_texts_are_read_many_at_a_time(wb: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    label = Label(wb.place(wb.documents()[0].id, 0, 9))
    for bird in BIRDS:
        wb.add_question(f"where was the {bird}", [Need((label,))])

    def one_by_one(*_: object) -> object:
        raise AssertionError("a text was read by itself")

    with Workbench(wb.path) as opened:
        monkeypatch.setattr(opened.store.documents, "load", one_by_one)
        assert opened.health(["bm25"]) == []
        (lost,) = opened.lost_stages(["bm25"])
    assert sum(map(len, lost.stages.values())) == len(BIRDS)


def test_progress_tells_each_check_and_can_stop(wb: Workbench) -> None:
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int, what: str) -> None:
        if what == "checks":
            seen.append((done, total))

    wb.health(["bm25"], progress=progress)
    total = seen[0][1]
    assert seen == [(at, total) for at in range(total + 1)]

    def stop(done: int, total: int, what: str) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        wb.health(["bm25+k=3"], progress=stop)
    assert wb.known_health(["bm25+k=3"]) is None


def test_a_finding_names_the_strategies_it_touches(wb: Workbench) -> None:
    wb.ingest_files([("long.txt", " ".join(f"tide{n} rose" for n in range(300)).encode())])
    strategies = ["vector@document", "bm25@document", f"vector@document+{DRAFT}", "vector"]
    found = {f.code: f for f in wb.health(strategies)}
    texts = [str(StrategySettings.parse(s)) for s in strategies]
    # BM25 has no window, nor has the draft model; shorter chunks fit.
    assert found["beyond_window"].strategies == (texts[0],)
    assert (found["beyond_window"].count, found["beyond_window"].of) == (1, 11)


def test_a_model_that_is_not_here_stops_no_other_check(wb: Workbench) -> None:
    found = codes(wb, "vector+model=/nowhere/at/all", "hybrid+minimum=5+model=/nowhere/at/all")
    assert found["beyond_window"] == "unchecked"
    assert found["minimum"] == "serious"


def test_a_minimum_that_silences_a_run_and_a_reranker_that_keeps_its_order(wb: Workbench) -> None:
    for bird in BIRDS[:4]:
        wb.add_question(
            f"the {bird}", [Need((Label(wb.find_quote(f"The {bird} was seen")[0]),))]
        )  # fmt: skip
    strict, loose = f"vector+{DRAFT}+minimum=0.999", f"vector+{DRAFT}+minimum=-1"
    runs = wb.evaluate([strict, loose]).runs
    silent = {r.id for r in runs if "0.999" in r.strategy}
    found = [f for f in wb.health([strict, loose]) if f.code == "minimum"]
    assert [(f.severity, f.count, f.of, set(f.runs)) for f in found] == [
        ("serious", 4, 4, silent)
    ]  # fmt: skip
    # One candidate has one order: a reranker cannot change it, and the check knows nothing of it.
    one = f"reranked+{DRAFT}+k=1+pool=1+reranker=identity"
    assert [f.severity for f in wb.health([one]) if f.code == "reranker"] == ["note"]


class Indifferent:
    """A reranker to which all texts are the same, or, turned, each is worse than the next."""

    info = ModelInfo("late-interaction", "reranker", "indifferent")
    score_kind = "maxsim"
    turned = False

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.arange(len(texts)) * float(self.turned)

    def score_pairs(
        self, queries: Sequence[str], texts: Sequence[str], wanted: Sequence[Sequence[int]]
    ) -> Iterator[NDArray[np.float64]]:
        for at, asked in enumerate(wanted):
            yield np.full(len(asked), at * float(self.turned))

    def lengths(self, query: str, texts: Sequence[str]) -> list[int]:
        return [0] * len(texts)


@pytest.mark.parametrize("turned", [False, True])
def test_a_reranker_that_keeps_the_order_of_all_questions_is_found_by_searching_again(
    wb: Workbench, monkeypatch: pytest.MonkeyPatch, turned: bool
) -> None:
    scorer = Indifferent()
    scorer.turned = turned
    monkeypatch.setattr(Workbench, "_scorer", staticmethod(lambda _: scorer))
    for bird in BIRDS[:3]:
        wb.add_question(f"where was the {bird}")
    strategy = f"reranked+{DRAFT}+k=4+pool=8"
    (run,) = wb.evaluate([strategy]).runs
    found = [f for f in wb.health([strategy]) if f.code == "reranker"]
    assert [(f.severity, f.count, f.runs) for f in found] == (
        [] if turned else [("warning", 3, (run.id,))]
    )


def test_one_search_is_looked_at_without_any_check(wb: Workbench) -> None:
    lists = wb.search("heron", ["bm25+minimum=99", "bm25"]).lists
    (found,) = wb.health_of(list(lists.values()))
    assert (found.code, found.strategies[0]) == (
        "minimum", str(StrategySettings.parse("bm25+minimum=99")),
    )  # fmt: skip
