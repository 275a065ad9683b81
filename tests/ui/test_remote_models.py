"""Pages and models behind addresses: nothing is sent before a button is pressed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.models import forget
from ragdebug.questions import Label, Need
from ragdebug.settings import RemoteModel
from ragdebug.ui import keys, workspaces
from ragdebug.ui.results import running
from ragdebug.web import has_key, key_of
from tests.support.model_server import ModelServer

APP = Path(__file__).resolve().parents[2] / "app.py"
DRAFT = "wordllama-l2-supercat-256"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def wb(tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workspace that the pages of this test have open."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for topic in ("heron", "copper", "violin"):
        (docs / f"{topic}.md").write_text(f"All there is to say about the {topic}.", "utf-8")
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "workspace"))
    workspaces._open.clear()
    opened = workspaces._open(str((tmp_path / "workspace").resolve()))
    opened.ingest([docs])
    opened.add_remote_model(RemoteModel("prod", "embedder", f"{server.url}/v1", "small"))
    opened.add_remote_model(RemoteModel("order", "reranker", f"{server.url}/v2", "r"))
    yield opened
    workspaces._open.clear()
    forget()


def page(name: str, **link: str) -> AppTest:
    test = AppTest.from_file(str(APP), default_timeout=60).switch_page(f"pages/{name}.py")
    for key, value in link.items():
        test.query_params[key] = value
    test.run()
    assert not test.exception, test.exception
    return test


def until(test: AppTest, done: Callable[[], bool]) -> None:
    """Run the page until something holds."""
    for _ in range(200):
        if done():
            return
        time.sleep(0.05)
        test.run()
        assert not test.exception, test.exception
    raise AssertionError([m.value for m in test.markdown])


def labels(test: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in test.button]


def press(test: AppTest, start: str) -> None:
    next(b for b in test.button if b.label.replace("\\", "").startswith(start)).click()
    test.run()
    assert not test.exception, test.exception


def test_search_says_what_would_go_where_and_sends_it_only_when_told(
    wb: Workbench, server: ModelServer
) -> None:
    host = server.url.removeprefix("http://")
    before = server.asked
    test = page("3_Search", q="the heron", columns="bm25,vector+model=api:prod")
    until(test, lambda: f"Send 3 texts to {host}" in labels(test))
    for _ in range(5):
        time.sleep(0.1)
        test.run()
    assert server.asked == before
    said = " ".join(m.value.replace("\\", "") for m in test.markdown)
    assert "3 texts, about 27 tokens (counted with the tokenizer of all-MiniLM-L6-v2)" in said
    press(test, "Send 3 texts")
    until(test, lambda: not wb.jobs.active("index"))
    assert server.texts["All there is to say about the heron."] == 1
    until(test, lambda: "the heron" in server.texts)  # the query, now that the index is there
    assert not any(label.startswith("Send") for label in labels(test))


def test_a_link_does_not_make_a_reranker_read(wb: Workbench, server: ModelServer) -> None:
    wb.build("structure:220/40:tokens:label", DRAFT)
    host = server.url.removeprefix("http://")
    strategy = f"reranked+model={DRAFT}+reranker=api:order+pool=5"
    test = page("3_Search", q="the heron", columns=f"bm25,{strategy}")
    until(test, lambda: f"Send to {host}" in labels(test))

    def read() -> list[str]:
        return [b["query"] for b in server.bodies if "documents" in b]

    assert "the heron" not in read()
    press(test, "Send to")
    until(test, lambda: "the heron" in read())
    assert not any(label.startswith("Send to") for label in labels(test))


def test_an_evaluation_says_how_much_it_would_send_and_goes_on_after_the_yes(
    wb: Workbench, server: ModelServer
) -> None:
    place = wb.find_quote("All there is to say about the heron")[0]
    wb.add_question("what of the heron", [Need((Label(place, origin="marked"),))])
    before = server.asked
    running.start(wb, ["vector+model=api:prod"])
    while wb.jobs.active():
        time.sleep(0.02)
    test = page("5_Results")
    said = " ".join(w.value.replace("\\", "") for w in test.warning)
    assert "would get 3 texts, about 27 tokens" in said
    assert server.asked == before
    press(test, "Send to")
    press(test, "Evaluate, now that it may be sent")
    until(test, lambda: bool(wb.runs()) and not wb.jobs.active())
    assert server.texts["what of the heron"] == 1


@pytest.mark.parametrize("name", ["1_Corpus", "2_Chunks", "4_Questions", "5_Results", "7_Health"])
def test_looking_at_a_page_asks_nobody(wb: Workbench, server: ModelServer, name: str) -> None:
    before = server.asked
    test = page(name, model="api:prod", columns="vector+model=api:prod,bm25")
    for _ in range(3):
        time.sleep(0.1)
        test.run()
    assert server.asked == before


def test_keys_are_found_in_streamlits_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Secrets(dict[str, object]):
        def load_if_toml_exists(self) -> bool:
            return bool(self)

    held = Secrets()
    monkeypatch.setattr(keys.st, "secrets", held)
    keys.use_secrets()
    assert not has_key("ONLY_IN_SECRETS")
    held["ONLY_IN_SECRETS"] = "sk-from-the-file"
    held["A_TABLE"] = {"a": 1}
    assert key_of("ONLY_IN_SECRETS") == "sk-from-the-file"
    assert not has_key("A_TABLE")
