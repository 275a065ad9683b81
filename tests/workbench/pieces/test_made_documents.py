"""Documents that are not here are made of the chunks, for as long as a set stands in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ragdebug import Workbench
from ragdebug.pieces import GivenPiece, PieceFile
from tests.workbench.conftest import write
from tests.workbench.pieces.conftest import THEIRS


def test_a_document_that_is_not_here_is_made_of_its_pieces_and_says_so(theirs: Workbench) -> None:
    made = theirs.document(theirs.resolve("errors.md").id)
    assert made.text == f"{THEIRS[3].text}\n\n{THEIRS[4].text}"
    assert [(p.number, p.start) for p in made.parsed.pages] == [
        (1, 0),
        (2, len(THEIRS[3].text) + 2),
    ]
    assert [w.code for w in made.parsed.warnings] == ["made_of_pieces"]
    # Other chunkings cut it too.
    assert theirs.search("ERR_4021", ["bm25@fixed:50/0"]).lists["bm25"].hits


def test_the_real_document_takes_the_place_of_the_made_one(theirs: Workbench, folder: Path) -> None:
    before = theirs.resolve("errors.md").id
    write(folder, manual__errors_md="# Errors\n\n" + "\n\n".join(p.text for p in THEIRS[3:]))
    theirs.ingest([folder])
    report = theirs.add_pieces(PieceFile(THEIRS), "theirs", "export.jsonl")
    assert report.made == ()
    assert report.documents["errors.md"] == "manual/errors.md"
    assert before not in {d.id for d in theirs.documents()}
    assert len(theirs.chunk_table("imported:theirs")) == 5


def test_pieces_of_a_document_that_others_made_say_so(theirs: Workbench) -> None:
    pieces = (GivenPiece("the bank is closed", "errors.md"), GivenPiece("Not there.", "errors.md"))
    report = theirs.add_pieces(PieceFile(pieces), "second", "export.jsonl")
    assert (len(report.not_placed), report.made) == (1, ())
    assert any("made of other chunks before: errors.md" in note for note in report.notes)


def texts(wb: Workbench, name: str) -> list[tuple[str, bool]]:
    """The chunks of a set and whether each is placed, in the order of its table."""
    table = wb.chunk_table(f"imported:{name}")
    return [(table.chunk(row).text, table.placed(row)) for row in range(len(table))]


def test_a_set_that_comes_anew_takes_no_place_from_another(theirs: Workbench) -> None:
    second = (
        GivenPiece(THEIRS[4].text, "errors.md", metadata={"tenant": "acme"}),
        GivenPiece("the card was declined", "errors.md"),
        GivenPiece("Stands nowhere.", "errors.md"),
    )
    theirs.add_pieces(PieceFile(second), "second", "second.jsonl")
    before = texts(theirs, "second")
    assert [placed for _, placed in before] == [False, True, True]
    # The first set has other texts now, and one piece less.
    changed = (*THEIRS[:3], GivenPiece("ERR_4021: the card was declined.", "errors.md", page=1))
    theirs.add_pieces(PieceFile(changed), "theirs", "export.jsonl")
    assert texts(theirs, "second") == before
    made = theirs.document(theirs.resolve("errors.md").id)
    assert made.text == f"ERR_4021: the card was declined.\n\n{THEIRS[4].text}"
    (warning,) = made.parsed.warnings
    assert warning.message.startswith("Made of 1 chunks of export.jsonl")
    assert "1 chunks of other files stand at its end" in warning.message
    report = theirs.piece_report("theirs")
    assert [r.id for r in report.not_placed] == ["a3"]
    # Again as it was: nothing is at the end any more.
    theirs.add_pieces(PieceFile(THEIRS), "theirs", "export.jsonl")
    assert texts(theirs, "second") == before
    made = theirs.document(theirs.resolve("errors.md").id)
    assert made.text == f"{THEIRS[3].text}\n\n{THEIRS[4].text}"


def test_a_made_document_stays_while_another_set_stands_in_it(theirs: Workbench) -> None:
    second = (GivenPiece("the card was declined", "errors.md"),)
    theirs.add_pieces(PieceFile(second), "second", "second.jsonl")
    theirs.add_pieces(PieceFile(THEIRS[:3]), "theirs", "export.jsonl")
    assert texts(theirs, "second") == [("the card was declined", True)]
    theirs.add_pieces(PieceFile((GivenPiece("New.", "notes.md"),)), "second", "second.jsonl")
    assert "errors.md" not in {d.source for d in theirs.documents()}  # now nobody does


CRASH = """
import os, sys
from ragdebug import Workbench
from ragdebug.pieces import GivenPiece, PieceFile
from ragdebug.store.pieces import PieceStore

def killed(*_):
    os._exit(9)  # as if the machine went off: after the documents, before the set

PieceStore.add = killed
with Workbench(sys.argv[1]) as wb:
    wb.add_pieces(PieceFile((GivenPiece("Never seen before.", "far.md"),)), "far", "far.jsonl")
"""


def test_a_crash_leaves_no_documents_without_their_set(theirs: Workbench) -> None:
    before = [(d.id, d.version) for d in theirs.documents()]
    path = theirs.path
    theirs.close()
    ended = subprocess.run([sys.executable, "-c", CRASH, str(path)], env=os.environ, check=False)
    assert ended.returncode == 9
    with Workbench(path) as again:
        assert [(d.id, d.version) for d in again.documents()] == before
        assert [s.name for s in again.piece_sets()] == ["theirs"]
        again.add_pieces(PieceFile((GivenPiece("Never seen before.", "far.md"),)), "far", "f.jsonl")
        assert texts(again, "far") == [("Never seen before.", True)]
