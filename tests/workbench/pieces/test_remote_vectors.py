"""Vectors that came with chunks, of a model behind an address."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.pieces import GivenPiece, PieceFile
from ragdebug.settings import RemoteModel
from tests.support.model_server import ModelServer, embed

TEXTS = ("A heron stands in the reeds.", "Copper is a red metal.", "A violin has four strings.")
PIECES = tuple(GivenPiece(t, "all.txt", f"p{n}") for n, t in enumerate(TEXTS))
VECTORS = np.array([embed(t) for t in TEXTS], np.float32)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.mark.parametrize("named", ["api:prod", "small"])
def test_a_query_goes_to_the_address_and_no_text_of_the_corpus(
    wb: Workbench, server: ModelServer, named: str
) -> None:
    wb.ingest_files([("all.txt", "\n\n".join(TEXTS).encode())])
    wb.add_remote_model(RemoteModel("prod", "embedder", server.url, "small"))
    # By its name here, or as its server calls it.
    report = wb.add_pieces(PieceFile(PIECES, VECTORS), "theirs", "f.jsonl", named)
    assert not any("not here" in note or "dimensions" in note for note in report.notes)
    server.texts.clear()
    found = wb.search_one("red metal", "vector@imported:theirs+model=api:prod", build=True)
    assert found.error == ""
    assert found.hits[0].chunk.text == TEXTS[1]
    assert not set(server.texts) & set(TEXTS)
    query = np.array(embed("red metal"))
    unit = VECTORS[1] / np.linalg.norm(VECTORS[1])
    expected = float(unit @ query / np.linalg.norm(query))
    assert found.hits[0].score == pytest.approx(expected, abs=1e-5)


def test_a_model_that_nobody_added_is_asked_for(wb: Workbench) -> None:
    report = wb.add_pieces(PieceFile(PIECES, VECTORS), "theirs", "f.jsonl", "far-model")
    assert any("far-model, which is not here" in n and "models add" in n for n in report.notes)
