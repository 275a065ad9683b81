"""A corpus of topics, and a search of somebody's own over it: a function, and an address."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragdebug import Workbench
from ragdebug.questions import Label, Need
from ragdebug.records import ResultList
from ragdebug.settings import SearcherSettings
from ragdebug.web import agreed, client
from tests.support.search_server import SearchServer

TOPICS = {
    "heron": "The heron stands in shallow water and waits for fish.",
    "copper": "Copper pipes turn green where the rain runs over them.",
    "violin": "The violin has four strings tuned in fifths.",
    "glacier": "A glacier moves a few metres every year.",
    "saffron": "Saffron is picked by hand from a purple crocus.",
    "compass": "A compass needle points to the magnetic north.",
    "basalt": "Basalt cools into columns with six sides.",
}

# The search that is tested, as a person would write it; it misses one of the topics.
CODE = """
TOPICS = {topics!r}
asked = []

def search(query, k=10, filter=None):
    asked.append((query, k, filter))
    if "boom" in query:
        raise LookupError("no index for " + query)
    words = set(query.lower().split())
    hits = [{{"text": text, "source": name + ".txt", "score": 1.0}}
            for name, text in TOPICS.items() if name in words and name != "basalt"]
    hits.append({{"text": "Made up by the engine.", "source": "elsewhere.md", "score": 0.1}})
    return hits[:k]
"""


@pytest.fixture(autouse=True)
def nobody_agreed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(agreed, "_here", {})
    monkeypatch.setattr(client, "FIRST_WAIT_S", 0.01)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one document a topic, and a question about each."""
    folder = tmp_path_factory.mktemp("made")
    for name, text in TOPICS.items():
        (folder / f"{name}.txt").write_text(f"{text}\n", "utf-8")
    with Workbench(folder / "workspace") as opened:
        opened.ingest(sorted(folder.glob("*.txt")))
        for name, text in TOPICS.items():
            place = opened.find_quote(text)[0]
            opened.add_question(f"tell me of the {name}", [Need((Label(place, origin="marked"),))])
    return folder / "workspace"


@pytest.fixture
def wb(tmp_path: Path, made: Path) -> Iterator[Workbench]:
    shutil.copytree(made, tmp_path / "workspace")
    with Workbench(tmp_path / "workspace") as opened:
        yield opened


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module of the person's, in their working folder."""
    folder = tmp_path / "mine"
    folder.mkdir()
    name = f"mine_{tmp_path.name}".replace("-", "_")
    (folder / f"{name}.py").write_text(CODE.format(topics=TOPICS), "utf-8")
    monkeypatch.chdir(folder)
    before = list(sys.path)
    yield name
    sys.path[:] = before
    sys.modules.pop(name, None)


def asked(module: str) -> list[Any]:
    return list(sys.modules[module].asked)  # type: ignore[attr-defined]


@pytest.fixture
def prod(wb: Workbench, module: str) -> SearcherSettings:
    made = SearcherSettings("prod", "python", target=f"{module}:search", timeout_s=20)
    wb.add_searcher(made)
    return made


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with SearchServer([(name, f"{name}.txt", text) for name, text in TOPICS.items()]) as server:
        yield server


def http(server: SearchServer, **more: Any) -> SearcherSettings:
    made: dict[str, Any] = {"name": "far", "kind": "http", "url": f"{server.url}/search"}
    return SearcherSettings(**{**made, "timeout_s": 10, **more})


def column(wb: Workbench, query: str, strategy: str = "searcher:prod", **more: Any) -> ResultList:
    (made,) = wb.search(query, [strategy], **more).lists.values()
    return made
