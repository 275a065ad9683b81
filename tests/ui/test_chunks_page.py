"""The Chunks page: settings, numbers, the open chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.settings import ChunkingSettings
from ragdebug.ui import indexing, workspaces
from ragdebug.ui.health import background

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "The kettle is filled with cold water up to the mark and switched on. "
HANDBOOK = "# Handbook\n\n" + "\n\n".join(f"## Chapter {n}\n\n{SENTENCE * 6}" for n in range(1, 5))


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench that the page uses, with two documents."""
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "work"))
    opened = workspaces._open(str(workspaces.default_path()))
    opened.ingest_files([("handbook.md", HANDBOOK.encode()), ("note.txt", b"A short note.")])
    yield opened
    workspaces._open.clear()


@pytest.fixture
def page(wb: Workbench) -> Callable[..., AppTest]:
    """Open the page, with URL parameters if wanted."""

    def open_page(**params: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.switch_page("pages/2_Chunks.py")
        for name, value in params.items():
            app.query_params[name] = value
        return checked(app.run())

    return open_page


def checked(app: AppTest) -> AppTest:
    """The app, when nothing went wrong in it."""
    assert not app.exception, app.exception
    return app


def said(app: AppTest) -> str:
    """All that stands on the page as Markdown, less its escapes."""
    elements: list[Any] = [*app.markdown, *app.caption, *app.warning, *app.error]
    return "\n".join(e.value.replace("\\", "").replace("\u2060", "") for e in elements)


def handbook(wb: Workbench) -> str:
    """Id of the longer document."""
    return next(d.id for d in wb.documents() if d.source == "handbook.md")


def chunks(app: AppTest, name: str = "A") -> int:
    """The number of chunks that the page says."""
    label: str = app.button(key=f"_next_{name}_chunk").label
    return int(label.strip("*").replace(",", ""))


def test_a_line_says_what_health_finds_in_these_chunks(
    page: Callable[..., AppTest], wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "watch", lambda *_: None)
    wb.ingest_files([("copy.txt", b"A short note.")])
    fine, coarse = "hybrid@fixed:40/0", "hybrid@structure:120/0"
    found = {f.code: f for f in wb.health([coarse])}
    same = found["duplicate_chunks"]
    assert "duplicate_documents" in found
    app = page(size="120", overlap="0")
    assert f"Chunks with the same text: {same.count} of {same.of}" in said(app)
    assert "Documents with the same text" not in said(app)  # of the Corpus page
    wb.health([coarse, fine])
    app = page(size="120", overlap="0", compare="true", size_b="40", overlap_b="0")
    assert "Chunks with the same text" in said(app)


def test_a_large_corpus_is_not_cut_for_the_line(
    page: Callable[..., AppTest], wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "AT_ONCE_CHARS", 10)
    app = page(chunker="fixed", size="80")
    assert "known once all documents are cut this way" in said(app)
    assert not wb.is_cut("fixed:80/40")


def test_the_longest_document_is_shown_with_the_default_chunking(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    app = page()
    assert app.selectbox(key="_chunks_document").value == handbook(wb)
    assert chunks(app) == len(wb.chunk_document(handbook(wb), ChunkingSettings()))


def test_a_slider_moves_the_number_and_the_cuts(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    app = page()
    next(s for s in app.slider if s.label == "Size").set_value(60)
    checked(app.run())
    assert app.number_input(key="size").value == 60
    expected = ChunkingSettings(size=60, overlap=40)
    assert chunks(app) == len(wb.chunk_document(handbook(wb), expected))
    app.number_input(key="size").set_value(80)
    checked(app.run())
    assert next(s for s in app.slider if s.label == "Size").value == 80


def test_impossible_settings_are_refused_with_both_numbers_and_the_old_result_stays(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    app = page(size="100", overlap="20")
    before = chunks(app)
    app.number_input(key="overlap").set_value(100)
    checked(app.run())
    assert "Overlap 100 is not smaller than size 100" in said(app)
    assert "still structure:100/20:tokens:label" in said(app)
    assert chunks(app) == before
    app.number_input(key="overlap").set_value(10)
    checked(app.run())
    assert "is not smaller" not in said(app)


def test_what_is_beyond_the_window_is_warned_about_before_it_runs(
    page: Callable[..., AppTest],
) -> None:
    assert "is beyond the window of 256 tokens" in said(page(size="400"))


def test_two_chunkings_stand_side_by_side_and_each_can_be_stepped_through(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    app = page(compare="true", doc=handbook(wb))
    other = wb.chunk_document(handbook(wb), ChunkingSettings("fixed", size=200, overlap=0))
    assert chunks(app, "B") == len(other)
    app.button(key="_next_B_chunk").click()
    checked(app.run())
    assert app.query_params["chunk"] == f"B!{other[0].id}"
    assert "**Chunk 1** of B" in said(app)
    app.button(key="_next_B_mid_sentence").click()
    checked(app.run())
    assert app.query_params["chunk"] == f"B!{other[1].id}"


def test_the_open_chunk_is_in_the_url_and_survives_other_widgets(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    made = wb.chunk_document(handbook(wb), ChunkingSettings())
    app = page(doc=handbook(wb), chunk=made[2].id)
    assert "**Chunk 3**" in said(app)
    app.toggle(key="_chunks_all").set_value(True)
    checked(app.run())
    assert "**Chunk 3**" in said(app)
    app.button(key="_chunk_step_1").click()
    checked(app.run())
    assert app.query_params["chunk"] == made[3].id


def test_when_the_chunking_changes_the_chunk_at_the_same_place_is_open(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    made = wb.chunk_document(handbook(wb), ChunkingSettings())
    app = page(doc=handbook(wb), chunk=made[3].id, size="50", overlap="0")
    smaller = wb.chunk_document(handbook(wb), ChunkingSettings(size=50, overlap=0))
    row = next(i for i, c in enumerate(smaller) if c.start <= made[3].start < c.end)
    assert f"**Chunk {row + 1}**" in said(app)


def test_an_expected_passage_from_the_link_is_drawn_and_can_be_forgotten(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    document = wb.document(handbook(wb))
    app = page(doc=document.id, expect=f"{document.id}@{document.version[:8]}:30-90")
    assert "expected passage is drawn" in said(app)
    app.button(key="chunks_forget").click()
    checked(app.run())
    assert "expected passage is drawn" not in said(app)


def test_a_link_to_a_document_that_is_gone_shows_another_one(
    page: Callable[..., AppTest], wb: Workbench
) -> None:
    app = page(doc="0000000000")
    assert "is not here any more" in said(app)
    assert app.selectbox(key="_chunks_document").value == handbook(wb)


def test_the_whole_corpus_is_counted_on_demand(page: Callable[..., AppTest], wb: Workbench) -> None:
    app = page()
    assert "documents" not in [m.value for m in app.markdown]
    app.toggle(key="_chunks_all").set_value(True)
    checked(app.run())
    assert "documents" in [m.value for m in app.markdown]
    assert f"**{wb.overview(ChunkingSettings()).chunks}**" in [m.value for m in app.markdown]
