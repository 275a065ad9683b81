"""Models behind addresses: added, changed, listed, taken out, and agreed to on each machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from ragdebug import Workbench
from ragdebug.errors import ModelChanged, ModelError, ModelNotFound, SendingNotAllowed
from ragdebug.model_files import info
from ragdebug.models import forget
from tests.support.model_server import ModelServer
from tests.workbench.remote.conftest import CHUNKING, VECTOR, embedder


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
