"""The start page: first steps, then the state of the corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.settings import ChunkingSettings
from ragdebug.ui import indexing, workspaces

ROOT = Path(__file__).resolve().parents[2]
DRAFT = "wordllama-l2-supercat-256"


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench that the page uses, on an empty workspace; its jobs are only noted."""
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "work"))
    yield workspaces._open(str(workspaces.default_path()))
    workspaces._open.clear()


@pytest.fixture
def started(wb: Workbench, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Titles of the jobs that were started; none of them runs."""
    titles: list[str] = []
    real = wb.jobs.start

    def start(kind: str, title: str, work: Any, key: str = "") -> Any:  # noqa: ANN401
        titles.append(title)
        return real(kind, title, lambda progress: None, key)

    monkeypatch.setattr(wb.jobs, "start", start)
    return titles


@pytest.fixture
def page(wb: Workbench) -> Callable[[], AppTest]:
    """Open the page."""

    def open_page() -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
        assert not app.exception, app.exception
        return app

    return open_page


def said(app: AppTest) -> str:
    """All that stands on the page as Markdown."""
    return "\n".join(str(e.value) for e in [*app.markdown, *app.caption, *app.warning])


def test_an_empty_workspace_says_what_to_do_first(page: Callable[[], AppTest]) -> None:
    app = page()
    assert "1 · Load documents" in said(app)
    assert [b.label for b in app.main.button if b.label != "Link"] == ["Load the sample corpus"]


def test_the_sample_corpus_is_loaded_as_a_job(
    page: Callable[[], AppTest], started: list[str]
) -> None:
    app = page()
    next(b for b in app.main.button if b.label == "Load the sample corpus").click().run()
    assert not app.exception
    assert started == ["Load the sample corpus"]


def test_a_corpus_is_shown_in_numbers_and_small_work_starts_by_itself_once(
    page: Callable[[], AppTest], wb: Workbench, started: list[str]
) -> None:
    wb.ingest_files([("a.txt", b"Apples are red."), ("bad.pdf", b"no")])
    app = page()
    values = {m.label: m.value for m in app.metric}
    assert values["Documents"] == "1"
    assert values["Indexed · MiniLM"] == "0%"
    assert "1 file could not be read" in said(app)
    assert "would fit into one prompt" in said(app)
    app.run()
    assert started == ["Index with all-MiniLM-L6-v2"]
    assert [b for b in app.main.button if b.label == "Index now"]


def test_long_work_is_offered_with_drafts_first(
    page: Callable[[], AppTest], wb: Workbench, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "AT_ONCE_S", -1)
    wb.ingest_files([("a.txt", b"Apples are red.")])
    app = page()
    assert started == []
    assert "**1 new text**, about" in said(app)
    [drafts] = [b for b in app.main.button if b.label.startswith("Drafts first")]
    drafts.click().run()
    assert started == [f"Index with {DRAFT}", "Index with all-MiniLM-L6-v2"]


def test_a_large_corpus_is_cut_by_a_job_and_not_while_the_page_is_drawn(
    page: Callable[[], AppTest], wb: Workbench, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "AT_ONCE_CHARS", 5)
    wb.ingest_files([("a.txt", b"Apples are red.")])
    assert not wb.is_cut(ChunkingSettings())
    app = page()
    assert {m.label: m.value for m in app.metric}["Indexed · MiniLM"] == "…"
    assert started == ["Cut the documents"]
    wb.chunk_table(ChunkingSettings())
    assert wb.is_cut(ChunkingSettings())
    app.run()
    assert {m.label: m.value for m in app.metric}["Indexed · MiniLM"] == "0%"


def test_what_was_asked_before_is_a_click_away(page: Callable[[], AppTest], wb: Workbench) -> None:
    wb.ingest_files([("a.txt", b"Apples are red.")])
    wb.remember("why <b>red</b>?", {})
    app = page()
    assert "Asked before" in said(app)
