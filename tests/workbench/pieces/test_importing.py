"""Chunks of another system: placed, listed, replaced, taken out and brought back."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting, NotBrought
from ragdebug.pieces import GivenPiece, PieceFile
from tests.workbench.conftest import write
from tests.workbench.pieces.conftest import DRAFT, TEXT, THEIRS


def test_pieces_are_placed_by_their_text_and_the_others_are_listed(docs: Workbench) -> None:
    report = docs.add_pieces(PieceFile(THEIRS), "theirs", "export.jsonl")
    assert report.chunking == "imported:theirs"
    assert report.placed == {"exact": 3, "folded": 1}
    assert [(r.id, r.text) for r in report.not_placed] == [("a3", THEIRS[2].text)]
    assert report.made == ("errors.md",)
    assert report.documents["docs/refunds.md"] == "refunds.md"
    assert report.chunks == 5
    chunks = docs.chunk_document(docs.resolve("refunds.md").id, "imported:theirs")
    assert [c.placed for c in chunks] == [False, True, True]
    assert [TEXT[c.start : c.end] for c in chunks[1:]] == [
        "Refunds are available within 30 days.",
        "After that, annual plans are prorated; “setup fees” are never refunded.",
    ]
    assert [c.section for c in chunks[1:]] == [("Billing", "Refunds")] * 2
    # What is indexed is the piece as it was given, what is shown is the document.
    assert [c.index_text for c in chunks] == [THEIRS[i].text for i in (2, 0, 1)]
    assert chunks[0].text == THEIRS[2].text


def test_a_set_is_replaced_taken_out_and_brought_back(theirs: Workbench) -> None:
    (first,) = theirs.piece_sets()
    theirs.add_pieces(PieceFile(THEIRS[:2]), "theirs", "export.jsonl")
    assert len(theirs.chunk_table("imported:theirs")) == 2
    assert [s.id for s in theirs.piece_sets(removed=True)] == [first.id]
    theirs.restore_pieces(first.id)
    assert len(theirs.chunk_table("imported:theirs")) == 5
    theirs.remove_pieces("theirs")
    with pytest.raises(NotBrought, match="no set of chunks theirs"):
        theirs.chunk_table("imported:theirs")
    failed = theirs.search_one("refund", "bm25@imported:theirs")
    assert "no set of chunks theirs" in failed.error


def test_a_dry_run_keeps_nothing(docs: Workbench) -> None:
    before = [d.id for d in docs.documents()]
    report = docs.add_pieces(PieceFile(THEIRS), "theirs", "export.jsonl", dry_run=True)
    assert report.placed == {"exact": 3, "folded": 1} and report.dry_run
    assert docs.piece_sets() == [] and [d.id for d in docs.documents()] == before


def test_a_changed_document_has_its_pieces_placed_anew(theirs: Workbench, folder: Path) -> None:
    write(folder, refunds_md="New first line.\n\n" + TEXT.replace("within 30 days", "for a month"))
    theirs.ingest([folder])
    report = theirs.piece_report("theirs")
    assert {r.id for r in report.not_placed} == {"a1", "a3"}
    chunk = next(
        c
        for c in theirs.chunk_document(theirs.resolve("refunds.md").id, "imported:theirs")
        if c.placed
    )
    assert chunk.text.startswith("After that")


@pytest.mark.parametrize(
    "name", ["", " ", "a:b", "a@b", "x" * 61, "list:", "list:a", "a/b", "a,b", "a\ud800", "a\x00"]
)
def test_a_name_that_would_break_a_text_form_is_refused(docs: Workbench, name: str) -> None:
    with pytest.raises(InvalidSetting, match="cannot be a name"):
        docs.add_pieces(PieceFile(THEIRS), name, "export.jsonl")


def test_the_set_of_a_list_is_none_of_theirs(docs: Workbench, tmp_path: Path) -> None:
    hit = '{"query": "refunds", "rank": 1, "text": "Refunds are available within 30 days."}'
    (tmp_path / "list.jsonl").write_text(hit)
    docs.import_lists(tmp_path / "list.jsonl", "prod")
    with pytest.raises(NotBrought, match="no set of chunks list:prod"):
        docs.remove_pieces("list:prod")
    with pytest.raises(NotBrought, match="no set of chunks list:prod"):
        docs.set_pieces_model("list:prod", DRAFT)


def test_chunks_of_a_file_that_is_here_as_records_are_placed_in_their_record(
    docs: Workbench, folder: Path
) -> None:
    write(
        folder,
        codes_csv="code,text\nA1,Paper jam in the tray.\nA2,No ink is left.\nA3,No ink is left.\n",
    )
    docs.ingest([folder])
    pieces = (
        GivenPiece("No ink is  left.", "kb/codes.csv", "p1"),
        GivenPiece("No ink is left.", "kb/codes.csv", "p2"),
        GivenPiece("jam in the tray", "kb/codes.csv", "p3"),
        GivenPiece("Paper jam in the tray. No ink is left.", "kb/codes.csv", "p4"),
    )
    report = docs.add_pieces(PieceFile(pieces), "theirs", "f.jsonl")
    found = {p.id: p.document for p in docs.store.pieces.pieces(docs.piece_sets()[0].id)}
    sources = {d.id: d.source for d in docs.documents()}
    assert [sources[found[p]] for p in ("p1", "p2", "p3", "p4")] == [
        "codes.csv#A2", "codes.csv#A3", "codes.csv#A1", "kb/codes.csv"
    ]  # fmt: skip
    (note,) = (n for n in report.notes if "records" in n)
    assert note.startswith("kb/codes.csv is here as 3 records; 3 of its 4 chunks stand in one")
    assert "run through several" in note and "--rows table" in note
    labelled = docs.find_quote("Paper jam")[0]
    hits = docs.search("paper jam", ["bm25@imported:theirs"], expect=[labelled]).lists["bm25"].hits
    assert "codes.csv#A1" in {h.chunk.source for h in hits}
