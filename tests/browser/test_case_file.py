"""A case file in a browser without a network, and the way to it from a search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlencode

import pytest

from ragdebug import Workbench
from ragdebug.workbench.casefile import Case
from ragdebug.workbench.casefile.address import place

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

Visit = Callable[..., "Page"]
QUERY = "how long do <b>herons</b> sleep </script><img src=x onerror=alert(1)>"
QUOTE = "Herons sleep for six hours <script>alert(2)</script> ]]> at night"
NAME = "<img src=x onerror=alert(3)>.md"
MODEL = "wordllama-l2-supercat-256"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine small documents; one has a hostile name and answers."""
    folder: Path = tmp_path_factory.mktemp("case")
    docs = folder / "docs"
    docs.mkdir()
    (docs / NAME).write_text(f"# Heron\n\n{QUOTE}, on one leg.\n", "utf-8")
    for name in ("otter", "badger", "falcon", "salmon", "beetle", "marten", "weasel", "owl"):
        (docs / f"{name}.md").write_text(
            f"# {name}\n\nHow long they sleep is not known.\n", "utf-8"
        )
    with Workbench(folder / "work") as wb:
        wb.ingest([docs])
        wb.build("structure:220/40", MODEL)
    return folder / "work"


@pytest.fixture(scope="module")
def made(workspace: Path) -> tuple[Case, Path]:
    """A case of it, and its file."""
    strategies = ["bm25+k=3", f"vector+model={MODEL}+k=3"]
    with Workbench(workspace) as wb:
        case = wb.case(query=QUERY, quote=QUOTE, strategies=strategies)
        return case, wb.write_case(case, workspace.parent / "case.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_file_says_what_the_workbench_says(
    browser: Browser, made: tuple[Case, Path], workspace: Path, scheme: Literal["light", "dark"]
) -> None:
    case, file = made
    with Workbench(workspace) as wb:
        sentences = wb.case_sentences(case)
        report = wb.why(query=QUERY, quote=QUOTE, strategy="bm25+k=3")
        hits = wb.search(QUERY, ["bm25+k=3"]).lists["bm25"].hits
    context = browser.new_context(offline=True, color_scheme=scheme)
    context.set_default_timeout(120_000)
    page = context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: faults.append(message.text))
    page.goto(file.as_uri())
    assert page.locator("#sentences p").all_inner_texts() == list(sentences)
    assert page.locator("details[open]").count() == 0
    page.locator("details").evaluate_all("all => all.forEach(d => d.open = true)")
    texts = page.locator("details").first.locator(".text").all_text_contents()
    assert texts == [h.chunk.text for h in hits]
    assert report.stage.replace("_", " ") in page.locator("body").inner_text()
    assert page.locator("mark").first.text_content() == QUOTE
    assert page.locator("img, b, a, script:not([type='application/json'])").count() == 0
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (dark == "rgb(255, 255, 255)") is (scheme == "light")
    assert asked == [file.as_uri()] and not faults
    context.close()


def test_a_long_view_has_a_short_link_that_brings_it_back(
    app: Callable[[Path], str], visit: Visit, workspace: Path
) -> None:
    from playwright.sync_api import expect

    words = "heron sleep " * 150
    with Workbench(workspace) as wb:
        found = wb.find_quote(QUOTE)
    view = {"q": words.strip(), "k": "4", "columns": "bm25,bm25+b=0.5", "model": MODEL}
    page = visit(app(workspace), f"Search?{urlencode({**view, 'expect': place(found[0])})}")
    page.get_by_role("button", name="Share").click()
    link = page.locator("code", has_text="?s=").inner_text()
    assert len(link) < 120
    page.get_by_text("works on this machine only").wait_for()
    again = visit(link.rsplit("/", 1)[0], link.rsplit("/", 1)[1])
    again.wait_for_url(lambda url: "columns=bm25" in url and not url.split("?")[1].startswith("s="))
    expect(again.get_by_label("Query")).to_have_value(view["q"])
    expect(again.get_by_label("k", exact=True)).to_have_value("4")


def test_a_link_that_is_not_kept_says_so(
    app: Callable[[Path], str], visit: Visit, workspace: Path
) -> None:
    page = visit(app(workspace), "Search?s=00000000")
    page.get_by_text("is not kept in this workspace").wait_for()


def test_a_case_is_looked_through_before_it_is_written(
    app: Callable[[Path], str], visit: Visit, workspace: Path, tmp_path: Path
) -> None:
    with Workbench(workspace) as wb:
        found = wb.find_quote(QUOTE)
    view = {"q": QUERY, "k": "3", "columns": "bm25,bm25+b=0.5", "model": MODEL}
    page = visit(app(workspace), f"Search?{urlencode({**view, 'expect': place(found[0])})}")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Case file").click()
    page.get_by_role("button", name="Gather").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("The file holds").wait_for()
    dialog.get_by_text("was asked; the answer stands in").wait_for()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Case file").click()
    download.value.save_as(tmp_path / "case.html")
    with Workbench(workspace) as wb:
        assert wb.open_case(tmp_path / "case.html").places == tuple(found)
