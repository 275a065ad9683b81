"""A document, and chunks that another system cut of it and of one that is not here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.pieces import GivenPiece, PieceFile
from tests.workbench.conftest import write

DRAFT = "wordllama-l2-supercat-256"
TEXT = (
    "# Billing\n\n## Refunds\n\nRefunds are available within 30 days.\n\n"
    "After that, annual plans are prorated; “setup fees” are never refunded.\n\n"
    "## Invoices\n\nInvoices are sent on the first of the month.\n"
)
THEIRS = (
    GivenPiece("Refunds are available within 30 days.", "refunds.md", "a1"),
    GivenPiece(
        'After that, annual plans\nare prorated; "setup fees" are never refunded.',
        "docs/refunds.md",
        "a2",
        metadata={"tenant": "acme"},
    ),
    GivenPiece("SUMMARY: a refund depends on the plan.", "refunds.md", "a3"),
    GivenPiece("ERR_4021 means the card was declined.", "errors.md", "b1", page=1),
    GivenPiece("ERR_4022 means the bank is closed.", "errors.md", "b2", page=2),
)


@pytest.fixture
def docs(folder: Path, wb: Workbench) -> Workbench:
    write(folder, refunds_md=TEXT, boats_md="# Boats\n\nA green boat lies at the pier.\n")
    wb.ingest([folder])
    return wb


@pytest.fixture
def theirs(docs: Workbench) -> Iterator[Workbench]:
    docs.add_pieces(PieceFile(THEIRS), "theirs", "export.jsonl")
    yield docs


def vectors_of(*rows: int) -> np.ndarray:
    """Unit vectors of the draft model's length, one axis each."""
    made = np.zeros((len(rows), 256), np.float32)
    for at, axis in enumerate(rows):
        made[at, axis] = 3.0
    return made
