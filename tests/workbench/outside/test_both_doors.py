"""The JSON that an engine returns gives the same hits, pasted or as a searcher's answer."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from ragdebug.searchers.hits import understand
from ragdebug.workbench.outside.pasted import read_pasted

# What each gives, and for each hit: text, id, source, page, score.
Row = tuple[str, str, str, int | None, float | None]
ENGINES: dict[str, tuple[Any, list[Row]]] = {
    "elasticsearch": (
        {"took": 3, "hits": {"total": {"value": 2}, "max_score": 3.2, "hits": [
            {"_index": "kb", "_id": "x1", "_score": 3.2,
             "_source": {"text": "Refunds are made.", "file_path": "a.md", "page": 4}},
            {"_index": "kb", "_id": "x2", "_score": 2.2, "_source": {"text": "Other."}}]}},
        [("Refunds are made.", "x1", "a.md", 4, 3.2), ("Other.", "x2", "", None, 2.2)],
    ),
    "opensearch with fields": (
        {"took": 1, "_shards": {"total": 1}, "hits": {"hits": [
            {"_index": "kb", "_id": "7", "_score": 0.5,
             "fields": {"body": ["Copper turns green."], "title": ["pipes.md"]}}]}},
        [("Copper turns green.", "7", "pipes.md", None, 0.5)],
    ),
    "qdrant search": (
        {"result": [{"id": 7, "version": 1, "score": 0.9, "payload": {
            "page_content": "words", "metadata": {"source": "f.pdf", "page": 3, "tenant": "a"}}}],
         "status": "ok", "time": 0.01},
        [("words", "7", "f.pdf", 3, 0.9)],
    ),
    "qdrant query": (
        {"result": {"points": [{"id": "u", "score": 0.9, "payload": {"text": "words"}}]}},
        [("words", "u", "", None, 0.9)],
    ),
    "pinecone": (
        {"matches": [{"id": "a", "score": 0.8, "values": [0.1, 0.2],
                      "metadata": {"text": "t t t", "source": "a.md"}}], "namespace": ""},
        [("t t t", "a", "a.md", None, 0.8)],
    ),
    "chroma, two queries": (
        {"ids": [["a", "b"], ["c"]], "documents": [["one two", None], ["x"]],
         "distances": [[0.1, 0.4], [0.2]], "metadatas": [[{"source": "f.md"}, None], [None]]},
        [("one two", "a", "f.md", None, None), ("", "b", "", None, None)],
    ),
    "weaviate": (
        {"data": {"Get": {"Chunk": [
            {"content": "A glacier moves.", "source": "g.md",
             "_additional": {"id": "u1", "certainty": 0.75, "distance": 0.5}}]}}},
        [("A glacier moves.", "u1", "g.md", None, 0.75)],
    ),
    "cohere rerank": (
        {"id": "r", "results": [{"index": 2, "relevance_score": 0.9,
                                 "document": {"text": "hey you there"}}],
         "meta": {"api_version": {"version": "2"}}},
        [("hey you there", "2", "", None, 0.9)],
    ),
    "openai vector store": (
        {"object": "vector_store.search_results.page", "search_query": "q", "data": [
            {"file_id": "file-1", "filename": "a.md", "score": 0.8, "attributes": {},
             "content": [{"type": "text", "text": "hello"}, {"type": "text", "text": "you"}]}],
         "has_more": False},
        [("hello\nyou", "", "a.md", None, 0.8)],
    ),
    "openai responses": (
        {"id": "resp", "output": [
            {"type": "file_search_call", "id": "fs", "results": [
                {"file_id": "f", "filename": "b.md", "score": 0.5, "text": "abc def"}]},
            {"type": "message", "id": "m", "content": [{"type": "output_text", "text": "so"}]}]},
        [("abc def", "", "b.md", None, 0.5)],
    ),
    "bedrock": (
        {"retrievalResults": [{"content": {"text": "aa bb", "type": "TEXT"}, "score": 0.5,
                               "location": {"type": "S3", "s3Location": {"uri": "s3://b/a.md"}}}]},
        [("aa bb", "", "s3://b/a.md", None, 0.5)],
    ),
    "azure, reranked": (
        {"@odata.context": "x", "value": [
            {"@search.score": 0.03, "@search.rerankerScore": 2.5, "chunk_id": "c",
             "chunk": "some long text here", "title": "a.pdf"},
            {"@search.score": 0.04, "@search.rerankerScore": 1.5, "chunk_id": "d",
             "chunk": "another text here", "title": "b.pdf"}]},
        [("some long text here", "c", "a.pdf", None, 2.5),
         ("another text here", "d", "b.pdf", None, 1.5)],
    ),
    "vespa": (
        {"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 1}, "children": [
            {"id": "id:a", "relevance": 0.4, "source": "kb", "fields": {"body": "b b b"}}]}},
        [("b b b", "id:a", "kb", None, 0.4)],
    ),
    "typesense": (
        {"found": 1, "hits": [{"document": {"id": "9", "content": "Saffron is picked by hand.",
                                            "url": "https://x.example/s"},
                               "highlights": [{"field": "content", "snippet": "<b>Saffron</b>"}],
                               "text_match": 578}], "page": 1},
        [("Saffron is picked by hand.", "9", "https://x.example/s", None, 578.0)],
    ),
    "solr": (
        {"responseHeader": {"QTime": 1}, "response": {"numFound": 1, "docs": [
            {"id": "7", "content": ["b b", "c c"], "url": ["a.md"], "score": 1.5}]}},
        [("b b\nc c", "7", "a.md", None, 1.5)],
    ),
    "meilisearch": (
        {"hits": [{"id": 3, "content": "Basalt cools slowly.", "_rankingScore": 0.75}],
         "query": "basalt", "limit": 20},
        [("Basalt cools slowly.", "3", "", None, 0.75)],
    ),
    "llamaindex": (
        {"response": "an answer", "source_nodes": [
            {"node": {"id_": "n", "text": "some text", "metadata": {"file_name": "a.md"}},
             "score": 0.4}]},
        [("some text", "n", "a.md", None, 0.4)],
    ),
    "a file for a document": (
        {"results": [{"document": "guide.md", "score": 0.5}]},
        [("", "", "guide.md", None, 0.5)],
    ),
    "nothing": ({"hits": {"total": {"value": 0}, "hits": []}}, []),
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_an_answer_gives_the_same_hits_through_both_doors(engine: str) -> None:
    value, wanted = ENGINES[engine]
    pasted = read_pasted(json.dumps(value))
    live = understand(value, "", {}, 100, 10)
    for found in (pasted.hits, live.hits):
        pieces = [hit.piece for hit in found]
        assert [(p.text, p.id, p.source, p.page) for p in pieces] == [row[:4] for row in wanted]
    scores = [None if math.isnan(hit.score) else hit.score for hit in live.hits]
    assert scores == [row[4] for row in wanted]
    if pasted.kind != "distance":  # a searcher's distances are no scores and stay as they came
        assert scores == [None if math.isnan(hit.score) else hit.score for hit in pasted.hits]
        assert [h.piece for h in live.hits] == [h.piece for h in pasted.hits]
    several = [note for note in pasted.notes if "queries" in note]
    assert [note for note in live.notes if "queries" in note] == several


@pytest.mark.parametrize("engine", ENGINES)
def test_the_place_that_was_found_can_be_said(engine: str) -> None:
    value, _ = ENGINES[engine]
    found = understand(value, "", {}, 100, 10)
    assert understand(value, found.where, {}, 100, 10).hits == found.hits


def test_hits_with_fields_that_a_person_names_need_no_known_names() -> None:
    value = {"facets": [{"id": "f"}], "results": [{"inhalt": "ein Satz", "nr": 4}]}
    (hit,) = understand(value, "", {"text": "inhalt", "id": "nr"}, 100, 10).hits
    assert (hit.piece.text, hit.piece.id) == ("ein Satz", "4")


def test_columns_may_lie_inside_of_an_answer() -> None:
    value = {"took": 1, "answer": {"ids": ["a"], "documents": ["one two three"]}}
    live = understand(value, "", {}, 100, 10)
    assert [h.piece.text for h in live.hits] == ["one two three"]
    assert [h.piece for h in live.hits] == [h.piece for h in read_pasted(json.dumps(value)).hits]
