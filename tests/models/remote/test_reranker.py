"""Scores by a reranker behind an address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ragdebug.errors import AnswerNotUnderstood
from ragdebug.model_files.text import estimated_tokens
from ragdebug.models import load_reranker
from ragdebug.web.consent import sending
from tests.models.remote.conftest import Add
from tests.support.model_server import ModelServer, overlap, send

TEXTS = ["red blue", "green", "blue red green", " "]


@pytest.mark.parametrize(("form", "path"), [("cohere", "/v2"), ("tei", "/tei")])
def test_scores_come_back_in_the_order_of_the_texts(
    server: ModelServer, add: Add, form: str, path: str
) -> None:
    add(kind="reranker", url=server.url + path, model="r", form=form, batch=2)
    scorer = load_reranker("api:prod")
    with sending():
        made = scorer.score("red green", TEXTS)
        empty = scorer.score("red", [])
    assert made.tolist() == [overlap("red green", t) for t in TEXTS[:3]] + [0.5]
    assert empty.shape == (0,)
    assert scorer.score_kind == "api"
    assert [len(b.get("documents") or b["texts"]) for b in server.bodies[-2:]] == [2, 1]


def test_voyage_has_names_of_its_own(server: ModelServer, add: Add) -> None:
    def asked(handler: Any) -> None:
        items = [{"index": i, "relevance_score": s} for i, s in ((2, 0.9), (0, 0.5), (1, 0.1))]
        send(handler, 200, {"object": "list", "data": items})

    server.plan = [asked]
    record = add(kind="reranker", url=f"{server.url}/v1", model="r", form="voyage")
    assert record.probe == (0.5, 0.1, 0.9)
    assert server.bodies[-1]["top_k"] == 3


def test_pairs_are_asked_once_a_query(server: ModelServer, add: Add) -> None:
    add(kind="reranker", url=f"{server.url}/v2", model="r")
    scorer = load_reranker("api:prod")
    queries, wanted = ["red", "green blue"], [[0, 1], [1], [0]]
    before = server.asked
    with sending():
        made = [x.tolist() for x in scorer.score_pairs(queries, TEXTS[:3], wanted)]
    assert made == [[overlap(queries[q], TEXTS[t]) for q in some] for t, some in enumerate(wanted)]
    assert server.asked == before + 2
    assert scorer.lengths("red", ["a" * 40]) == [estimated_tokens("red") + 10]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda v: {"results": v["results"][:-1]}, "3 texts were sent, and 2 scores came back"),
        (lambda v: {"results": [{"index": i} for i in range(3)]}, "no number under"),
        (
            lambda v: {"results": [{"index": i, "relevance_score": None} for i in range(3)]},
            "no number under",
        ),
        (
            lambda v: {"results": [{"index": 0, "relevance_score": 1} for _ in range(3)]},
            "not 0 to 2",
        ),
        (
            lambda v: {"results": [{"index": i, "relevance_score": 10**400} for i in range(3)]},
            "no number under",
        ),
        (lambda v: {"data": []}, "no list under 'results'"),
    ],
)
def test_what_are_no_scores_is_refused(
    server: ModelServer, add: Add, change: Callable[[Any], Any], says: str
) -> None:
    add(kind="reranker", url=f"{server.url}/v2", model="r")
    scorer = load_reranker("api:prod")
    server.change = change
    with sending(), pytest.raises(AnswerNotUnderstood, match=says):
        scorer.score("q", ["a", "b", "c"])


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("漢字漢字漢", 4)]
)
def test_tokens_are_estimated(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens
