"""A workspace with labelled questions, and a server of models on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragdebug import Workbench
from ragdebug.models import forget
from ragdebug.questions import Label, Need
from tests.support.model_server import ModelServer
from tests.workbench.evaluation.conftest import TOPICS, question_text

KEY = "sk-canary-c0ffee-4711"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    server = ModelServer(key=KEY)
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_KEY", KEY)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for topic, sentence in TOPICS:
        (folder / f"{topic}.txt").write_text(f"{sentence}\n", "utf-8")
    return folder


@pytest.fixture
def wb(tmp_path: Path, corpus: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path / "workspace") as opened:
        opened.ingest([corpus])
        for topic, sentence in TOPICS:
            place = opened.find_quote(sentence)[0]
            opened.add_question(question_text(topic), [Need((Label(place, origin="marked"),))])
        yield opened
    forget()
