"""Saved indexes that were damaged, or that another release wrote, are made again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ragdebug import Workbench

STRATEGIES = {"bm25": "bm25", "table": "bm25", "dense": "vector+model=wordllama-l2-supercat-256"}


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def older(path: Path) -> None:
    if path.suffix == ".json":
        found = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps({"format": "0", "documents": found.get("documents")}), "utf-8")


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) * 3 // 4] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("spoil", [half, empty, Path.unlink, older, flipped])
def test_what_cannot_be_read_is_made_again_and_answers_the_same(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    for name in ("heron", "crane", "coot"):
        (tmp_path / f"{name}.txt").write_text(f"The {name} wades in the reeds.", "utf-8")
    with Workbench(tmp_path / "w") as wb:
        wb.ingest([tmp_path / f"{n}.txt" for n in ("heron", "crane", "coot")])

    def answer(strategy: str) -> list[tuple[str, float]]:
        with Workbench(tmp_path / "w") as wb:
            (found,) = wb.search("the crane", [strategy]).lists.values()
        assert found.error == ""
        return [(h.chunk.id, h.score) for h in found.hits]

    first = {strategy: answer(strategy) for strategy in set(STRATEGIES.values())}
    saved = [p for p in (tmp_path / "w" / "indexes").glob("*/*") if p.is_file()]
    assert {p.parent.name.split("-")[1] for p in saved} == set(STRATEGIES)
    for path in saved:
        spoil(path)
        strategy = STRATEGIES[path.parent.name.split("-")[1]]
        assert answer(strategy) == first[strategy], path.name
        assert path.is_file()
