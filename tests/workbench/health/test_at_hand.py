"""Health under other results: what is known without long work, here or from another process."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import Cancelled
from ragdebug.workbench.health import checking
from ragdebug.workbench.health.at_hand import AtHand

SAME = b"The tide turns at noon, says the board on the quay."
LONG_CHECKS = ("boilerplate", "in_no_chunk", "duplicate_chunks")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    with Workbench(tmp_path / "workspace") as wb:
        wb.ingest_files([("a.txt", SAME), ("b.txt", SAME), ("c.txt", b"Nets hang there.")])
    return tmp_path / "workspace"


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every corpus counts as a large one."""
    monkeypatch.setattr(checking, "AT_ONCE_CHARS", 0)


def test_a_small_corpus_is_checked_at_once(workspace: Path) -> None:
    with Workbench(workspace) as wb:
        known = wb.health_at_hand(["bm25"])
        found = wb.health(["bm25"])
    assert sorted(known.marks) == sorted((f.code, f.severity) for f in found)
    assert {"duplicate_documents", "duplicate_chunks"} <= {code for code, _ in known.marks}
    assert known.waiting == ()
    assert sum(known.counts.values()) == len(found)


@pytest.mark.usefixtures("large")
def test_long_checks_of_a_large_corpus_wait_until_health_has_made_them(workspace: Path) -> None:
    with Workbench(workspace) as wb:
        wb.search("the tide", ["bm25"])
        before = wb.health_at_hand(["bm25"])
        assert before.waiting == LONG_CHECKS
        assert ("duplicate_chunks", "warning") not in before.marks
        revision = wb.revision()
        found = wb.health(["bm25"])
        assert wb.revision() == revision  # no page has to draw itself again for it
    with Workbench(workspace) as other:
        known = other.health_at_hand(["bm25"])
        assert known.waiting == ()
        assert sorted(known.marks) == sorted((f.code, f.severity) for f in found)
        assert b"tide" not in other.store.settings.get("health").encode()
        other.ingest_files([("d.txt", b"A heron stood there.")])
        assert other.health_at_hand(["bm25"]).waiting == LONG_CHECKS


@pytest.mark.usefixtures("large")
def test_checks_that_were_made_before_a_stop_are_known(workspace: Path) -> None:
    def stop(done: int, total: int, what: str) -> None:
        if what == "checks" and done == 3:
            raise Cancelled("Stopped.")

    with Workbench(workspace) as wb, pytest.raises(Cancelled):
        wb.health(["bm25"], progress=stop)
    with Workbench(workspace) as wb:
        assert wb.health_at_hand(["bm25"]).waiting == ("in_no_chunk", "duplicate_chunks")


@pytest.mark.usefixtures("large")
def test_a_check_that_could_not_be_made_is_not_known(workspace: Path) -> None:
    strategy = "vector+model=/nowhere/at/all"
    with Workbench(workspace) as wb:
        assert "unchecked" in {f.severity for f in wb.health([strategy])}
    with Workbench(workspace) as wb:
        assert wb.health_at_hand([strategy]).waiting == ("beyond_window",)


def test_the_sentence_counts_by_severity() -> None:
    said = {
        AtHand(()): "nothing found",
        AtHand((), ("boilerplate", "in_no_chunk")): "nothing found, 2 checks not made yet",
        AtHand((("prompts", "serious"),)): "1 finding (1 serious)",
        AtHand((("boilerplate", "note"),) * 2 + (("minimum", "warning"),), ("in_no_chunk",)): (
            "3 findings (1 warning, 2 notes), 1 check not made yet"
        ),
    }
    assert {known: known.sentence for known in said} == said
