"""What models read of a hit, in a browser: a cross-encoder's ranks and weights, a window's end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from ragdebug import Workbench
from tests.models.conftest import make_embedder, make_reranker  # noqa: F401 - fixtures

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

Visit = Callable[..., "Page"]
Settled = Callable[["Page"], None]
DRAFT = "wordllama-l2-supercat-256"
LOADING_MS = 600_000  # torch and a model, on a slow machine
LONG = "Refund. " + "The red door. " * 40 + "The passage."


@pytest.fixture(scope="module")
def embedder(make_embedder: Callable[..., Path]) -> Path:  # noqa: F811 - the fixture
    """Reads 30 tokens, and so the first few sentences."""
    return make_embedder("window", seed=3, window=32)


@pytest.fixture(scope="module")
def reranker(make_reranker: Callable[..., Path]) -> Path:  # noqa: F811 - the fixture
    return make_reranker("reranker", seed=4)


@pytest.fixture(scope="module")
def address(
    app: Callable[[Path], str], tmp_path_factory: pytest.TempPathFactory, embedder: Path
) -> str:
    folder = tmp_path_factory.mktemp("explain-models")
    files = {"long.txt": LONG, "warm.txt": "Warm days. The boiler room.", "red.txt": "A red door."}
    with Workbench(folder / "workspace") as wb:
        wb.ingest_files([(name, text.encode()) for name, text in files.items()])
        wb.build("fixed:400/0", DRAFT)
        wb.build("fixed:400/0", str(embedder))
    return app(folder / "workspace")


def test_the_reranker_says_before_and_after_and_the_link_keeps_what_is_chosen(
    address: str, visit: Visit, settled: Settled, reranker: Path
) -> None:
    columns = quote(f"reranked@fixed:400/0+reranker={reranker},bm25@fixed:400/0")
    page = visit(address, f"Search?q=refund+passage&columns={columns}&model={DRAFT}")
    page.locator(".column").first.get_by_role("option").filter(has_text="long.txt").click(
        timeout=LOADING_MS
    )
    panel = page.locator(".st-key-search_explain")
    panel.locator(".weighed .number").first.wait_for(timeout=LOADING_MS)
    panel.get_by_text("before").wait_for()
    panel.get_by_text("cross-encoder", exact=False).first.wait_for()
    # 64 tokens, less two words of the query and three marks.
    panel.locator(".border").get_by_text("reading stops here: 59 of").wait_for()
    panel.get_by_text("It reads 59 of").wait_for()
    settled(page)
    panel.get_by_text("Fusion", exact=True).click()
    panel.get_by_text("What each list gave").wait_for()
    page.wait_for_url("**why=fusion**")
    settled(page)
    panel.get_by_role("combobox").click()
    page.get_by_role("option", name="beside it: #").first.click()
    page.wait_for_url(lambda url: {"why", "beside", "hit"} <= set(parse_qs(urlsplit(url).query)))
    sent = urlsplit(page.url)
    other = visit(address, f"{sent.path.removeprefix('/')}?{sent.query}")
    other.get_by_text("What each list gave").wait_for()
    other.locator(".st-key-search_explain_beside input[value^='beside it: #']").wait_for()


def test_the_end_of_the_window_is_drawn_in_a_text_longer_than_it(
    address: str, visit: Visit, embedder: Path
) -> None:
    columns = quote("vector@fixed:400/0,bm25@fixed:400/0")
    page = visit(address, f"Search?q=refund&columns={columns}&model={quote(str(embedder))}")
    page.locator(".column").first.get_by_role("option").filter(has_text="long.txt").click(
        timeout=LOADING_MS
    )
    panel = page.locator(".st-key-search_explain")
    end = panel.locator(".weighed .border")
    end.get_by_text("reading stops here: 30 of").wait_for(timeout=LOADING_MS)
    panel.get_by_text("It reads 30 of").wait_for()
    # What is read and what is not, together the whole text.
    unread = "".join(panel.locator(".weighed .unread").all_inner_texts())
    assert "The passage." in unread
    assert "Refund." not in unread
