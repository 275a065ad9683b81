"""Chunks of another system: placed, searched, measured and explained like any other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ragdebug import Workbench
from ragdebug.errors import InvalidSetting, ModelMismatch, NotBrought
from ragdebug.pieces import GivenPiece, PieceFile
from ragdebug.settings import DenseSettings
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


def test_pieces_of_a_document_that_others_made_say_so(theirs: Workbench) -> None:
    pieces = (GivenPiece("the bank is closed", "errors.md"), GivenPiece("Not there.", "errors.md"))
    report = theirs.add_pieces(PieceFile(pieces), "second", "export.jsonl")
    assert (len(report.not_placed), report.made) == (1, ())
    assert any("made of other chunks before: errors.md" in note for note in report.notes)


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


# Given vectors ------------------------------------------------------------------------------------


def vectors_of(*rows: int) -> np.ndarray:
    """Unit vectors of the draft model's length, one axis each."""
    made = np.zeros((len(rows), 256), np.float32)
    for at, axis in enumerate(rows):
        made[at, axis] = 3.0
    return made


def test_given_vectors_are_used_as_they_are(docs: Workbench) -> None:
    given = PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4))
    docs.add_pieces(given, "theirs", "export.jsonl", DRAFT)
    table = docs.chunk_table("imported:theirs")
    plan = docs.plan("imported:theirs", DRAFT)
    assert plan.new == 0
    trace = docs.search_one("refund", f"vector@imported:theirs+model={DRAFT}").trace
    query = docs._embed_query(DRAFT, "refund")
    rows = docs.pieces.rows("theirs", table)
    found = dict(trace.stages[0])
    for position in range(5):
        assert found[int(rows[position])] == pytest.approx(float(query[position]), abs=1e-6)


def test_a_cosine_of_a_given_vector_is_told_from_that_of_the_text(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", DRAFT)
    strategy = f"vector@imported:theirs+model={DRAFT}"
    hit = docs.search_one("refund", strategy).hits[0]
    made = next(docs.explain_vector("refund", strategy, hit.row))
    assert made.listed == pytest.approx(hit.score, abs=1e-6)
    assert abs(made.score - made.listed) > 0.05


def test_with_another_model_their_texts_are_embedded_here(docs: Workbench) -> None:
    docs.add_pieces(
        PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", "their-model"
    )
    assert docs.plan("imported:theirs", DRAFT).new == 5
    docs.set_pieces_model("theirs", DRAFT)
    assert docs.plan("imported:theirs", DRAFT).new == 0


def cosines(wb: Workbench, query: str) -> list[float]:
    found = wb.search_one(query, f"vector@imported:theirs+model={DRAFT}", build=True)
    return sorted(score for _, score in found.trace.stages[0])


def test_a_model_that_is_named_later_counts_for_what_was_indexed_before(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl")
    ours = cosines(docs, "refund")
    run = docs.brought("imported:theirs")
    docs.set_pieces_model("theirs", DRAFT)
    query = docs._embed_query(DRAFT, "refund")
    assert cosines(docs, "refund") == pytest.approx(sorted(map(float, query[:5])), abs=1e-6)
    assert docs.brought("imported:theirs") != run
    docs.set_pieces_model("theirs", "another-model")
    assert cosines(docs, "refund") == pytest.approx(ours, abs=1e-6)


def test_a_set_replaced_while_it_is_searched_keeps_its_own_vectors(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", DRAFT)
    (first,) = docs.piece_sets()
    table = docs.chunk_table("imported:theirs")
    docs.add_pieces(PieceFile(THEIRS, vectors_of(5, 6, 7, 8, 9)), "theirs", "f.jsonl", DRAFT)
    docs.indexes.dense(table, DRAFT, DenseSettings())  # a search that began before
    query = docs._embed_query(DRAFT, "refund")
    assert cosines(docs, "refund") == pytest.approx(sorted(map(float, query[5:10])), abs=1e-6)
    docs.restore_pieces(first.id)
    assert cosines(docs, "refund") == pytest.approx(sorted(map(float, query[:5])), abs=1e-6)


def test_when_all_given_vectors_are_purged_the_rest_is_embedded(docs: Workbench) -> None:
    vectors = vectors_of(0, 1, 2, 3, 4)
    vectors[3:] = np.nan
    docs.add_pieces(PieceFile(THEIRS, vectors), "theirs", "f.jsonl", DRAFT)
    docs.remove([docs.resolve("refunds.md").id])
    docs.purge([docs.resolve("refunds.md", removed=True).id])
    assert len(cosines(docs, "card declined")) == 2


def test_pieces_without_a_vector_are_embedded_with_the_same_model(docs: Workbench) -> None:
    vectors = vectors_of(0, 1, 2, 3, 4)
    vectors[3] = np.nan
    report = docs.add_pieces(PieceFile(THEIRS, vectors), "theirs", "f.jsonl", DRAFT)
    assert any("1 of 5 chunks have no vector" in note for note in report.notes)
    assert docs.plan("imported:theirs", DRAFT).new == 1
    found = docs.search_one("card declined", f"vector@imported:theirs+model={DRAFT}", build=True)
    assert found.trace.indexed == 1.0
    assert found.hits[0].chunk.text == THEIRS[3].text


def test_vectors_of_the_wrong_length_are_not_used(docs: Workbench) -> None:
    report = docs.add_pieces(
        PieceFile(THEIRS, np.ones((5, 7), np.float32)), "theirs", "f.jsonl", DRAFT
    )
    assert any("7 dimensions" in note and "256" in note for note in report.notes)
    assert docs.plan("imported:theirs", DRAFT).new == 5


def test_purge_takes_their_words_and_vectors_too(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", DRAFT)
    docs.remove([docs.resolve("refunds.md").id])
    docs.purge([docs.resolve("refunds.md", removed=True).id])
    (kept,) = docs.piece_sets()
    assert [p.id for p in docs.store.pieces.pieces(kept.id)] == ["b1", "b2"]
    assert docs.store.pieces.vectors(kept.id)[0].tolist() == [3, 4]
    assert len(docs.chunk_table("imported:theirs")) == 2
    assert docs.search_one("ERR_4021", f"vector@imported:theirs+model={DRAFT}").hits


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


# Explained and shared -----------------------------------------------------------------------------


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


# What a person has to be told ---------------------------------------------------------------------


def test_vectors_that_are_not_used_are_named_in_the_list(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, vectors_of(0, 1, 2, 3, 4)), "theirs", "f.jsonl", "far-model")
    strategy = f"vector@imported:theirs+model={DRAFT}"
    (note,) = docs.search_one("refund", strategy, build=True).notes
    assert note == "embedded here; the given vectors, of far-model, are not used"
    docs.set_pieces_model("theirs", DRAFT)
    assert docs.model_of_pieces("theirs") == DRAFT
    assert docs.search_one("refund", strategy).notes == ()


def test_a_model_of_another_length_is_refused(docs: Workbench) -> None:
    docs.add_pieces(PieceFile(THEIRS, np.ones((5, 7), np.float32)), "theirs", "f.jsonl")
    with pytest.raises(ModelMismatch, match="have 7 dimensions, and .* has 256"):
        docs.set_pieces_model("theirs", DRAFT)
    assert docs.piece_sets()[0].model == ""


def test_a_file_that_is_here_as_records_is_named(docs: Workbench, folder: Path) -> None:
    write(folder, codes_csv="code,text\nA1,Paper jam.\nA2,No ink.\n")
    docs.ingest([folder])
    pieces = (GivenPiece("code,text A1,Paper jam. A2,No ink.", "kb/codes.csv"),)
    report = docs.add_pieces(PieceFile(pieces), "theirs", "f.jsonl")
    assert any("here as 2 records" in note and "--rows table" in note for note in report.notes)
