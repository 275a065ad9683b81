"""Hits of answers as engines, libraries and people write them."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import numpy as np
import pytest

from ragdebug.errors import AnswerNotUnderstood
from ragdebug.searchers.hits import understand
from ragdebug.searchers.records import Understood


def read(value: object, path: str = "", most: int = 100, **fields: str) -> Understood:
    return understand(value, path, fields, most, 10)


def first(value: object, path: str = "", **fields: str) -> tuple[Any, ...]:
    (hit, *_) = read(value, path, **fields).hits
    p = hit.piece
    return p.text, p.source, p.id, None if math.isnan(hit.score) else hit.score


ELASTIC = {
    "took": 1,
    "hits": {
        "total": {"value": 1},
        "hits": [{"_id": "7", "_score": 2.5, "_source": {"body": "b", "file_path": "a.md"}}],
    },
}
QDRANT = {"result": [{"id": 7, "score": 0.5, "payload": {"text": "b", "source": "a.md"}}]}
PINECONE = {"matches": [{"id": "7", "score": 0.5, "metadata": {"text": "b", "source": "a.md"}}]}
AZURE = {"value": [{"@search.score": 0.5, "content": "b", "id": "7", "source": "a.md"}]}
SOLR = {"response": {"docs": [{"id": "7", "text": ["b", "c"], "source": "a.md", "score": 1.5}]}}
CHROMA = {
    "ids": [["7"]],
    "documents": [["b"]],
    "metadatas": [[{"source": "a.md"}]],
    "distances": [[0.1]],
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (ELASTIC, ("b", "a.md", "7", 2.5)),
        (QDRANT, ("b", "a.md", "7", 0.5)),
        (PINECONE, ("b", "a.md", "7", 0.5)),
        (AZURE, ("b", "a.md", "7", 0.5)),
        (SOLR, ("b\nc", "a.md", "7", 1.5)),
        (CHROMA, ("b", "a.md", "7", None)),
        (["b"], ("b", "", "", None)),
        ([("b", 0.5)], ("b", "", "", 0.5)),
        ([(0.5, "b")], ("b", "", "", 0.5)),
        ([({"page_content": "b", "metadata": {"source": "a.md"}}, 0.5)], ("b", "a.md", "", 0.5)),
        ([("7", 0.5, {"text": "b"})], ("b", "", "7", 0.5)),
        ({"d1": 0.2, "d2": 0.4}, ("", "", "d2", 0.4)),
        ({"d1": 0.2, "d2": 10**400}, ("", "", "d2", None)),
        (deque(["b"]), ("b", "", "", None)),
        ([{"id": "7"}], ("", "", "7", None)),
        ([{"text": "b", "score": "0.25"}], ("b", "", "", 0.25)),
    ],
)
def test_forms_that_engines_and_people_use(value: object, expected: tuple[Any, ...]) -> None:
    assert first(value) == expected


def test_what_is_named_goes_before_what_is_guessed() -> None:
    hit = {"text": "wrong", "x": {"own.name": "right"}, "s": "a.md", "n": 4, "m": {"lang": "en"}}
    found = read({"a": {"b": [hit]}}, "a.b", text="x.own.name", source="s", page="n", metadata="m")
    (one,) = found.hits
    assert (one.piece.text, one.piece.source, one.piece.page) == ("right", "a.md", 4)
    assert one.piece.metadata == {"lang": "en"}
    assert found.where == "a.b"
    assert found.fields["text"] == "x.own.name"


def test_hits_need_not_be_alike() -> None:
    found = read([("a", 0.5), {"body": "b", "id": "7"}, {"id": "8"}, "c"])
    assert [(h.piece.text, h.piece.id) for h in found.hits] == [
        ("a", ""), ("b", "7"), ("", "8"), ("c", "")
    ]  # fmt: skip


def test_what_has_no_role_is_metadata() -> None:
    (one,) = read(
        [{"text": "b", "metadata": {"tenant": "acme", "page": 3}, "embedding": [0.1]}]
    ).hits
    assert one.piece.page == 3
    assert one.piece.metadata == {"tenant": "acme"}


def test_offsets_count_only_as_a_pair_that_can_be_one() -> None:
    def of(**hit: Any) -> tuple[int | None, int | None]:
        (one,) = read([{"text": "b", **hit}]).hits
        return one.piece.start, one.piece.end

    assert of(start_index=3, end_index=9) == (3, 9)
    assert of(start=3) == (3, None)
    assert of(start=9, end=3) == (None, None)
    assert of(start="x", end=3) == (None, 3)


@pytest.mark.parametrize(
    ("value", "path", "words"),
    [
        (None, "", r"nothing \(None\)"),
        ("text", "", "a text"),
        (3, "", "3"),
        ({"took": 1, "status": "ok"}, "", "took, status"),
        ({"took": 1}, "hits.hits", "has no hits.hits"),
        ([[1]], "\u00b2", "has no \u00b2"),
        ({"hits": {"a": 1}}, "hits", "an object at hits"),
        ([{"x": 1.5}], "", "recognised.*x"),
        ([{"text": " "}], "", "recognised"),
    ],
)
def test_what_is_no_list_of_hits_says_what_came(value: object, path: str, words: str) -> None:
    with pytest.raises(AnswerNotUnderstood, match=words) as refused:
        read(value, path)
    assert refused.value.hint


def test_an_empty_answer_is_an_answer() -> None:
    for value, path in [([], ""), ({"results": []}, ""), ({"results": None}, "results")]:
        assert read(value, path).hits == ()
        assert read(value, path).notes == ()


def test_what_is_odd_is_said() -> None:
    def notes(*hits: object, most: int = 100) -> str:
        return " ".join(read(list(hits), most=most).notes)

    same = {"text": "b", "id": "1"}
    assert "1 of 3 hits came twice" in notes(same, {"text": "c"}, same)
    assert "1 of 2 hits have no number" in notes(
        {"text": "a", "score": 1}, {"text": "b", "score": math.nan}
    )
    assert "rise" in notes({"text": "a", "score": 1}, {"text": "b", "score": 2})
    assert "not in the order" in notes(*({"text": f"{s}", "score": s} for s in (3, 1, 2)))
    assert "1 of 2 hits have neither" in notes({"text": "a"}, {"x": 1})
    assert "3 hits came where 10 were asked for; 2 were read" not in notes(
        *({"text": f"{i}"} for i in range(3)), most=3
    )
    assert "5 hits came where 10 were asked for; 2 were read" in notes(
        *({"text": f"{i}"} for i in range(5)), most=2
    )
    assert "no score is shown" in " ".join(read(CHROMA).notes)
    assert "No hit has the field y" in " ".join(read([{"text": "a", "id": 1}], id="y").notes)


def scores(value: object) -> list[tuple[str, float | None]]:
    hits = read(value).hits
    return [(h.piece.id or h.piece.text, None if math.isnan(h.score) else h.score) for h in hits]


@pytest.mark.parametrize("odd", [None, math.nan, np.float32("nan"), "high", "", math.inf, [1]])
def test_one_odd_score_takes_none_from_the_others(odd: object) -> None:
    three = [("a", 3.0), ("b", odd), ("c", 1.0)]
    kept = [("a", 3.0), ("b", None), ("c", 1.0)]
    said = "1 of 3 hits have no number as score."
    for value in (
        [{"text": text, "score": score} for text, score in three],
        {"ids": ["a", "b", "c"], "scores": [3.0, odd, 1.0]},
    ):
        assert scores(value) == kept
        assert read(value).notes == (said,)


@pytest.mark.parametrize("odd", [None, math.nan, np.float32("nan"), "high", ""])
def test_ids_with_scores_keep_those_there_are(odd: object) -> None:
    value = {"b": odd, "c": 1.0, "a": np.float32(3.0)}
    assert scores(value) == [("a", 3.0), ("c", 1.0), ("b", None)]
    assert read(value).notes == ("1 of 3 hits have no number as score.",)
    with pytest.raises(AnswerNotUnderstood):
        read({"status": "ok", "answer": "see above", "seconds": 3})


def test_the_only_hit_with_a_score_keeps_it() -> None:
    hits = [{"text": name, "score": "low"} for name in "abcd"] + [{"text": "e", "score": 0.5}]
    assert scores(hits)[-2:] == [("d", None), ("e", 0.5)]
    assert read(hits).notes == ("4 of 5 hits have no number as score.",)
