"""Somebody's own search as a column: beside the others, traced, filtered, its chunks looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.errors import NotBrought
from ragdebug.settings import SearcherSettings
from tests.support.search_server import SearchServer
from tests.workbench.outside.searchers.conftest import TOPICS, asked, column, http


def test_its_hits_are_a_column_beside_the_others(wb: Workbench, prod: SearcherSettings) -> None:
    lists = wb.search("what of the heron and copper", ["bm25", "searcher:prod"]).lists
    assert list(lists) == ["bm25", "searcher:prod"]
    one = lists["searcher:prod"]
    assert [h.chunk.text for h in one.hits] == [
        TOPICS["heron"], TOPICS["copper"], "Made up by the engine."
    ]  # fmt: skip
    assert [h.chunk.source for h in one.hits] == ["heron.txt", "copper.txt", "elsewhere.md"]
    assert (one.hits[0].chunk.start, one.hits[0].chunk.end) == (0, len(TOPICS["heron"]))
    assert [h.score for h in one.hits] == [1.0, 1.0, 0.1]
    assert "3 of 5 wanted hits came" in one.notes
    assert "1 of 3 not placed" in one.notes


def test_halves_of_characters_are_no_harm(wb: Workbench, server: SearchServer) -> None:
    wb.add_searcher(http(server))
    half = {"text": "a \ud800 b", "id": "\udfff", "source": "\ud83d", "n": "\ud800"}
    server.plan = [(200, json.dumps({"hits": [half]}).encode())] * 2
    wb.try_searcher("far", "q", 5).raw.encode()
    one = column(wb, "q", "searcher:far")
    assert not one.error
    (hit,) = one.hits
    assert hit.chunk.text == "a \ufffd b"
    wb.paste_list("\ud800", json.dumps([half]), "half")
    assert [h.chunk.text for h in column(wb, "\ufffd", "list:half").hits] == ["a \ufffd b"]


def test_an_error_stays_in_its_column(wb: Workbench, prod: SearcherSettings) -> None:
    lists = wb.search("boom heron", ["searcher:prod", "searcher:nobody", "bm25"]).lists
    assert "LookupError: no index for boom heron" in lists["searcher:prod"].error
    assert "line 8" in lists["searcher:prod"].error
    assert "no searcher nobody" in lists["searcher:nobody"].error
    assert lists["searcher:nobody"].error_hint == "There are: prod."
    assert [h.chunk.source for h in lists["bm25"].hits] == ["heron.txt"]


def test_it_is_asked_once_for_search_trace_and_another_k(
    wb: Workbench, prod: SearcherSettings, module: str
) -> None:
    query = "tell me of the heron"
    one, two = column(wb, query), column(wb, query, "searcher:prod+k=1")
    assert (len(one.hits), len(two.hits)) == (2, 1)
    report = wb.why(query=query, quote=TOPICS["heron"], strategy="searcher:prod")
    assert report.stage == "delivered"
    assert asked(module) == [(query, 20, None)]
    column(wb, query, "searcher:prod+k=30")  # deeper than it was asked
    assert asked(module)[1:] == [(query, 30, None)]


def test_it_has_the_last_word_on_a_filter_it_is_told(
    wb: Workbench, prod: SearcherSettings, module: str
) -> None:
    one = column(wb, "the heron", filter=[("tenant", "acme")])
    assert asked(module) == [("the heron", 20, {"tenant": "acme"})]
    assert [h.chunk.source for h in one.hits] == ["heron.txt", "elsewhere.md"]


def test_without_a_filter_of_its_own_it_is_filtered_here(wb: Workbench, module: str) -> None:
    Path(f"{module}.py").write_text(
        "def search(query): return [{'text': t, 'source': s} for s, t in"
        f" {[(f'{n}.txt', t) for n, t in TOPICS.items()]!r}]"
    )
    wb.add_searcher(SearcherSettings("prod", "python", target=f"{module}:search", timeout_s=20))
    one = column(wb, "any", filter=[("source", "violin.txt")])
    assert [h.chunk.source for h in one.hits] == ["violin.txt"]
    assert "filtered here: the searcher takes no filter" in one.notes


def test_why_says_where_an_answer_was_lost(wb: Workbench, prod: SearcherSettings) -> None:
    def stage(query: str, topic: str, strategy: str = "searcher:prod") -> str:
        return wb.why(query=query, quote=TOPICS[topic], strategy=strategy).stage

    assert stage("of the heron", "heron") == "delivered"
    assert stage("of the basalt", "basalt") == "not_retrieved"
    assert stage("heron and copper", "copper", "searcher:prod+k=1") == "below_k"


def test_its_chunks_are_what_it_returned_lately(wb: Workbench, prod: SearcherSettings) -> None:
    chunking = "imported:searcher%3Aprod"
    with pytest.raises(NotBrought, match="not answered anything lately"):
        wb.chunk_table(chunking)
    column(wb, "the heron")
    column(wb, "the copper")
    table = wb.chunk_table(chunking)
    assert {table.chunk(row).text for row in range(len(table))} == {
        TOPICS["heron"], TOPICS["copper"], "Made up by the engine."
    }  # fmt: skip
    (place,) = wb.chunk_places(chunking, wb.resolve("heron.txt").id)
    assert (place.start, place.end) == (0, len(TOPICS["heron"]))


def test_one_odd_score_takes_none_from_the_others(wb: Workbench, server: SearchServer) -> None:
    wb.add_searcher(http(server))
    names = ("heron", "copper", "violin")
    for odd in ("NaN", '"high"', "null", None):
        scores = ["3.5", odd, "1.5"]
        hits = [
            f'{{"text": "{TOPICS[n]}"' + (f', "score": {s}}}' if s is not None else "}")
            for n, s in zip(names, scores, strict=True)
        ]
        server.plan = [(200, f'{{"hits": [{", ".join(hits)}]}}'.encode())]
        one = column(wb, f"with {odd}", "searcher:far")
        assert [h.chunk.source for h in one.hits] == [f"{n}.txt" for n in names]
        assert [None if h.score != h.score else h.score for h in one.hits] == [3.5, None, 1.5]
        assert "1 of 3 hits have no number as score." in one.notes
