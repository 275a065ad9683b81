"""A model behind an address on the whole path: planned, sent once, stopped, gone on, measured."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from ragdebug import Workbench
from ragdebug.errors import Cancelled, SendingNotAllowed, ServerFailed
from ragdebug.models.remote_probe import SENTENCE
from ragdebug.tokens import counter
from tests.support.model_server import ModelServer, embed, overlap
from tests.workbench.remote.conftest import CHUNKING, RERANKED, VECTOR, embedder, reranker
from tests.workbench.topics import TOPICS, question_text

SENTENCES = [sentence for _, sentence in TOPICS]


def sent(server: ModelServer) -> dict[str, int]:
    """How often each passage of the corpus came to the server."""
    return {text: server.texts[text] for text in SENTENCES if text in server.texts}


def test_the_plan_says_how_much_goes_where_and_sends_nothing(
    wb: Workbench, server: ModelServer
) -> None:
    wb.add_remote_model(embedder(server, passage_prompt="passage: "))
    before = server.asked
    plan = wb.plan(CHUNKING, "api:prod")
    count = counter("all-MiniLM-L6-v2").count
    tokens = sum(count(s) for s in SENTENCES) + len(SENTENCES) * count("passage: ")
    assert plan.sending is not None
    assert (plan.new, plan.sending.what, plan.sending.tokens) == (12, "12 texts", tokens)
    assert plan.sending.cost == pytest.approx(tokens * 0.02 / 1e6)
    assert plan.sending.host == server.url.removeprefix("http://")
    assert str(plan.sending) == (
        f"12 texts, about {round(tokens, -1)} tokens (counted with the tokenizer of"
        " all-MiniLM-L6-v2), less than 0.0001 at 0.02 per million"
    )
    assert wb.plan(CHUNKING, "wordllama-l2-supercat-256").sending is None
    assert server.asked == before


def test_nothing_is_sent_where_nobody_agreed(wb: Workbench, server: ModelServer) -> None:
    wb.add_remote_model(embedder(server))
    wb.add_remote_model(reranker(server))
    before = server.asked
    with pytest.raises(SendingNotAllowed, match="12 texts, about .* nothing was sent"):
        wb.build(CHUNKING, "api:prod")
    found = wb.search("the heron", [VECTOR, f"bm25@{CHUNKING}"])
    assert "nothing was sent" in found.lists["vector"].error
    assert found.lists["bm25"].hits[0].chunk.text == SENTENCES[0]
    with pytest.raises(SendingNotAllowed):
        wb.evaluate([VECTOR])
    with pytest.raises(SendingNotAllowed, match="60 pairs of question and text"):
        wb.evaluate(
            [f"reranked@{CHUNKING}+model=wordllama-l2-supercat-256+reranker=api:order+pool=5"]
        )
    wb.plan_evaluation([VECTOR, RERANKED])
    wb.health([VECTOR, RERANKED])
    question = wb.questions()[0]
    wb.plan_fixes(question.id, f"bm25@{CHUNKING}")
    wb.indexed(CHUNKING, "api:prod")
    wb.doctor()
    assert server.asked == before


def test_what_is_stopped_goes_on_and_no_text_is_sent_twice(
    wb: Workbench, server: ModelServer
) -> None:
    wb.add_remote_model(embedder(server))

    def stop(done: int, total: int, what: str) -> None:
        if what == "texts" and done >= 6:
            raise Cancelled("Stopped.")

    with wb.sending(), pytest.raises(Cancelled):
        wb.build(CHUNKING, "api:prod", stop)
    assert len(sent(server)) == 6
    plan = wb.plan(CHUNKING, "api:prod")
    assert plan.new == 6
    server.plan = [None, 400, 400, 400]  # one batch more, then a refusal
    with wb.sending(), pytest.raises(Exception, match="planned 400"):
        wb.build(CHUNKING, "api:prod")
    assert len(sent(server)) == 8
    server.plan = [500, (429, {"Retry-After": "0"}, b"{}")]
    with wb.sending():
        report = wb.build(CHUNKING, "api:prod")
    assert report.embedded == 4
    assert sent(server) == dict.fromkeys(SENTENCES, 1)
    assert server.texts[SENTENCE] == 2  # when it was added, and at first use
    with wb.sending():
        assert wb.build(CHUNKING, "api:prod").embedded == 0


def test_lists_are_those_of_the_vectors_and_scores(wb: Workbench, server: ModelServer) -> None:
    wb.add_remote_model(embedder(server))
    wb.add_remote_model(reranker(server))
    with wb.sending():
        found = wb.search("the violin has strings", [VECTOR, RERANKED])
    q = embed("the violin has strings")

    def cosine(text: str) -> float:
        v = embed(text)
        dot = sum(a * b for a, b in zip(q, v, strict=True))
        length = (sum(a * a for a in q) * sum(b * b for b in v)) ** 0.5
        return dot / length

    hits = found.lists["vector"].hits
    assert [h.chunk.text for h in hits] == sorted(SENTENCES, key=lambda s: -cosine(s))[:5]
    assert hits[0].score == pytest.approx(cosine(hits[0].chunk.text), abs=1e-6)
    first = found.lists["reranked"].hits[0]
    assert (first.chunk.text, first.score_kind) == (SENTENCES[2], "api")
    assert first.score == overlap("the violin has strings", SENTENCES[2])
    before = server.asked
    again = wb.search("the violin has strings", [VECTOR, RERANKED], build=False)  # remembered
    assert [h.score for h in again.lists["reranked"].hits] == [
        h.score for h in found.lists["reranked"].hits
    ]
    assert server.asked == before
    wb.search("another question", [VECTOR], build=False)
    assert server.asked == before + 1


def test_an_evaluation_sends_each_question_and_each_pair_once(
    wb: Workbench, server: ModelServer
) -> None:
    wb.add_remote_model(embedder(server, batch=64))
    wb.add_remote_model(reranker(server))
    with wb.sending():
        report = wb.evaluate([VECTOR, RERANKED], yes=True)
    assert [r.state for r in report.runs] == ["done", "done"]
    asked = [question_text(topic) for topic, _ in TOPICS]
    assert {text: server.texts[text] for text in asked} == dict.fromkeys(asked, 1)
    pairs = [b for b in server.bodies if "documents" in b and b["query"] in asked]
    assert sorted(b["query"] for b in pairs) == sorted(asked)
    assert all(len(b["documents"]) == 5 for b in pairs)
    # All is remembered now: whatever only looks again needs no yes, and asks nobody.
    before = server.asked
    wb.what_if(VECTOR, {"k": 3})
    wb.plan_evaluation([VECTOR, RERANKED])
    wb.evaluate([VECTOR, RERANKED], yes=True)
    assert server.asked == before


def test_reranking_that_breaks_off_goes_on_with_the_questions_left(
    wb: Workbench, server: ModelServer
) -> None:
    wb.add_remote_model(reranker(server))
    local = f"reranked@{CHUNKING}+model=wordllama-l2-supercat-256+reranker=api:order+pool=5"
    server.plan = [None, None, None, None, 501]
    with wb.sending(), pytest.raises(ServerFailed):
        wb.evaluate([local], yes=True)
    server.plan = []
    with wb.sending():
        wb.evaluate([local], yes=True)
    queries = [b["query"] for b in server.bodies if "documents" in b]
    asked = [question_text(topic) for topic, _ in TOPICS]
    # The one that failed is asked again, no other.
    assert sorted(queries.count(q) for q in asked) == [1] * 11 + [2]


def test_pairs_are_scored_at_the_same_time_and_each_is_sent_once(
    wb: Workbench, server: ModelServer
) -> None:
    wb.add_remote_model(reranker(server, parallel=3))
    local = f"reranked@{CHUNKING}+model=wordllama-l2-supercat-256+reranker=api:order+pool=5"
    barrier = threading.Barrier(3, timeout=20)

    def together(value: Any) -> Any:
        if len(value["results"]) == 5:  # and no fixed question
            barrier.wait()
        return value

    server.change = together
    with wb.sending():
        report = wb.evaluate([local], yes=True)
    queries = [b["query"] for b in server.bodies if "documents" in b]
    assert all(queries.count(question_text(topic)) == 1 for topic, _ in TOPICS)
    found = wb.measures(report.runs[0].id)
    server.change = None
    wb.add_remote_model(reranker(server, name="slow", parallel=1))
    with wb.sending():
        one = wb.evaluate([local.replace("api:order", "api:slow")], yes=True)
    again = wb.measures(one.runs[0].id)
    assert found.column("recall@1").tolist() == again.column("recall@1").tolist()
