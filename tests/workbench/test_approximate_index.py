"""An HNSW index is built once, tells how far it is, can be stopped, and is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import Cancelled
from ragdebug.protocols import APPROXIMATE
from ragdebug.records import ResultList
from ragdebug.settings import StrategySettings

MODEL = "wordllama-l2-supercat-256"
EXACT = f"vector+model={MODEL}"
HNSW = f"{EXACT}+index=hnsw"
BIRDS = ("heron", "crane", "coot", "rail", "bittern")


class Told:
    """Progress that is written down."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, int, str]] = []

    def __call__(self, done: int, total: int, what: str) -> None:
        self.lines.append((done, total, what))

    @property
    def graph(self) -> list[tuple[int, int]]:
        return [(done, total) for done, total, what in self.lines if what == APPROXIMATE]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in BIRDS:
        (tmp_path / f"{name}.txt").write_text(f"The {name} wades in the reeds.", "utf-8")
    with Workbench(tmp_path / "w") as wb:
        wb.ingest([tmp_path / f"{name}.txt" for name in BIRDS])
        wb.build("structure:220/40", MODEL)
    return tmp_path / "w"


def search(wb: Workbench, strategy: str, told: Told) -> ResultList:
    (found,) = wb.search("the crane", [strategy], progress=told).lists.values()
    assert found.error == ""
    return found


def rows(found: ResultList) -> list[tuple[int, float]]:
    return [(hit.row, hit.score) for hit in found.hits]


def test_it_is_told_of_once_and_then_remembered(folder: Path) -> None:
    one = StrategySettings.parse(HNSW)
    with Workbench(folder) as wb:
        assert wb.approximate_missing(one) == len(BIRDS)
        assert wb.approximate_missing(StrategySettings.parse(EXACT)) == 0
        first = Told()
        found = rows(search(wb, HNSW, first))
        assert first.graph == [(0, len(BIRDS))]
        assert found == rows(search(wb, EXACT, Told()))
        assert wb.approximate_missing(one) == 0
    with Workbench(folder) as wb:  # as another process would
        assert wb.approximate_missing(one) == 0
        again = Told()
        assert rows(search(wb, HNSW, again)) == found
        assert again.graph == []


def test_another_ef_search_needs_no_other_index_and_another_m_does(folder: Path) -> None:
    with Workbench(folder) as wb:
        search(wb, HNSW, Told())
        other = Told()
        search(wb, f"{HNSW}+ef_search=200", other)
        assert other.graph == []
        assert wb.approximate_missing(StrategySettings.parse(f"{HNSW}+hnsw_m=8")) == len(BIRDS)
        # Each search keeps as many candidates in mind as its own settings say.
        table = wb.chunk_table("structure:220/40")
        widths = [
            wb.indexes.dense(table, MODEL, StrategySettings.parse(s).dense).settings.ef_search
            for s in (HNSW, f"{HNSW}+ef_search=200", HNSW)
        ]
        assert widths == [64, 200, 64]


def test_health_takes_the_one_that_is_there(folder: Path) -> None:
    with Workbench(folder) as wb:
        wb.build_approximate(StrategySettings.parse(HNSW))
        assert wb.index_check(EXACT).build_s == 0
        assert wb.index_check(EXACT, m=8).build_s > 0
    with Workbench(folder) as wb:
        assert wb.index_check(EXACT, m=8).build_s == 0


def test_what_is_stopped_is_not_there(folder: Path) -> None:
    one = StrategySettings.parse(HNSW)

    def stop(done: int, total: int, what: str) -> None:
        if what == APPROXIMATE:
            raise Cancelled("Stopped.")

    with Workbench(folder) as wb:
        with pytest.raises(Cancelled):
            wb.build_approximate(one, stop)
        assert wb.approximate_missing(one) == len(BIRDS)
        wb.build_approximate(one)
        assert wb.approximate_missing(one) == 0


def test_a_run_has_it_built_before_its_clock_starts(folder: Path) -> None:
    with Workbench(folder) as wb:
        wb.add_question("where does the crane wade")
        told = Told()
        (run,) = wb.evaluate([HNSW], progress=told).runs
        whats = [what for _, _, what in told.lines]
        assert whats.index(APPROXIMATE) < whats.index("questions")
        assert told.graph == [(0, len(BIRDS))]
        assert run.state == "done"


def test_where_vectors_are_missing_what_is_there_is_searched_exactly(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "stork.txt").write_text("The stork wades in the reeds.", "utf-8")
    with Workbench(folder) as wb:
        wb.ingest([tmp_path / "stork.txt"])
        assert wb.approximate_missing(StrategySettings.parse(HNSW)) == 0
        told = Told()
        found = wb.search_one("the crane", HNSW, progress=told)
        assert told.graph == []
        assert 0 < found.trace.indexed < 1
        assert rows(found) == rows(wb.search_one("the crane", EXACT))
