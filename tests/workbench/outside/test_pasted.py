"""Lists as people paste them: what APIs and libraries return, lines, ids, passages."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdebug.errors import EmptyDocument, RagDebugError, UnsupportedFormat
from ragdebug.workbench.outside.pasted import read_pasted

# What each gives, and for each hit: text, id, source, page, score.
Row = tuple[str, str, str, int | None, float | None]
FORMS: dict[str, tuple[Any, list[Row]]] = {
    "elasticsearch": (
        {
            "took": 3,
            "hits": {
                "total": {"value": 2},
                "max_score": 3.2,
                "hits": [
                    {"_index": "kb", "_id": "x1", "_score": 3.2,
                     "_source": {"text": "Refunds are made.", "source": "a.md"}},
                    {"_index": "kb", "_id": "x2", "_score": 2.2, "_source": {"text": "Other."}},
                ],
            },
        },
        [("Refunds are made.", "x1", "a.md", None, 3.2), ("Other.", "x2", "", None, 2.2)],
    ),
    "qdrant over http": (
        {"result": {"points": [{"id": 7, "version": 1, "score": 0.9,
                                "payload": {"page_content": "words",
                                            "metadata": {"source": "f.pdf", "page": 3}}}]},
         "status": "ok", "time": 0.01},
        [("words", "7", "f.pdf", 3, 0.9)],
    ),
    "pinecone": (
        {"matches": [{"id": "a", "score": 0.8, "values": [], "metadata": {"text": "t t t"}}],
         "namespace": ""},
        [("t t t", "a", "", None, 0.8)],
    ),
    "langchain with scores": (
        [[{"page_content": "hello there", "metadata": {"source": "x.md", "page": 0},
           "type": "Document"}, 0.7]],
        [("hello there", "", "x.md", 1, 0.7)],
    ),
    "llamaindex": (
        {"response": "answer",
         "source_nodes": [{"node": {"id_": "n", "text": "some text",
                                    "metadata": {"file_name": "a.md"}}, "score": 0.4}]},
        [("some text", "n", "a.md", None, 0.4)],
    ),
    "cohere rerank": (
        {"id": "r", "results": [{"index": 2, "relevance_score": 0.9,
                                 "document": {"text": "hey you there"}}]},
        [("hey you there", "2", "", None, 0.9)],
    ),
    "openai file search": (
        {"object": "vector_store.search_results.page", "search_query": "q",
         "data": [{"file_id": "file-1", "filename": "a.md", "score": 0.8, "attributes": {},
                   "content": [{"type": "text", "text": "hello"},
                               {"type": "text", "text": "you"}]}],
         "has_more": False},
        [("hello\nyou", "", "a.md", None, 0.8)],
    ),
    "openai responses": (
        {"id": "resp", "output": [
            {"type": "file_search_call", "id": "fs",
             "results": [{"file_id": "f", "filename": "b.md", "score": 0.5, "text": "abc def"}]},
            {"type": "message", "id": "m", "content": [{"type": "output_text", "text": "so"}]}]},
        [("abc def", "", "b.md", None, 0.5)],
    ),
    "bedrock": (
        {"retrievalResults": [{"content": {"text": "aa bb"}, "score": 0.5, "location": {
            "type": "S3", "s3Location": {"uri": "s3://b/a.md"}}}]},
        [("aa bb", "", "s3://b/a.md", None, 0.5)],
    ),
    "azure": (
        {"@odata.context": "x", "value": [{"@search.score": 1.2, "chunk_id": "c",
                                           "chunk": "some long text here", "title": "a.pdf"}]},
        [("some long text here", "c", "a.pdf", None, 1.2)],
    ),
    "solr": (
        {"responseHeader": {}, "response": {"numFound": 1, "docs": [
            {"id": "a", "score": 1.0, "content": ["solr text"]}]}},
        [("solr text", "a", "", None, 1.0)],
    ),
    "vespa": (
        {"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 1},
                  "children": [{"id": "id:a", "relevance": 0.4, "fields": {"body": "b b b"}}]}},
        [("b b b", "id:a", "", None, 0.4)],
    ),
    "passages": (["one passage here", "another one"],
                 [("one passage here", "", "", None, None), ("another one", "", "", None, None)]),
    "ids": (["a", "b"], [("", "a", "", None, None), ("", "b", "", None, None)]),
    "numbers": ([3, 5], [("", "3", "", None, None), ("", "5", "", None, None)]),
    "ids with scores": ([["a", 0.5], ["b", 0.25]],
                        [("", "a", "", None, 0.5), ("", "b", "", None, 0.25)]),
    "a file for a document": (
        {"results": [{"document": "guide.md", "score": 0.5}]},
        [("", "", "guide.md", None, 0.5)],
    ),
    "nothing": ({"hits": {"total": {"value": 0}, "hits": []}}, []),
}  # fmt: skip


def rows(text: str) -> list[Row]:
    return [
        (h.piece.text, h.piece.id, h.piece.source, h.piece.page,
         None if math.isnan(h.score) else h.score)
        for h in read_pasted(text).hits
    ]  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_what_apis_return_is_understood(name: str) -> None:
    value, wanted = FORMS[name]
    assert rows(json.dumps(value)) == wanted
    assert rows(f"```json\n{json.dumps(value, indent=1)}\n```") == wanted
    assert rows(repr(value)) == wanted  # as Python prints it


def test_chroma_has_arrays_side_by_side_and_distances() -> None:
    pasted = read_pasted(
        json.dumps(
            {"ids": [["a", "b"]], "documents": [["one two", None]], "distances": [[0.1, 0.4]],
             "metadatas": [[{"source": "f.md"}, None]]}
        )
    )  # fmt: skip
    assert [(h.piece.id, h.piece.text, h.piece.source, h.score) for h in pasted.hits] == [
        ("a", "one two", "f.md", 0.1),
        ("b", "", "", 0.4),
    ]
    assert pasted.kind == "distance"
    assert pasted.parts == ("ids", "texts", "sources", "distances")
    assert "less is nearer" in pasted.notes[0]


def test_several_queries_at_once_give_the_first_and_say_so() -> None:
    pasted = read_pasted(json.dumps({"ids": [["a"], ["b"]], "distances": [[0.1], [0.2]]}))
    assert [h.piece.id for h in pasted.hits] == ["a"]
    assert pasted.notes[0].startswith("It holds the hits of 2 queries")


LINES: dict[str, tuple[str, list[Row]]] = {
    "score and text": (
        "0.9\tsome text of it\n0.5\tother text here",
        [("some text of it", "", "", None, 0.9), ("other text here", "", "", None, 0.5)],
    ),
    "id and score": (
        "doc1\t0.4\ndoc2\t.2",
        [("", "doc1", "", None, 0.4), ("", "doc2", "", None, 0.2)],
    ),
    "id and score between blanks": ("doc1 0.4\ndoc2 3e-1", [("", "doc1", "", None, 0.4),
                                                           ("", "doc2", "", None, 0.3)]),
    "ids that are numbers": ("12 0.4\n13 0.3", [("", "12", "", None, 0.4),
                                                ("", "13", "", None, 0.3)]),
    "rank, id, score": ("1\ta\t0.5\n2\tb\t0.3", [("", "a", "", None, 0.5),
                                                ("", "b", "", None, 0.3)]),
    "one score is none": ("doc1 0.4\ndoc2 nan\ndoc3 0.1", [
        ("", "doc1", "", None, 0.4), ("", "doc2", "", None, None), ("", "doc3", "", None, 0.1)]),
    "one score is missing": ("a\t0.5\nb\t-\nc\t0.1", [
        ("", "a", "", None, 0.5), ("", "b", "", None, None), ("", "c", "", None, 0.1)]),
    "no scores at all": ("a nan\nb nan", [
        ("", "a nan", "", None, None), ("", "b nan", "", None, None)]),
    "ids": ("a.md\nb.md\n", [("", "a.md", "", None, None), ("", "b.md", "", None, None)]),
    "numbered": (
        "1. First passage is here\ngoes on\n\n2. Second one is this\n3) third is too",
        [("First passage is here\ngoes on", "", "", None, None),
         ("Second one is this", "", "", None, None), ("third is too", "", "", None, None)],
    ),
    "numbers that do not count": (
        "12. Juni was warm\n\n7. Mai was cold",
        [("12. Juni was warm", "", "", None, None), ("7. Mai was cold", "", "", None, None)],
    ),
    "between blank lines": (
        "First passage is here.\ngoes on\n\n\nSecond one is.\n",
        [("First passage is here.\ngoes on", "", "", None, None),
         ("Second one is.", "", "", None, None)],
    ),
    "between rules": (
        "First passage.\n\nIts second part is here.\n---\nThe other one.",
        [("First passage.\n\nIts second part is here.", "", "", None, None),
         ("The other one.", "", "", None, None)],
    ),
    "trec": ("q1 Q0 d3 1 9.3 run\nq1 Q0 d4 2 8 run", [("", "d3", "", None, 9.3),
                                                      ("", "d4", "", None, 8.0)]),
    "a word": ("refunds", [("", "refunds", "", None, None)]),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_lines_are_understood(name: str) -> None:
    text, wanted = LINES[name]
    assert rows(text) == wanted


def test_the_order_is_as_pasted_whatever_the_scores_are() -> None:
    assert [r[1] for r in rows("a 0.1\nb 0.9\nc 0.5")] == ["a", "b", "c"]


def test_nothing_and_nonsense_are_refused_with_what_to_do() -> None:
    with pytest.raises(EmptyDocument) as empty:
        read_pasted(" \n\t")
    assert "Paste what the search returned" in empty.value.hint
    half = ('{"hits": [{"id": 1,', '{"error": "no", "n": 3}', "[[[[]]]]{")
    for text in (*half, '[\n// the first\n{"id": 1}]', "{'id': nan}"):
        with pytest.raises(UnsupportedFormat) as refused:
            read_pasted(text)
        assert refused.value.hint


def test_of_a_list_without_end_the_first_are_taken() -> None:
    pasted = read_pasted("\n".join(f"d{n}" for n in range(1, 1502)))
    assert [h.piece.id for h in pasted.hits][::999] == ["d1", "d1000"]
    assert pasted.notes == ("It has 1,501 hits; the first 1,000 were taken.",)


@pytest.mark.parametrize("deep", [40, 900])
def test_hits_may_lie_deep_or_nowhere(deep: int) -> None:
    deep //= 2
    open_, close = '[{"hits":' * deep, "}]" * deep
    with suppress(UnsupportedFormat):  # a stack has an end
        assert rows(f'{open_}[{{"text": "a b"}}]{close}')[0][0] == "a b"
    with pytest.raises(UnsupportedFormat):
        read_pasted(f"{open_}[1.5]{close}")


@given(st.text(max_size=200) | st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=4)
    | st.dictionaries(st.sampled_from(["hits", "id", "text", "score", "ids", "distances", "x"]),
                      inside, max_size=4),
    max_leaves=12,
).map(json.dumps))  # fmt: skip
def test_whatever_is_pasted_is_read_or_refused(text: str) -> None:
    try:
        pasted = read_pasted(text)
    except RagDebugError as refused:
        assert refused.message
        return
    assert all(h.piece.text or h.piece.id or h.piece.source for h in pasted.hits)
    assert isinstance(pasted.parts, tuple)
