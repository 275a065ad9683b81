"""Chunks of another system searched, measured, traced and explained like any other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.pieces import GivenPiece, PieceFile
from tests.workbench.pieces.conftest import DRAFT, TEXT, THEIRS


def test_a_piece_without_a_place_is_searched_and_never_counts_as_found(theirs: Workbench) -> None:
    result = theirs.search(
        "refund depends on the plan",
        ["bm25@imported:theirs"],
        expect=theirs.find_quote("annual plans are prorated"),
    )
    hits = result.lists["bm25"].hits
    assert hits[0].chunk.text == THEIRS[2].text and not hits[0].chunk.placed
    assert result.lists["bm25"].expected is not None
    assert result.lists["bm25"].expected.rank == 1 + [h.chunk.placed for h in hits].index(True)
    hit = theirs.search_one("refund depends on the plan", "bm25@imported:theirs").hits[0]
    assert hit.chunk.id.rpartition(":")[2].startswith("not-placed-")


def test_all_strategies_run_on_their_pieces(theirs: Workbench) -> None:
    with_model = f"@imported:theirs+model={DRAFT}"
    result = theirs.search(
        "annual plans refund",
        [f"vector{with_model}", "bm25@imported:theirs", f"hybrid{with_model}",
         f"reranked{with_model}+reranker=identity"],
    )  # fmt: skip
    for one in result.lists.values():
        assert one.error == ""
        assert one.total == 5
    assert len(result.lists["vector"].hits) == 5


def test_their_metadata_filters_their_pieces(theirs: Workbench) -> None:
    found = theirs.search_one("refunded refunds", "bm25@imported:theirs+filter=tenant=acme")
    assert [h.chunk.index_text for h in found.hits] == [THEIRS[1].text]
    assert found.allowed == 1


def test_a_chunk_that_two_tenants_have_is_found_by_both_and_by_no_third(docs: Workbench) -> None:
    words = "Invoices are sent on the first of the month."
    pieces = [
        GivenPiece(words, "refunds.md", metadata={"tenant": tenant}) for tenant in ("acme", "beta")
    ]
    docs.add_pieces(PieceFile(tuple(pieces)), "theirs", "export.jsonl")
    for tenant, chunks in (("acme", 1), ("beta", 1), ("gamma", 0)):
        found = docs.search_one("invoices", f"bm25@imported:theirs+filter=tenant={tenant}")
        assert (found.allowed, len(found.hits)) == (chunks, chunks)


def test_why_says_that_a_filter_took_out_their_piece(theirs: Workbench) -> None:
    (place,) = theirs.find_quote("Refunds are available within 30 days.")
    filtered = "bm25@imported:theirs+filter=tenant=acme"
    found = theirs.why(query="refunds", places=[place], strategy=filtered)
    assert found.stage == "filtered_out"
    found = theirs.why(query="refunds", places=[place], strategy="bm25@imported:theirs")
    assert found.stage == "delivered"


def test_an_evaluation_on_their_pieces_counts_what_is_not_placed(theirs: Workbench) -> None:
    theirs.import_questions(
        b'{"id": "q1", "question": "refund plan summary", "source": "refunds.md",'
        b' "quote": "annual plans are prorated"}\n',
        "jsonl",
    )
    (run,) = theirs.evaluate(["bm25@imported:theirs"]).runs
    (row,) = theirs.run_rows([run.id], ["recall@1", "recall@5"])
    assert [row.metrics["recall@1"].mean, row.metrics["recall@5"].mean] == [0.0, 1.0]
    assert any("never count as found: 1 of 3" in note for note in row.notes)
    (finding,) = [f for f in theirs.health(["bm25@imported:theirs"]) if f.code == "not_placed"]
    assert (finding.count, finding.of) == (1, 5)
    theirs.add_pieces(PieceFile(THEIRS[:2]), "theirs", "export.jsonl")
    (again,) = theirs.evaluate(["bm25@imported:theirs"]).runs
    assert again.fingerprint != run.fingerprint
    assert "not_placed" not in {f.code for f in theirs.health(["bm25@imported:theirs"])}


@pytest.fixture(scope="module")
def explained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("explained")
    (folder / "docs").mkdir()
    (folder / "docs" / "refunds.md").write_text(TEXT, "utf-8")
    with Workbench(folder / "workspace") as opened:
        opened.ingest([folder / "docs"])
        opened.add_pieces(PieceFile(THEIRS), "theirs", "export.jsonl")
        opened.build("imported:theirs", DRAFT)
        yield opened


HYBRID = f"hybrid@imported:theirs+model={DRAFT}"


def test_every_score_of_their_pieces_is_explained(explained: Workbench) -> None:
    query = "refund of annual plans"
    found = explained.search(query, [HYBRID, "bm25@imported:theirs"], k=5)
    for hit in found.lists["bm25"].hits:
        rows = explained.explain_bm25(query, "bm25@imported:theirs", hit.row)
        assert rows.score == pytest.approx(hit.score, abs=1e-6)
        assert sum(t.contribution for t in rows.rows) == pytest.approx(hit.score, abs=1e-6)
    for hit in found.lists["hybrid"].hits:
        ledger = explained.explain_fusion(query, HYBRID, hit.row)
        assert sum(e.share for e in ledger.ledger.entries) == pytest.approx(hit.score, abs=1e-6)
    for row in range(len(explained.chunk_table("imported:theirs"))):
        # Placed, folded and not placed alike: their own words are read.
        last = list(explained.explain_vector(query, f"vector{HYBRID[6:]}", row))[-1]
        chunk = explained.chunk_table("imported:theirs").chunk(row)
        assert last.indexed.text == chunk.index_text
        parts = [last.indexed.text[a:b] for a, b in last.indexed.parts]
        assert "".join("".join(parts).split()) == "".join(chunk.index_text.split())


def test_a_case_on_their_pieces_is_written_and_read_again(
    explained: Workbench, tmp_path: Path
) -> None:
    places = explained.find_quote("annual plans are prorated")
    case = explained.case(query="refund depends on the plan", places=places, strategies=[HYBRID])
    html = explained.case_html(case).decode()
    assert THEIRS[2].text in html and "imported:theirs" in html


def test_their_pieces_are_compared_with_ours(explained: Workbench) -> None:
    found = explained.search("annual plans", ["bm25@imported:theirs", "bm25@fixed:40/0"], k=3)
    comparison = explained.compare(list(found.lists.values()))
    assert len(comparison.hits) == 2
