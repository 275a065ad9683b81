"""Four lists over one corpus: what they hold, in which order, and where the expected passage is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import DocumentNotFound, QuoteNotFound
from ragdebug.workbench import plain

DRAFT = "+model=wordllama-l2-supercat-256"
FOUR = [
    f"vector{DRAFT}",
    "bm25",
    f"hybrid{DRAFT}",
    f"reranked{DRAFT}+reranker=identity",
]
TOPICS = {
    "refunds": "# Refunds\n\nMoney is paid back within thirty days of a cancelled order.",
    "errors": "# Errors\n\nERR_4021 means that the grinder is blocked by a stone.",
    "boats": "# Boats\n\nA green boat lies at the pier and waits for the tide.",
    "tea": "# Tea\n\nGreen tea is brewed with water of eighty degrees.",
    "bread": "# Bread\n\nBread is baked in a hot oven until the crust is brown.",
}


@pytest.fixture(scope="module")
def wb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("search")
    (folder / "docs").mkdir()
    for name, text in TOPICS.items():
        (folder / "docs" / f"{name}.md").write_text(text, "utf-8")
    with Workbench(folder / "workspace") as opened:
        opened.ingest([folder / "docs"])
        opened.tag([opened.resolve("boats.md").id], {"tenant": "acme"})
        opened.tag([opened.resolve("tea.md").id], {"tenant": "zeta"})
        yield opened


def test_every_list_names_chunking_model_and_score(wb: Workbench) -> None:
    result = wb.search("green boat", FOUR, k=3)
    assert list(result.lists) == ["vector", "bm25", "hybrid", "reranked"]
    for one in result.lists.values():
        assert one.error == ""
        assert one.chunking == "structure:220/40:tokens:label"
        assert [h.rank for h in one.hits] == list(range(1, len(one.hits) + 1))
        assert all(h.chunk.text == wb.document(h.chunk.document).text[h.chunk.start : h.chunk.end]
                   for h in one.hits)  # fmt: skip
    assert [h.score_kind for h in result.lists["vector"].hits] == ["cosine"] * 3
    assert [h.chunk.source for h in result.lists["bm25"].hits] == ["boats.md", "tea.md"]


def test_hybrid_is_the_sum_of_reciprocal_ranks_of_the_two_lists(wb: Workbench) -> None:
    result = wb.search("green boat", FOUR[:3], k=5)
    ranks = {
        name: {h.chunk.id: h.rank for h in result.lists[name].hits} for name in ("vector", "bm25")
    }
    for h in result.lists["hybrid"].hits:
        by_hand = sum(1 / (60 + r[h.chunk.id]) for r in ranks.values() if h.chunk.id in r)
        assert h.score == pytest.approx(by_hand, abs=1e-12)
        assert {s.list: s.rank for s in h.shares} == {
            name: r.get(h.chunk.id) for name, r in ranks.items()
        }


def test_a_filter_comes_before_ranking_in_every_list(wb: Workbench) -> None:
    result = wb.search("green", FOUR, k=5, filter=[("tenant", "zeta")])
    for one in result.lists.values():
        assert [h.chunk.source for h in one.hits] == ["tea.md"]
        assert (one.allowed, one.total) == (1, 5)
    either = wb.search("green", FOUR, filter=[("tenant", "zeta"), ("tenant", "acme")])
    assert {h.chunk.source for h in either.lists["vector"].hits} == {"tea.md", "boats.md"}
    nobody = wb.search("green", FOUR, filter=[("tenant", "nobody")])
    assert all(one.hits == () and one.error == "" for one in nobody.lists.values())


def test_more_hits_than_chunks_gives_the_chunks_there_are(wb: Workbench) -> None:
    result = wb.search("green", FOUR, k=1000)
    assert len(result.lists["vector"].hits) == 5
    assert len(result.lists["bm25"].hits) == 2
    assert len(result.lists["hybrid"].hits) == len(result.lists["reranked"].hits) == 5


def test_the_expected_passage_is_ranked_over_the_whole_corpus(wb: Workbench) -> None:
    (place,) = wb.find_quote("Bread is baked in a hot oven")
    result = wb.search("green boat", FOUR, k=1, expect=[place])
    vector = result.lists["vector"].expected
    assert vector is not None
    full = wb.search("green boat", FOUR[:1], k=5).lists["vector"].hits
    rank = next(h.rank for h in full if h.chunk.source == "bread.md")
    assert vector.rank == rank
    assert vector.score == pytest.approx(full[rank - 1].score, abs=1e-6)
    assert vector.gap == pytest.approx(full[0].score - full[rank - 1].score, abs=1e-6)
    assert vector.chunks[0].coverage == 1
    lexical = result.lists["bm25"].expected
    assert lexical is not None
    assert lexical.rank is None
    assert "query term" in lexical.note


def test_a_shown_passage_has_no_gap(wb: Workbench) -> None:
    places = wb.find_quote("grinder is blocked", "errors.md")
    one = wb.search("ERR_4021", ["bm25"], expect=places).lists["bm25"]
    assert one.expected is not None
    assert (one.expected.rank, one.expected.gap) == (1, 0.0)


def test_a_section_or_a_document_can_be_expected(wb: Workbench) -> None:
    tea = wb.resolve("tea.md").id
    for place in (wb.region(tea), wb.region(tea, section="Tea")):
        one = wb.search("green tea", ["bm25"], expect=[place]).lists["bm25"]
        assert one.expected is not None
        assert one.expected.rank == 1


def test_a_quote_that_is_nowhere_is_an_error_that_says_so(wb: Workbench) -> None:
    with pytest.raises(QuoteNotFound):
        wb.find_quote("purple elephants")
    with pytest.raises(DocumentNotFound):
        wb.find_quote("green", "nowhere.md")


def test_one_failing_strategy_does_not_stop_the_others(wb: Workbench) -> None:
    result = wb.search("green boat", ["bm25", "vector+model=/no/such/folder"])
    assert result.lists["bm25"].hits
    failed = result.lists["vector"]
    assert failed.hits == ()
    assert "/no/such/folder" in failed.error


def test_what_is_not_embedded_yet_is_said(tmp_path: Path) -> None:
    with Workbench(tmp_path / "w") as wb:
        wb.ingest_files([("a.txt", b"One boat.")])
        one = wb.search_one("boat", f"vector{DRAFT}", build=False)
        assert one.hits == ()
        assert "0% indexed" in one.notes
        wb.build("structure:220/40", "wordllama-l2-supercat-256")
        assert wb.search_one("boat", f"vector{DRAFT}").hits


def test_blank_queries_and_empty_corpora_give_empty_lists(wb: Workbench, tmp_path: Path) -> None:
    assert all(r.hits == () and not r.error for r in wb.search("   ", FOUR).lists.values())
    with Workbench(tmp_path / "w") as empty:
        result = empty.search("boat", FOUR)
        assert all(r.hits == () and not r.error and r.total == 0 for r in result.lists.values())


def test_the_terms_of_the_query_come_with_their_frequencies(wb: Workbench) -> None:
    terms = wb.search("the green boats zzz", ["bm25"]).terms
    assert {t.surface: t.frequency for t in terms if t.term} == {"green": 2, "boats": 1, "zzz": 0}
    assert [t.surface for t in terms if not t.term] == ["the"]


def test_each_distinct_text_is_embedded_once_across_chunkings(wb: Workbench) -> None:
    model = "wordllama-l2-supercat-256"
    wb.build("structure:220/40", model)
    assert wb.build("structure:220/40", model).embedded == 0
    # Every document is one chunk in both, so that all texts are the same.
    assert wb.build("structure:200/0", model).embedded == 0


def test_queries_are_remembered_newest_first(wb: Workbench) -> None:
    wb.search("first question", ["bm25"])
    wb.search("second question", ["bm25"])
    assert [q.query for q in wb.history(2)] == ["second question", "first question"]


def test_a_result_is_plain_json(wb: Workbench) -> None:
    import json

    places = wb.find_quote("green boat")
    value = json.loads(json.dumps(plain.search(wb.search("green boat", FOUR, expect=places))))
    hit = value["lists"]["hybrid"]["hits"][0]
    assert set(hit) >= {
        "rank", "score", "score_kind", "chunk", "document", "version", "source", "start", "end",
        "page", "section", "text", "shares",
    }  # fmt: skip
    assert set(hit["shares"][0]) == {"list", "rank", "score", "share"}
    assert set(value["lists"]["vector"]["expected"]) >= {"chunks", "rank", "score", "gap"}


def test_removing_a_document_renumbers_every_index(tmp_path: Path) -> None:
    with Workbench(tmp_path / "w") as wb:
        wb.ingest_files([("a.txt", b"A green boat."), ("b.txt", b"A green boat at sea.")])
        assert all(len(r.hits) == 2 for r in wb.search("green boat", FOUR).lists.values())
        wb.remove([wb.resolve("a.txt").id])
        result = wb.search("green boat", FOUR)
        for one in result.lists.values():
            assert [h.chunk.source for h in one.hits] == ["b.txt"]
        assert {t.term: t.frequency for t in result.terms if t.term} == {"green": 1, "boat": 1}
        wb.restore([wb.documents(removed=True)[0].id])
        assert all(len(r.hits) == 2 for r in wb.search("green boat", FOUR).lists.values())


def test_one_paragraph_in_two_documents_is_two_hits(tmp_path: Path) -> None:
    shared = b"All visitors wear a badge in here."
    with Workbench(tmp_path / "w") as wb:
        wb.ingest_files([("north.txt", shared), ("south.txt", shared)])
        for one in wb.search("visitors badge", FOUR).lists.values():
            assert sorted(h.chunk.source for h in one.hits) == ["north.txt", "south.txt"]


def test_an_approximate_index_says_where_it_had_to_be_helped(wb: Workbench) -> None:
    settings = f"vector{DRAFT}+index=hnsw"
    found = wb.search("green", [settings], k=3, filter=[("tenant", "zeta")]).lists["vector"]
    assert [h.chunk.source for h in found.hits] == ["tea.md"]
    exact = wb.search("green boat", FOUR[:1], k=5).lists["vector"]
    near = wb.search("green boat", [settings], k=5).lists["vector"]
    assert [h.chunk.id for h in near.hits] == [h.chunk.id for h in exact.hits]


def test_a_replaced_document_leaves_nothing_of_its_old_text_in_any_list(tmp_path: Path) -> None:
    cut = "@sentences:8/0"
    four = [s.replace("+", f"{cut}+", 1) if "+" in s else s + cut for s in FOUR]
    new = [("menu.txt", b"Leek soup is served today. It costs five.")]
    with Workbench(tmp_path / "w") as wb, Workbench(tmp_path / "fresh") as fresh:
        wb.ingest_files([("menu.txt", b"Turnip soup is served today. Fig tart comes after it.")])
        assert all(len(r.hits) == 2 for r in wb.search("soup tart", four).lists.values())
        wb.ingest_files(new, on_conflict="replace")
        fresh.ingest_files(new)
        for query in ("turnip", "fig tart", "leek"):
            found = wb.search(query, four).lists
            for name, one in fresh.search(query, four).lists.items():
                assert [(h.chunk.text, h.score) for h in found[name].hits] == [
                    (h.chunk.text, h.score) for h in one.hits
                ]


def test_a_paragraph_of_two_different_documents_keeps_both_sources(tmp_path: Path) -> None:
    shared = "All visitors wear a badge in here."
    cut = "@structure:36/0:chars"
    with Workbench(tmp_path / "w") as wb:
        for name in ("north", "south"):
            text = f"The {name} hall opens at nine.\n\n{shared}"
            wb.ingest_files([(f"{name}.txt", text.encode())])
        for one in wb.search(
            "visitors badge", [f"bm25{cut}", f"hybrid{cut}{DRAFT}"]
        ).lists.values():
            same = [h for h in one.hits if h.chunk.text == shared]
            assert sorted(h.chunk.source for h in same) == ["north.txt", "south.txt"]
