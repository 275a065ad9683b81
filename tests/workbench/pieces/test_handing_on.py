"""Chunks and vectors of another system in what is handed on, and in the comparison of indexes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.pieces import PieceFile
from tests.workbench.conftest import write
from tests.workbench.pieces.conftest import DRAFT, TEXT, THEIRS, vectors_of


@pytest.fixture
def given(folder: Path, wb: Workbench) -> Workbench:
    write(folder, refunds_md=TEXT)
    wb.ingest([folder])
    wb.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", DRAFT)
    return wb


def test_plain_python_has_the_given_vectors(given: Workbench) -> None:
    files = given.plain_python(f"vector@imported:theirs+model={DRAFT}").files
    vectors = np.load(io.BytesIO(files["vectors.npy"]))
    rows = given.pieces.rows("theirs", given.chunk_table("imported:theirs"))
    assert vectors[rows] == pytest.approx(vectors_of(0, 1, 2, 3, 4) / 3)


def test_plain_python_allows_what_the_filter_on_their_metadata_lets_through(
    given: Workbench,
) -> None:
    strategy = "bm25@imported:theirs+filter=tenant=acme"
    lines = given.plain_python(strategy).files["chunks.jsonl"].decode().splitlines()
    allowed = [line["index_text"] for line in map(json.loads, lines) if line["allowed"]]
    (hit,) = given.search_one("annual plans", strategy).hits
    assert allowed == [hit.chunk.index_text]


def test_an_index_over_given_vectors_is_compared_with_exact_search(given: Workbench) -> None:
    check = given.index_check(f"vector@imported:theirs+model={DRAFT}")
    assert (check.chunks, check.queries) == (5, 5)
    assert all(interval.mean == 1 for interval in check.recall.values())
