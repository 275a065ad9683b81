"""Somebody's own chunks, models, lists and search in a browser, against servers of the test."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdebug import Workbench
from ragdebug.settings import ChunkingSettings, RemoteModel
from tests.support.model_server import ModelServer
from tests.support.search_server import SearchServer

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
CANARY = "canary-2f6b9d41c7a8e350"
TOPICS = {
    "refunds": "Refunds are available within 30 days. After that plans are prorated.",
    "boats": "A green boat lies at the pier and waits for the tide.",
    "tea": "Green tea is brewed with water of eighty degrees.",
}
PIECES = [
    {"text": "Refunds are available within 30 days.", "source": "refunds.md", "id": "r1"},
    {"text": "A green boat <b>lies</b> elsewhere.", "source": "boats.md", "id": "b1"},
    {"text": "Green tea is brewed with water of eighty degrees.", "source": "tea.md", "id": "t1"},
]


@dataclass(frozen=True)
class Bench:
    """An open app with a workspace, and the servers that stand for production."""

    address: str
    workspace: Path
    models: ModelServer
    search: SearchServer
    logs: Path


@pytest.fixture(scope="module")
def bench(start: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    workspace = tmp_path_factory.mktemp("yours") / "work"
    with Workbench(workspace) as wb:
        wb.ingest_files([(f"{n}.md", t.encode()) for n, t in TOPICS.items()])
        wb.import_questions(
            b'{"id": "q1", "question": "green boat", "source": "boats.md", "quote": "green boat"}',
            "jsonl",
        )
    models = ModelServer(key=CANARY)
    search = SearchServer([("r1", "refunds.md", PIECES[0]["text"]), ("x", "far.md", "A far boat.")])
    models.start()
    search.start()
    address = start(ROOT / "app.py", RAGDEBUG_WORKSPACE=str(workspace), CANARY_KEY=CANARY)
    yield Bench(address, workspace, models, search, tmp_path_factory.getbasetemp())
    models.stop()
    search.stop()


def test_a_file_of_chunks_is_looked_at_brought_in_and_searched(
    bench: Bench, visit: Callable[..., Page], tmp_path: Path
) -> None:
    file = tmp_path / "theirs.jsonl"
    file.write_text("".join(json.dumps(p) + "\n" for p in PIECES), "utf-8")
    page = visit(bench.address, "Your_system")
    page.get_by_text("No chunks of yours yet", exact=False).wait_for()
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Look at it").click()
    page.get_by_text("2 of 3 chunks would be placed", exact=False).wait_for()
    page.get_by_role("button", name="Bring them in").click()
    page.get_by_text("2 of 3 chunks placed", exact=False).wait_for()
    page.get_by_text("searched as imported:theirs", exact=False).wait_for()
    found = visit(bench.address, "Search?q=green+boat&columns=bm25,bm25&chunker=imported:theirs")
    # What another system cut is literal text, and says that it stands nowhere.
    found.get_by_text("A green boat <b>lies</b> elsewhere.").first.wait_for()
    found.get_by_text("not placed").first.wait_for()


def test_a_model_behind_an_address_is_added_and_searched_with_after_a_yes(
    bench: Bench, visit: Callable[..., Page]
) -> None:
    page = visit(bench.address, "Your_system?part=models")
    page.get_by_role("textbox", name="Name here").fill("small")
    page.get_by_role("textbox", name="Address").fill(bench.models.url)
    page.get_by_role("textbox", name="Model, as the server calls it").fill("small")
    page.get_by_role("button", name="Try it and add it").click()
    page.get_by_text("401", exact=False).wait_for()  # it wants a key
    page.get_by_role("textbox", name="Environment variable that holds the key").fill("CANARY_KEY")
    page.get_by_role("button", name="Try it and add it").click()
    page.get_by_text("api:small answers", exact=False).wait_for()
    asked = bench.models.texts.total()
    found = visit(bench.address, "Search?q=green+boat&columns=vector,bm25&model=api:small")
    agree = found.get_by_role("button", name="Send", exact=False).first
    agree.wait_for()
    assert bench.models.texts.total() == asked  # nothing went there by looking at a page
    agree.click()
    found.locator(".column").first.get_by_text("boats.md").first.wait_for()
    assert bench.models.texts.total() > asked
    assert CANARY not in found.content() and CANARY not in found.url


@pytest.fixture(scope="module")
def ready(bench: Bench) -> Iterator[Bench]:
    """The bench with a model that has embedded the corpus already."""
    with pytest.MonkeyPatch.context() as patch, Workbench(bench.workspace) as wb:
        patch.setenv("CANARY_KEY", CANARY)
        wb.add_remote_model(
            RemoteModel("ready", "embedder", bench.models.url, "small", key_env="CANARY_KEY")
        )
        with wb.sending():
            wb.build(ChunkingSettings(), "api:ready")
    yield bench


@pytest.mark.parametrize(
    ("number", "answer", "says"),
    [
        (1, (429, {"Retry-After": "0"}, b"{}"), "429"),
        (2, (500, {}, b"{}"), "500"),
        (3, (200, {}, b'{"data": [{"embed'), "JSON"),
        (4, (200, {}, b"<html>Welcome</html>"), "<html>Welcome</html>"),
        (
            5,
            (200, {}, b'{"data": [{"index": 0, "embedding": [1.0, 2.0]}]}'),
            "2 numbers instead of 32",
        ),
    ],
    ids=["too many", "fault", "broken", "html", "another length"],
)
def test_what_a_model_answers_wrongly_is_said_in_its_column_alone(
    ready: Bench, visit: Callable[..., Page], number: int, answer: object, says: str
) -> None:
    from playwright.sync_api import expect

    ready.models.plan[:] = [answer] * 20
    # A query that was not embedded before.
    query = f"green+boat+{number}"
    page = visit(ready.address, f"Search?q={query}&columns=vector,bm25&model=api:ready")
    expect(page.locator(".message.failed").first).to_contain_text(says)
    ready.models.plan.clear()
    page.get_by_text("boats.md").first.wait_for()


def test_a_slow_model_holds_up_no_other_list(ready: Bench, visit: Callable[..., Page]) -> None:
    go_on = threading.Event()

    def slow(handler: BaseHTTPRequestHandler) -> None:
        go_on.wait(30)  # less than the app waits for an answer
        ready.models.answer(handler, ready.models.bodies[-1])

    ready.models.plan.append(slow)
    page = visit(
        ready.address, "Search?q=green+tea+water&columns=vector,bm25&model=api:ready", wait=False
    )
    page.locator(".column").nth(1).get_by_text("tea.md").first.wait_for()
    go_on.set()
    page.locator(".column").first.get_by_text("tea.md").first.wait_for()


def test_result_lists_become_a_column(
    bench: Bench, visit: Callable[..., Page], tmp_path: Path
) -> None:
    file = tmp_path / "prod.trec"
    file.write_text("q1 Q0 tea.md 1 2.5 prod\nq1 Q0 boats.md 2 1.5 prod\n")
    page = visit(bench.address, "Your_system?part=lists")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Look at it").click()
    page.get_by_text("1 lists of 2 hits", exact=False).wait_for()
    page.get_by_role("button", name="Bring them in").click()
    page.get_by_text("searched as list:prod", exact=False).wait_for()
    found = visit(bench.address, "Search?q=green+boat&columns=list:prod,bm25")
    found.get_by_text("as returned", exact=False).first.wait_for()
    found.get_by_text("tea.md").first.wait_for()


def test_a_searcher_is_tried_out_added_and_its_failure_stays_in_its_column(
    bench: Bench, visit: Callable[..., Page]
) -> None:
    page = visit(bench.address, "Your_system?part=searchers")
    page.get_by_role("textbox", name="Name", exact=True).fill("shop")
    address = page.get_by_role("textbox", name="Address")
    address.fill(f"{bench.search.url}/search")
    address.press("Enter")
    page.get_by_text("I know where it comes from", exact=False).click()
    ask = page.get_by_role("textbox", name="Ask it")
    ask.fill("refunds")
    ask.press("Enter")
    page.get_by_role("button", name="Try it").click()
    page.get_by_text("placed in the documents here", exact=False).wait_for()
    page.get_by_role("button", name="Add it").click()
    page.get_by_text("Add the column searcher:shop", exact=False).wait_for()
    found = visit(bench.address, "Search?q=refunds&columns=searcher:shop,bm25")
    found.get_by_text("refunds.md").nth(1).wait_for()
    bench.search.plan.extend([500] * 10)
    broken = visit(bench.address, "Search?q=green+boat&columns=searcher:shop,bm25")
    broken.get_by_text("500", exact=False).first.wait_for()
    broken.get_by_text("boats.md").first.wait_for()
    bench.search.plan.clear()


def test_the_key_is_nowhere(bench: Bench) -> None:
    written = [p for p in bench.workspace.rglob("*") if p.is_file()]
    written += list(bench.logs.rglob("server-*.log"))
    assert len(written) > 3
    for path in written:
        assert CANARY.encode() not in path.read_bytes(), path
