"""The frame in a browser: workspaces and jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PAGE = """
import time
from pathlib import Path
import streamlit as st
from ragdebug.ui import frame
wb = frame.page({name!r})

def work(progress):
    while not Path({release!r}).exists():
        progress(40, 80, "texts")
        time.sleep(0.1)

st.button("Start", on_click=lambda: wb.jobs.start("index", "Embed <b>everything</b>", work))
st.text(f"jobs {{[j.state for j in wb.jobs.list()]}}")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("app")


@pytest.fixture(scope="module")
def two_pages(start: Callable[..., str], folder: Path) -> str:
    """Address of an app with two pages in the frame, on an empty workspace."""
    (folder / "pages").mkdir()
    release = str(folder / "release")
    (folder / "app.py").write_text(PAGE.format(name="Home", release=release))
    (folder / "pages" / "1_Corpus.py").write_text(PAGE.format(name="Other page", release=release))
    return start(folder / "app.py", RAGDEBUG_WORKSPACE=str(folder / "work"))


@pytest.fixture
def release(folder: Path) -> Iterator[Path]:
    """A job works until this file is there."""
    file = folder / "release"
    file.unlink(missing_ok=True)
    yield file
    file.touch()


def test_a_job_goes_on_while_pages_change_and_its_end_is_seen(
    two_pages: str, visit: Callable[..., Page], release: Path
) -> None:
    from playwright.sync_api import expect

    page = visit(two_pages)
    page.get_by_role("button", name="Start").click()
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_text("Embed <b>everything</b>").wait_for()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Corpus").click()
    page.get_by_role("heading", name="Other page").wait_for()
    sidebar.get_by_text("Embed <b>everything</b>").wait_for()
    sidebar.get_by_text("of 80 texts").wait_for()
    release.touch()
    page.get_by_text("jobs ['done'").wait_for()
    expect(sidebar.get_by_role("button", name="Stop")).to_have_count(0)


def test_a_job_can_be_stopped(two_pages: str, visit: Callable[..., Page], release: Path) -> None:
    page = visit(two_pages)
    page.get_by_role("button", name="Start").click()
    page.get_by_test_id("stSidebar").get_by_role("button", name="Stop").click()
    page.get_by_text("jobs ['cancelled'").wait_for()


def test_a_private_workspace_has_a_link_of_its_own(
    two_pages: str, visit: Callable[..., Page]
) -> None:
    page = visit(two_pages)
    page.get_by_text("shared by all who open this address").wait_for()
    page.get_by_test_id("stSidebar").get_by_role("button", name="work", exact=False).click()
    page.get_by_role("button", name="New private workspace").click()
    page.get_by_text("only for those who have its link").wait_for()
    page.wait_for_url(lambda url: "ws=" in url)
    link = page.url
    page.get_by_test_id("stSidebar").get_by_role("link", name="Corpus").click()
    page.get_by_role("heading", name="Other page").wait_for()
    page.get_by_text("only for those who have its link").wait_for()
    friend = visit(two_pages, link.split("/", 3)[3])
    friend.get_by_text("only for those who have its link").wait_for()
    stranger = visit(two_pages)
    stranger.get_by_text("shared by all who open this address").wait_for()


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark_follow_the_computer(
    two_pages: str, visit: Callable[..., Page], dark: bool
) -> None:
    from playwright.sync_api import expect

    page = visit(two_pages, dark=dark)
    expect(page.get_by_test_id("stApp")).to_have_css(
        "background-color", "rgb(18, 23, 30)" if dark else "rgb(255, 255, 255)"
    )
