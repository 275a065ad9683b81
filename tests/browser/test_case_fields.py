"""A case file against the pages that it came from: every figure, on the sample's PDF."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from ragdebug import Workbench
from ragdebug.places import sample_folder, sample_questions
from ragdebug.workbench.casefile import embedded
from ragdebug.workbench.casefile.address import place

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.model]

MODEL = "wordllama-l2-supercat-256"
CHUNKING = "structure:120/20:tokens:label"
LOADING_MS = 600_000  # libraries and models, on a slow machine
PDF = "manuals/kw480-service-manual.pdf"
READ = (PDF, "handbook/machine-care.md", "handbook/getting-started.md", "support/faq.csv")
ASKED, QUERY = "q-032", "where is plug X7"
LISTS = ("vector", "hybrid", "bm25")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PDF of the sample with some other documents, and the questions on them."""
    folder: Path = tmp_path_factory.mktemp("fields")
    asked = [
        line
        for line in sample_questions().read_text("utf-8").splitlines()
        if (json.loads(line).get("source") or "").partition("#")[0] in READ
    ]
    (folder / "questions.jsonl").write_text("\n".join(asked) + "\n", "utf-8")
    for name in READ:
        copy = folder / "docs" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((sample_folder() / name).read_bytes())
    with Workbench(folder / "work") as wb:
        wb.ingest([folder / "docs"])
        wb.import_questions(folder / "questions.jsonl")
        wb.build(CHUNKING, MODEL)
    return folder / "work"


@pytest.fixture(scope="module")
def board(
    app: Callable[[Path], str],
    visit_once: Callable[..., Page],
    settled: Callable[[Page], None],
    workspace: Path,
) -> Page:
    """The Search page with three lists and the passage that answers."""
    from playwright.sync_api import expect

    with Workbench(workspace) as wb:
        needs = wb.question(ASKED).usable_needs
    view = {"q": QUERY, "k": "5", "columns": ",".join(f"{p}@{CHUNKING}" for p in LISTS),
            "model": MODEL, "expect": place(needs[0].places[0])}  # fmt: skip
    page = visit_once(app(workspace), f"Search?{urlencode(view)}")
    expect(page.locator(".column .card .score")).to_have_count(15, timeout=LOADING_MS)
    settled(page)
    return page


@pytest.fixture(scope="module")
def seen(board: Page) -> list[list[dict[str, str]]]:
    """What the cards of each list say."""
    columns = board.locator(".column")
    found: list[list[dict[str, str]]] = [
        columns.nth(at)
        .locator(".card")
        .evaluate_all(
            """all => all.map(c => ({
                chunk: c.dataset.passage, score: c.querySelector('.score').innerText,
                rank: c.querySelector('.rank').innerText, kind: c.querySelector('.kind').innerText,
                text: c.querySelector('.text').textContent, all: c.innerText}))"""
        )
        for at in range(3)
    ]
    return found


@pytest.fixture(scope="module")
def exported(
    board: Page,
    settled: Callable[[Page], None],
    seen: list[list[dict[str, str]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, list[str]]:
    """The file as it comes from the dialog, and the sentences and contents that were shown."""
    board.get_by_role("button", name="Share").click()
    board.get_by_role("button", name="Case file").click()
    dialog = board.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Proposed").click()
    board.get_by_role("option", name="hybrid", exact=True).click()
    settled(board)
    dialog.get_by_role("button", name="Gather").click()
    dialog.get_by_text("The file holds").wait_for()
    settled(board)
    shown = dialog.inner_text().replace("\u2060", "").split("\n")
    with board.expect_download() as download:
        dialog.get_by_role("button", name="Case file").click()
    file = tmp_path_factory.mktemp("exported") / "case.html"
    download.value.save_as(file)
    return file, [line for line in shown if line]


@pytest.fixture(scope="module")
def opened(browser: Browser, exported: tuple[Path, list[str]]) -> Iterator[tuple[Page, list[str]]]:
    """The file in a browser without a network, and what it asked for."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(LOADING_MS)
    context.set_offline(True)
    asked: list[str] = []
    context.route("http://**", lambda route: route.abort())
    context.route("https://**", lambda route: route.abort())
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: asked.append(message.text))
    page.goto(exported[0].as_uri())
    yield page, asked
    context.close()


@pytest.fixture(scope="module")
def value(exported: tuple[Path, list[str]]) -> dict[str, Any]:
    """The machine-readable case."""
    return embedded.read(exported[0].read_text("utf-8"))


def test_everything_folded_opens_by_keyboard(opened: tuple[Page, list[str]]) -> None:
    page, asked = opened
    many = page.locator("details").count()
    assert many >= 8 and page.locator("details[open]").count() == 0
    for _ in range(many):
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    assert page.locator("details[open]").count() == many
    assert [url for url in asked if not url.startswith("data:")] == [page.url]


def test_sentences_and_contents_are_those_of_the_dialog(
    exported: tuple[Path, list[str]],
    opened: tuple[Page, list[str]],
    value: dict[str, Any],
) -> None:
    page, _ = opened
    sentences = page.locator("#sentences p").all_inner_texts()
    assert len(sentences) == 3 and value["sentences"] == sentences
    assert set(sentences) <= set(exported[1])
    holds = page.locator("details", has_text="What this file holds").locator("li")
    assert set(holds.all_text_contents()) <= set(exported[1])


def test_every_hit_is_the_card_of_the_page(
    seen: list[list[dict[str, str]]], opened: tuple[Page, list[str]], value: dict[str, Any]
) -> None:
    page, _ = opened
    kept = [value["today"], value["proposed"], *value["others"]]
    for name, cards, one in zip(LISTS, seen, kept, strict=True):
        assert one["name"] == name and one["strategy"].startswith(f"{name}@{CHUNKING}")
        assert [h["chunk"] for h in one["hits"]] == [c["chunk"] for c in cards]
        rows = page.locator("details", has_text=f"List: {name}").first.locator("li")
        assert rows.count() == len(cards) == 5
        for at, (card, hit) in enumerate(zip(cards, one["hits"], strict=True)):
            head = rows.nth(at).locator("strong").inner_text()
            rank, score, kind = head.split(" · ")[0].split(" ")
            assert (rank, kind) == (f"{card['rank']}.", card["kind"]) and hit["rank"] == at + 1
            digits = len(card["score"].partition(".")[2])
            assert f"{hit['score']:.{digits}f}" == card["score"]
            assert float(score) == pytest.approx(hit["score"], rel=1e-3)
            text = rows.nth(at).locator(".text").text_content() or ""
            assert text.startswith(card["text"].rstrip("…").rstrip())
            holds = "✓ answers" in card["all"]
            assert ("holds" in (rows.nth(at).get_attribute("class") or "")) is holds
            assert (hit["coverage"] == 1) is holds
            for other in head.split(" · ")[1:]:  # rank in each fused list
                listed, _, place_there = other.partition(" ")
                named = {"vector": "Vector", "bm25": "BM25"}[listed]
                assert f"{named}\n{place_there}" in card["all"]


def test_the_trace_is_that_of_the_page(
    app: Callable[[Path], str],
    visit: Callable[..., Page],
    workspace: Path,
    opened: tuple[Page, list[str]],
    value: dict[str, Any],
) -> None:
    from playwright.sync_api import expect

    file, _ = opened
    for side in ("today", "proposed"):
        strategy, why = value[side]["strategy"], value[side]["why"]
        page = visit(
            app(workspace), f"Trace?{urlencode({'question': ASKED, 'strategy': strategy})}"
        )
        steps = page.locator(".st-key-trace_path li")
        expect(steps).to_have_count(len(why["path"]))
        folded = file.locator("details", has_text=f"Trace: {value[side]['name']}").first
        rows = folded.locator("table").first.locator("tr:has(td)")
        assert rows.count() == len(why["path"])
        for at in range(rows.count()):
            sign, label, *more = steps.nth(at).inner_text().split("\n")
            cells = rows.nth(at).locator("td").all_inner_texts()
            assert cells[0] == label
            assert (cells[1] == "lost here") is ("lost here" in more) is (sign == "✕")
            numbers = {
                word.strip("#") for line in more for word in line.split() if "lost" not in line
            }
            assert {n for n in numbers if n.isdigit()} <= set(
                cells[2].replace(";", "").replace(",", "").split()
            )
        report = page.locator(".st-key-trace_report")
        (evidence,) = why["evidence"]
        expect(report).to_contain_text(evidence["quote"], use_inner_text=True)
        expect(report).to_contain_text(
            f"{evidence['start']:,}–{evidence['end']:,}", use_inner_text=True
        )
        cells = (
            folded.locator("table")
            .nth(1)
            .locator("tr:has(td)")
            .first.locator("td")
            .all_inner_texts()
        )
        expect(page.locator(".st-key-trace_chunk_0")).to_contain_text(
            f"holds {cells[1]} of it · {cells[0]} · {cells[2]} tokens", use_inner_text=True
        )
    assert value["query"] == QUERY and value["question"] == ASKED
    assert value["answers"][0][0]["quote"] == evidence["quote"]
    marked = file.locator("mark").first
    assert marked.text_content() == evidence["quote"]


def test_explanations_are_those_of_the_page(
    board: Page,
    settled: Callable[[Page], None],
    opened: tuple[Page, list[str]],
    value: dict[str, Any],
) -> None:
    tables = {t["title"]: t for t in value["explanations"]}
    folded = opened[0].locator("details", has_text="How the scores came about").first
    assert folded.locator("h3").all_inner_texts() == list(tables)
    board.get_by_role("dialog").get_by_role("button", name="Close").click()
    board.get_by_role("dialog").wait_for(state="detached")
    settled(board)
    board.locator(".column").nth(1).locator(".card", has_text="✓ answers").click()
    board.get_by_text("Why this score in Hybrid").wait_for()
    settled(board)
    panel = board.locator(".st-key-search_explain")

    def shown(kind: str, some: str) -> list[list[str]]:
        panel.get_by_role("radio", name=kind).click()
        drawn = panel.locator("table", has_text=some).first
        drawn.wait_for()
        settled(board)
        cells: list[list[str]] = drawn.locator("tr:has(td)").evaluate_all(
            "all => all.map(r => [...r.querySelectorAll('td')].map(c => c.innerText.trim()))"
        )
        return cells

    ledger = next(t for title, t in tables.items() if "Wanted passage in hybrid: fusion" in title)
    page = shown("Fusion", "share")
    assert len(page) == len(ledger["rows"]) == 3
    for (name, rank, score, _, weight, share), row in zip(page[:2], ledger["rows"], strict=False):
        assert [name.lower(), rank, weight, share] == [row[0], row[1], row[3], row[4]]
        assert float(row[2].split()[0]) == pytest.approx(float(score.split()[0]), rel=4e-3)
        assert row[2].split()[1] == score.split()[1]
    assert page[2][-1] == ledger["rows"][2][-1]
    terms = next(t for title, t in tables.items() if "Wanted passage in hybrid: BM25" in title)
    page = shown("BM25", "idf")
    for (word, tf, chunks, idf, part, adds), row in zip(page[:-1], terms["rows"], strict=False):
        assert word.split()[0] == row[0] and [tf, chunks, idf, part, adds] == row[2:]
    assert page[-1][-1] == terms["rows"][-1][-1] and len(page) == len(terms["rows"])


def test_the_page_is_drawn_with_the_answer_and_where_chunks_begin(
    opened: tuple[Page, list[str]], workspace: Path
) -> None:
    page, _ = opened
    drawn: Locator = page.locator("svg.page")
    drawn.scroll_into_view_if_needed()
    size = drawn.locator("image").evaluate(
        "i => new Promise(done => { const x = new Image(); x.onload = () => done(x.naturalWidth);"
        "x.onerror = () => done(0); x.src = i.href.baseVal; })"
    )
    assert size == int(drawn.locator("image").get_attribute("width") or 0) > 900
    whole = drawn.bounding_box()
    assert whole is not None
    boxes = [b.bounding_box() for b in drawn.locator(".evidence").all()]
    assert len(boxes) == 3  # the quote stands on three lines
    for box in boxes:
        assert box is not None and box["width"] > 20
        assert whole["x"] < box["x"] and box["x"] + box["width"] < whole["x"] + whole["width"]
    assert drawn.locator(".begins").count() == 9
