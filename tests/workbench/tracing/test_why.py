"""Every stage loses an answer at least once, is named, and agrees with the long way."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from ragdebug import Workbench
from ragdebug.diagnose import STAGES, stages_of
from ragdebug.errors import QuoteNotFound, RagDebugError
from ragdebug.model_files import info as model_info
from ragdebug.questions import UNPLACED, Label, Need
from ragdebug.records import Place
from ragdebug.settings import StrategySettings
from ragdebug.tokens import counter
from ragdebug.workbench.tracing.sentences import sentence, unmeasured
from tests.workbench.tracing.corpus import ANIMALS, place, strategy
from tests.workbench.tracing.reckoning import reckon

HERON, OTTER, BADGER = "wood/heron.txt", "water/otter.txt", "wood/badger.txt"
BM25 = strategy("bm25")
WHO = "who sleeps in the rain again"

# Stage, query, what answers it, its document, strategy.
CASES = [
    ("delivered", "what does the heron eat", "eats fish at dawn", HERON, strategy("bm25")),
    ("filtered_out", "what does the heron eat", "eats fish at dawn", HERON,
     strategy("bm25", "filter=kingdom=water")),
    # A chunk of 40 characters ends inside the sentence.
    ("cut", "badger", "The heron sleeps in the reeds and again.", HERON, strategy("bm25", "k=1")),
    # No chunk of the heron speaks of the otter.
    ("not_retrieved", "otter", "swims up the river", HERON, strategy("bm25")),
    ("not_retrieved", "otter", "swims up the river", HERON, strategy("vector", "depth=3", "k=3")),
    ("lost_in_fusion", WHO, "sleeps in the reeds", HERON, strategy("hybrid", "k=2", "depth=6")),
    ("lost_in_fusion", "what does the heron eat", "swims up the river", HERON,
     strategy("reranked", "k=3", "pool=9")),
    ("lost_in_rerank", "what does the heron eat", "eats fish at dawn", HERON,
     strategy("reranked", "k=3", "pool=9")),
    ("below_k", "what does the heron eat", "eats fish at dawn", OTTER, strategy("bm25", "k=3")),
    ("below_k", "what does the heron eat", "swims up the river", HERON, strategy("hybrid", "k=4")),
    # Every score of the reranker is a length, and no chunk has more than 40 characters.
    ("below_minimum_score", "what does the heron eat", "eats fish at dawn", BADGER,
     strategy("reranked", "k=3", "pool=9", "minimum=41")),
    ("over_budget", WHO, "sleeps in the reeds", HERON, strategy("hybrid", "k=4", "budget=30")),
]  # fmt: skip


def source(name: str) -> str:
    return f"kingdom={name}"


@pytest.mark.parametrize(("stage", "query", "quote", "document", "text"), CASES)
def test_the_stage_that_lost_it_is_named(
    shared: Workbench, stage: str, query: str, quote: str, document: str, text: str
) -> None:
    wanted = place(shared, quote, source(document))
    report = shared.why(query=query, places=[wanted], strategy=text)
    assert report.stage == stage
    assert reckon(shared, query, wanted, text) == stage
    lost = [step.stage for step in report.path if step.status == "lost"]
    assert lost == ([] if stage == "delivered" else [stage])
    assert sentence(report)
    # The path has the strategy's stages, each once, in order.
    have = [s for s in stages_of(StrategySettings.parse(text)) if s != "delivered"]
    assert [s.stage for s in report.path if s.stage != "delivered"] == have


def test_all_stages_of_the_lists_are_among_the_cases() -> None:
    elsewhere = {"not_in_corpus", "lost_in_parsing", "beyond_window"}
    assert {case[0] for case in CASES} | elsewhere == set(STAGES)


@settings(max_examples=60)
@given(
    query=st.lists(
        st.sampled_from(
            ["the", "again", "fish", "dawn", "river", "rain", "reeds", *ANIMALS[:4], "zzz"]
        ),
        min_size=1,
        max_size=4,
    ).map(" ".join),
    animal=st.sampled_from(ANIMALS),
    span=st.tuples(st.integers(0, 150), st.integers(1, 60)),
    preset=st.sampled_from(["vector", "bm25", "hybrid", "reranked"]),
    k=st.integers(1, 6),
    depth=st.integers(1, 20),
    more=st.lists(
        st.sampled_from(["pool=7", "budget=25", "filter=kingdom=wood"]), unique=True, max_size=3
    ),
    share=st.sampled_from([0.3, 0.9, 1.0]),
)
def test_any_place_of_any_strategy_is_lost_where_the_long_way_says(
    shared: Workbench,
    query: str,
    animal: str,
    span: tuple[int, int],
    preset: str,
    k: int,
    depth: int,
    more: list[str],
    share: float,
) -> None:
    (info,) = [d for d in shared._active() if d.source.endswith(f"/{animal}.txt")]
    start, end = span[0] % info.chars, min(info.chars, span[0] % info.chars + span[1])
    wanted = shared.place(info.id, start, end)
    if not wanted.quote.strip():
        return
    text = strategy(preset, f"k={k}", f"depth={depth}", *more)
    report = shared.why(query=query, places=[wanted], strategy=text, found_share=share)
    assert report.stage == reckon(shared, query, wanted, text, share)


# Facts --------------------------------------------------------------------------------------------


def test_a_cut_says_how_much_each_piece_holds_and_where_it_stands(shared: Workbench) -> None:
    wanted = place(shared, "The heron sleeps in the reeds and again.", source(HERON))
    report = shared.why(query="heron reeds", places=[wanted], strategy=strategy("bm25", "k=1"))
    (cut,) = [s for s in report.path if s.stage == "cut"]
    pieces = cut.facts["pieces"]
    assert len(pieces) == 2 and all(p["coverage"] < 0.9 for p in pieces)
    assert sum(p["coverage"] for p in pieces) == pytest.approx(1.0)
    # The piece with both words of the query came first, the other one did not.
    assert sorted(p["rank"] for p in pieces)[0] == 1
    assert {c.id for c in report.needs[0].places[0].chunks} == {p["chunk"] for p in pieces}


def test_pieces_that_all_came_in_lose_nothing_and_are_odd(shared: Workbench) -> None:
    wanted = place(shared, "The heron sleeps in the reeds and again.", source(HERON))
    report = shared.why(query="heron sleeps reeds again", places=[wanted],
                        strategy=strategy("bm25", "k=40"))  # fmt: skip
    assert report.stage == "delivered"
    assert {s.stage: s.status for s in report.path}["cut"] == "warning"


def test_ranks_are_over_the_whole_corpus_and_gaps_to_the_last_one_admitted(
    shared: Workbench,
) -> None:
    wanted = place(shared, "swims up the river", source(HERON))
    text = strategy("hybrid", "k=2", "depth=3")
    report = shared.why(query="what does the otter eat", places=[wanted], strategy=text)
    (chunk,) = report.needs[0].places[0].chunks
    deep = shared.search("what does the otter eat", [strategy("vector", "k=100")], remember=False)
    hits = deep.lists["vector"].hits
    rank = next(h.rank for h in hits if h.chunk.id == chunk.id)
    assert (chunk.ranks["vector"], chunk.ranks["bm25"], chunk.ranks["fused"]) == (rank, None, None)
    assert rank > 3
    assert chunk.scores["vector"] == pytest.approx(hits[rank - 1].score, abs=1e-9)
    assert chunk.gap["vector"] == pytest.approx(hits[2].score - hits[rank - 1].score, abs=1e-9)
    assert chunk.gap["bm25"] is None
    (candidates,) = [s for s in report.path if s.stage == "not_retrieved"]
    assert candidates.facts["ranks"] == {"vector": rank, "bm25": None}
    # Without a limit both lists are fused whole: BM25 adds nothing to it.
    whole = shared.search(
        "what does the otter eat", [strategy("hybrid", "k=100", "depth=100")], remember=False
    )
    assert chunk.ranks["fused_whole"] == next(
        h.rank for h in whole.lists["hybrid"].hits if h.chunk.id == chunk.id
    )


def test_a_passage_outside_of_the_pool_has_a_score_and_a_place_among_the_candidates(
    shared: Workbench,
) -> None:
    wanted = place(shared, "swims up the river", source(HERON))
    text = strategy("reranked", "k=3", "pool=9")
    report = shared.why(query="what does the heron eat", places=[wanted], strategy=text)
    (chunk,) = report.needs[0].places[0].chunks
    length = len(shared.chunk_table(StrategySettings.parse(text).chunking).index_text(chunk.row))
    pool = shared.search(
        "what does the heron eat", [strategy("reranked", "k=9", "pool=9")], remember=False
    ).lists["reranked"]
    lengths = [h.score for h in pool.hits]
    assert chunk.ranks["reranked"] is None
    assert chunk.scores["reranked"] == length
    # It would come after all that are at least as long.
    assert chunk.would_rank == sum(x >= length for x in lengths) + 1
    assert chunk.gap["reranked"] == max(0, sorted(lengths)[-3] - length)


def test_all_chunks_that_hold_some_of_it_are_counted(shared: Workbench) -> None:
    text = strategy("bm25", chunking="fixed:3/0:chars:nolabel")
    whole = shared.region(place(shared, "eats fish at dawn", source(HERON)).document)
    (trace,) = shared.why(query="heron", places=[whole], strategy=text).needs[0].places
    pieces = shared.chunk_places(StrategySettings.parse(text).chunking, whole.document)
    assert (len(trace.chunks), trace.total) == (20, len(pieces))
    # A region counts from one half on, and each piece lies inside it.
    assert all(c.whole for c in trace.chunks)
    two = place(shared, "eats fish", source(HERON))
    pieces_of_two = shared.why(query="heron", places=[two], strategy=text).needs[0].places[0]
    assert not any(c.whole for c in pieces_of_two.chunks)


# A window -----------------------------------------------------------------------------------------


@pytest.fixture
def eight_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draft model as if it read eight tokens of a text."""
    monkeypatch.setattr(
        "ragdebug.workbench.tracing.why.model_info",
        lambda name: replace(model_info(name), window=10, special_tokens=2),
    )


@pytest.mark.usefixtures("eight_tokens")
def test_what_the_model_does_not_read_is_lost_beyond_its_window(shared: Workbench) -> None:
    whole = "document:nolabel"
    wanted = place(shared, "hides from the rain", source(HERON))
    lists = {
        preset: shared.why(query="otter", places=[wanted], k=1,
                           strategy=strategy(preset, chunking=whole))
        for preset in ("vector", "bm25", "hybrid")
    }  # fmt: skip
    assert lists["vector"].stage == "beyond_window"
    (chunk,) = lists["vector"].needs[0].places[0].chunks
    assert chunk.window == 8 and chunk.beyond == chunk.tokens - 8 > 0
    assert (chunk.coverage, chunk.seen) == (1.0, 0.0)
    text = shared.document(wanted.document).text
    assert text[: chunk.read_to] == "The heron eats fish at dawn"
    assert counter("wordllama-l2-supercat-256").count(text[: chunk.read_to]) == 8
    # BM25 reads everything: alone it has no window, and beside vectors it is a warning.
    assert "beyond_window" not in {s.stage for s in lists["bm25"].path}
    assert lists["hybrid"].stage != "beyond_window"
    assert {s.stage: s.status for s in lists["hybrid"].path}["beyond_window"] == "warning"


@pytest.mark.usefixtures("eight_tokens")
def test_a_list_of_weight_0_does_not_read_for_the_other(shared: Workbench) -> None:
    wanted = place(shared, "hides from the rain", source(HERON))
    text = strategy("hybrid", "weights=bm25:0", "k=1", chunking="document:nolabel")
    assert shared.why(query="otter", places=[wanted], strategy=text).stage == "beyond_window"


@pytest.mark.usefixtures("eight_tokens")
def test_what_is_read_is_not_beyond_the_window(shared: Workbench) -> None:
    wanted = place(shared, "The heron", source(HERON))
    text = strategy("vector", "k=1", chunking="document:nolabel")
    assert shared.why(query="otter", places=[wanted], strategy=text).stage == "below_k"


# Needs --------------------------------------------------------------------------------------------


def test_a_need_is_as_far_as_its_furthest_place_a_question_as_its_nearest_need(
    shared: Workbench,
) -> None:
    eats = place(shared, "eats fish at dawn", source(HERON))
    swims = place(shared, "swims up the river", source(HERON))
    query, text = "what does the heron eat", strategy("bm25", "k=3")
    both = shared.why(query=query, places=[swims, eats], strategy=text)
    assert [p.stage for p in both.needs[0].places] == ["not_retrieved", "delivered"]
    assert (both.stage, both.needs[0].furthest.place) == ("delivered", eats)
    question = replace(
        shared.evidence(query), needs=(Need((Label(eats),)), Need((Label(swims),), 2.0))
    )
    two = shared.why(question, strategy=text)
    assert [n.stage for n in two.needs] == ["delivered", "not_retrieved"]
    assert two.stage == "not_retrieved" and two.path == two.needs[1].places[0].path


def test_a_need_that_is_not_measured_does_not_decide(wb: Workbench) -> None:
    nowhere = Need((Label(Place("", "", source(HERON), -1, -1, "flies to the moon"), UNPLACED),))
    stands = Need((Label(place(wb, "eats fish at dawn", source(HERON))),))
    half = wb.add_question("what does the heron eat", [nowhere, stands])
    report = wb.why(half.id, strategy=BM25)
    assert [n.stage for n in report.needs] == ["not_in_corpus", "delivered"]
    assert (report.stage, report.decides) == ("delivered", report.needs[1])
    assert report.path == report.needs[1].furthest.path
    first, second = map(unmeasured, report.needs)
    assert first.startswith("Not measured: its label stands nowhere.") and second == ""
    # Alone it decides: there is nothing else to say of the question.
    alone = wb.add_question("moon", [nowhere])
    assert wb.why(alone.id, strategy=BM25).stage == "not_in_corpus"
    # As on Results, whose recall is 1.
    (run,) = wb.evaluate([BM25]).runs
    assert wb.mean(run.id, "recall@5").mean == 1.0
    (lost,) = wb.lost_stages([run.id])
    assert lost.stages["delivered"] == lost.partial == (half.id,)


def test_k_budget_and_filter_may_be_given_instead_of_the_strategys_own(shared: Workbench) -> None:
    wanted, query = place(shared, "eats fish at dawn", source(OTTER)), "what does the heron eat"
    asked = {"query": query, "places": [wanted], "strategy": strategy("bm25", "k=3")}
    assert shared.why(**asked).stage == "below_k"  # type: ignore[arg-type]
    assert shared.why(**asked, k=30).stage == "delivered"  # type: ignore[arg-type]
    assert shared.why(**asked, k=30, budget=5).stage == "over_budget"  # type: ignore[arg-type]
    hidden = shared.why(**asked, k=30, filter=[("kingdom", "wood")])  # type: ignore[arg-type]
    assert hidden.stage == "filtered_out" and hidden.allowed < hidden.chunks


def test_what_is_delivered_fits_into_the_budget(shared: Workbench) -> None:
    wanted = place(shared, "eats fish at dawn", source(HERON))
    text = strategy("bm25", "k=5")
    whole = shared.why(query="heron fish", places=[wanted], strategy=text)
    less = shared.why(query="heron fish", places=[wanted], strategy=text, budget=25)
    assert len(whole.delivered) == 5
    assert 0 < len(less.delivered) < 5
    assert whole.delivered[: len(less.delivered)] == less.delivered


# Outside of the corpus ----------------------------------------------------------------------------


def test_words_that_stand_nowhere_are_not_in_the_corpus(shared: Workbench) -> None:
    report = shared.why(
        query="who flies", quote="The heron flies to the moon", source="heron.txt", strategy=BM25
    )
    assert report.stage == "not_in_corpus"
    (trace,) = report.needs[0].places
    assert (trace.place.start, trace.place.quote) == (-1, "The heron flies to the moon")
    assert trace.place.source == source(HERON)
    assert not report.needs[0].measured
    unknown = shared.why(query="who flies", quote="The heron", source="phoenix.txt", strategy=BM25)
    assert unknown.stage == "not_in_corpus"
    assert "phoenix.txt" in unknown.path[0].facts["why"]


def test_a_document_that_was_taken_out_takes_its_answers_along(wb: Workbench) -> None:
    wanted = place(wb, "eats fish at dawn", source(HERON))
    wb.remove([wanted.document])
    report = wb.why(query="what does the heron eat", places=[wanted], strategy=BM25)
    assert report.stage == "not_in_corpus"
    assert reckon(wb, "", wanted, strategy("bm25")) == "not_in_corpus"


def test_another_reader_that_has_the_words_tells_of_a_parser_that_lost_them(
    wb: Workbench, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<html><body><p>All that is shown.</p>"
        "<noscript>The ibis is sacred in Egypt.</noscript></body></html>",
        "utf-8",
    )
    wb.ingest([page])
    report = wb.why(query="sacred birds", quote="The ibis is sacred", strategy=BM25)
    assert report.stage == "lost_in_parsing"
    facts = report.path[1].facts
    assert (facts["reader"], facts["source"]) == ("raw HTML", "page.html")
    assert "sacred in Egypt" in facts["reads"]


def test_a_person_who_sees_it_on_the_page_is_believed(shared: Workbench) -> None:
    report = shared.why(
        query="x", quote="A picture of an ibis", source="heron.txt", page=1, strategy=BM25
    )
    assert report.stage == "lost_in_parsing"
    assert report.path[1].facts["reader"] == "a person"


def scanned() -> bytes:
    """A PDF whose second page is a picture without a text layer."""
    target = io.BytesIO()
    canvas = Canvas(target)
    canvas.drawString(72, 700, "The first page can be read.")
    canvas.showPage()
    canvas.rect(72, 500, 200, 200, fill=1)
    canvas.showPage()
    canvas.save()
    return target.getvalue()


def test_of_a_page_without_a_text_layer_nobody_can_know(wb: Workbench) -> None:
    wb.ingest_files([("scan.pdf", scanned())])
    quote = "The second page cannot be read"
    report = wb.why(query="scan", quote=quote, source="scan.pdf", strategy=BM25)
    assert report.stage == "not_in_corpus"
    parsed = report.path[1]
    assert (parsed.stage, parsed.status) == ("lost_in_parsing", "unknown")
    assert parsed.facts["pages_unknown"] == {"scan.pdf": [2]}
    # A person looks at the picture of the page, and it is kept with the question.
    wb.import_questions(
        json.dumps({"question": "scan", "quote": quote, "source": "scan.pdf"}).encode(),
        name="q.jsonl",
    )
    (question,) = wb.questions()
    assert wb.why(question, strategy=BM25).stage == "not_in_corpus"
    wb.seen_on_page(question.id, quote, "scan.pdf", 2)
    seen = wb.why(question.id, strategy=BM25)
    assert seen.stage == "lost_in_parsing"
    assert seen.path[1].facts["reader"] == "a person" and seen.path[1].facts["page"] == 2
    assert not seen.needs[0].measured
    with pytest.raises(RagDebugError, match="no label"):
        wb.seen_on_page(question.id, "other words", "scan.pdf", 2)


def test_a_page_alone_may_be_what_answers(wb: Workbench) -> None:
    wb.ingest_files([("scan.pdf", scanned())])
    read = wb.why(query="the first page", source="scan.pdf", page=1, strategy=BM25)
    assert read.stage == "delivered" and read.decides.furthest.place.region == "page"
    bare = wb.why(query="scan", source="scan.pdf", page=2, strategy=BM25)
    assert bare.stage == "lost_in_parsing"
    assert sentence(bare) == (
        "Page 2 of scan.pdf has no text layer: what stands on it cannot be known from its text, "
        "and is not searched."
    )
    with pytest.raises(RagDebugError, match="no page 3"):
        wb.why(query="scan", source="scan.pdf", page=3, strategy=BM25)


def test_a_region_without_any_text_was_lost_by_the_parser(wb: Workbench) -> None:
    wb.ingest_files([("scan.pdf", scanned())])
    page = wb.region(wb.resolve("scan.pdf").id, page=2)
    assert wb.why(query="scan", places=[page], strategy=BM25).stage == "lost_in_parsing"


def test_a_passage_that_is_merely_alike_is_never_taken(wb: Workbench) -> None:
    wb.import_questions(
        b'{"question": "who eats", "quote": "The heron eats fishes at dawn, often", '
        b'"source": "heron.txt"}\n',
        name="q.jsonl",
    )
    (question,) = wb.questions()
    assert question.state == "unusable"
    assert wb.why(question, strategy=BM25).stage == "not_in_corpus"


def test_without_evidence_there_is_nothing_to_trace(wb: Workbench) -> None:
    with pytest.raises(RagDebugError, match="what answers"):
        wb.why(query="heron")
    silent = wb.add_question("who wrote this", not_answerable=True)
    with pytest.raises(RagDebugError, match="Nothing in this corpus answers"):
        wb.why(silent.id)


def test_a_quote_that_stands_everywhere_is_refused(wb: Workbench, tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("bird\n" * 300, "utf-8")
    wb.ingest([tmp_path / "many.txt"])
    with pytest.raises(QuoteNotFound, match="more than"):
        wb.why(query="x", quote="bird")


def test_an_empty_query_retrieves_nothing(shared: Workbench) -> None:
    wanted = place(shared, "eats fish at dawn", source(HERON))
    for preset in ("vector", "bm25", "hybrid", "reranked"):
        report = shared.why(query=" ", places=[wanted], strategy=strategy(preset))
        assert report.stage == "not_retrieved"
        assert sentence(report) == "Nothing was searched for."
