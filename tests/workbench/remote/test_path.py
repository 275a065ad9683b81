"""A model behind an address on the whole path: planned, sent once, stopped, gone on, measured."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from ragdebug import Workbench
from ragdebug.errors import (
    Cancelled,
    ModelChanged,
    ModelError,
    ModelNotFound,
    SendingNotAllowed,
    ServerFailed,
)
from ragdebug.model_files import info
from ragdebug.models import forget
from ragdebug.models.remote_probe import SENTENCE
from ragdebug.settings import ChunkingSettings, RemoteModel
from ragdebug.tokens import counter
from tests.support.model_server import ModelServer, embed, overlap
from tests.workbench.evaluation.conftest import TOPICS, question_text

CHUNKING = ChunkingSettings.parse("structure:60/0:tokens:nolabel")
VECTOR = f"vector@{CHUNKING}+model=api:prod"
RERANKED = f"reranked@{CHUNKING}+model=api:prod+reranker=api:order+pool=5"
SENTENCES = [sentence for _, sentence in TOPICS]


def embedder(server: ModelServer, **values: Any) -> RemoteModel:
    given = {"name": "prod", "kind": "embedder", "url": f"{server.url}/v1", "model": "small",
             "key_env": "SHOP_KEY", "batch": 2, "price_per_million": 0.02}  # fmt: skip
    return RemoteModel(**given | values)


def reranker(server: ModelServer, **values: Any) -> RemoteModel:
    given = {"name": "order", "kind": "reranker", "url": f"{server.url}/v2", "model": "r",
             "key_env": "SHOP_KEY"}  # fmt: skip
    return RemoteModel(**given | values)


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


# Change -------------------------------------------------------------------------------------------


def test_a_silent_change_is_noticed_and_accepted(wb: Workbench, server: ModelServer) -> None:
    wb.add_remote_model(embedder(server))
    with wb.sending():
        wb.build(CHUNKING, "api:prod")
    old = info("api:prod").fingerprint
    server.seed = 5
    forget()  # as a new process
    found = wb.search("the heron", [VECTOR, f"bm25@{CHUNKING}"], build=False)
    assert "Another model answers as api:prod" in found.lists["vector"].error
    assert "ragdebug models accept prod" in found.lists["vector"].error_hint
    assert found.lists["bm25"].hits
    trial = wb.try_remote_model("api:prod")
    assert trial.same is False
    assert "cosine" in trial.sentence
    with pytest.raises(ModelChanged, match="answers otherwise"):
        wb.add_remote_model(embedder(server))
    assert wb.accept_remote_model("prod").same is False
    assert info("api:prod").fingerprint != old
    assert wb.plan(CHUNKING, "api:prod").new == 12
    kept = {m.fingerprint: m.vectors for m in wb.store.vectors.models()}
    assert kept[old] == 12
    server.seed = 0  # back to the old model: its vectors are there still
    assert wb.accept_remote_model("prod").same is False
    assert info("api:prod").fingerprint == old
    assert wb.plan(CHUNKING, "api:prod").new == 0
    assert wb.accept_remote_model("prod").same is True


# List ---------------------------------------------------------------------------------------------


def test_models_are_listed_removed_and_brought_back(
    wb: Workbench, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = wb.try_remote_model(embedder(server))
    assert wb.remote_models() == []
    assert "vectors of length 32" in trial.sentence
    wb.add_remote_model(embedder(server))
    assert [m.name for m in wb.models()][-1] == "api:prod"
    (row,) = wb.remote_models()
    assert (row.record.model, row.has_key) == (embedder(server), True)
    monkeypatch.delenv("SHOP_KEY")
    assert not wb.remote_models()[0].has_key
    monkeypatch.setenv("SHOP_KEY", server.key)
    before = info("api:prod").fingerprint
    assert wb.remove_remote_model("api:prod")
    assert not wb.remove_remote_model("prod")
    with pytest.raises(ModelNotFound):
        info("api:prod")
    assert [r.removed for r in wb.remote_models(removed=True)] == [True]
    assert wb.restore_remote_model("prod")
    assert info("api:prod").fingerprint == before


def test_a_name_stays_with_its_model(wb: Workbench, server: ModelServer) -> None:
    wb.add_remote_model(embedder(server))
    before = info("api:prod").fingerprint
    with pytest.raises(ModelError, match="already the name of another model"):
        wb.add_remote_model(embedder(server, model="large"))
    server.noise = 1e-4
    wb.add_remote_model(embedder(server, batch=9, price_per_million=1, timeout_s=5))
    assert info("api:prod").fingerprint == before
    assert wb.remote_models()[0].record.model.batch == 9
    wb.remove_remote_model("prod")
    with pytest.raises(ModelError, match="was removed and can be brought back"):
        wb.add_remote_model(embedder(server, model="large"))


def test_a_closed_workspace_has_no_models(
    wb: Workbench, server: ModelServer, tmp_path: Any
) -> None:
    with Workbench(tmp_path / "other") as other:
        other.add_remote_model(embedder(server, name="elsewhere"))
        assert info("api:elsewhere").dimension == 32
    with pytest.raises(ModelNotFound):
        info("api:elsewhere")
    with Workbench(tmp_path / "other") as other:
        assert info("api:elsewhere").dimension == 32
        other.add_remote_model(embedder(server, model="large"))
        wb.add_remote_model(embedder(server))
        with pytest.raises(ModelError, match="Two open workspaces"):
            wb.plan(CHUNKING, "api:prod")


# Agreement ----------------------------------------------------------------------------------------


def test_a_workspace_from_elsewhere_asks_nobody_before_somebody_agrees(
    wb: Workbench, server: ModelServer, tmp_path: Path
) -> None:
    wb.add_remote_model(embedder(server))
    with wb.sending():
        wb.build(CHUNKING, "api:prod")
    wb.close()
    moved = tmp_path / "sent by a colleague"
    shutil.move(tmp_path / "workspace", moved)
    forget()
    before = server.asked
    with Workbench(moved) as other:
        assert [r.agreed for r in other.remote_models()] == [False]
        found = other.search("the heron", [VECTOR]).lists["vector"]
        assert f"ask {server.url}/v1/embeddings with the key in SHOP_KEY" in found.error
        assert "ragdebug models allow prod" in found.error_hint
        for call in (other.try_remote_model, other.accept_remote_model):
            with pytest.raises(SendingNotAllowed, match="nobody agreed"):
                call("prod")
        assert server.asked == before
        other.allow_remote_model("prod")
        assert other.search("the heron", [VECTOR]).lists["vector"].hits
    forget()
    with Workbench(moved) as again:  # remembered for this user
        assert [r.agreed for r in again.remote_models()] == [True]


def test_a_yes_for_one_model_is_none_for_another(wb: Workbench, server: ModelServer) -> None:
    wb.add_remote_model(embedder(server))
    wb.add_remote_model(embedder(server, name="other", model="large"))
    with wb.sending(["api:other"]), pytest.raises(SendingNotAllowed, match="api:prod"):
        wb.build(CHUNKING, "api:prod")
    with wb.sending([]), pytest.raises(SendingNotAllowed):
        wb.build(CHUNKING, "api:other")
    with wb.sending(["api:other"]):
        assert wb.build(CHUNKING, "api:other").embedded == 12
