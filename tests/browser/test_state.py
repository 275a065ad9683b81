"""State and URL in a browser, with native pages: what is kept, what a link carries."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

FIRST = """
import streamlit as st
from ragdebug.ui import chunking_form, state
st.set_page_config(layout="wide")
state.begin("first")
st.text_input("Query", key=state.Key.QUERY, bind="query-params")
settings = chunking_form.draw()
st.multiselect("Modes", ["vector", "bm25", "hybrid"], key="modes", persist_state="session")
hit = state.url_value(state.Key.HIT, "", check=state.short_text)
st.button("Choose a hit", on_click=lambda: state.put(state.Key.HIT, "c3.1f:0-128"))
st.text(f"used {settings} query {st.session_state.q!r} hit {hit!r}")
"""
SECOND = """
import streamlit as st
from ragdebug.ui import state
st.set_page_config(layout="wide")
state.begin("second")
st.text(f"second page, {sorted(st.query_params)}")
st.page_link("pages/1_First.py", label="with a query", query_params={"q": "from a link"})
"""


@pytest.fixture(scope="module")
def two_pages(start: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of an app with two native pages."""
    folder: Path = tmp_path_factory.mktemp("app")
    (folder / "pages").mkdir()
    (folder / "app.py").write_text("import streamlit as st\nst.title('home')\n")
    (folder / "pages" / "1_First.py").write_text(FIRST)
    (folder / "pages" / "2_Second.py").write_text(SECOND)
    return start(folder / "app.py", STREAMLIT_CLIENT_SHOW_SIDEBAR_NAVIGATION="true")


def go(page: Page, name: str) -> None:
    """Use the menu."""
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()


def test_what_was_set_is_there_after_other_pages_and_in_the_link(
    two_pages: str, visit: Callable[..., Page]
) -> None:
    page = visit(two_pages, "First")
    page.get_by_label("Query").fill("harbour fee")
    page.get_by_label("Query").press("Enter")
    page.get_by_text("query 'harbour fee'").wait_for()
    for name, value, seen in (("Size", "307", ":307/"), ("Overlap", "23", "/23:")):
        field = page.get_by_label(name, exact=True)
        field.fill(value)
        field.press("Enter")
        page.get_by_text(re.compile(f"used .*{seen}")).wait_for()
    page.get_by_role("button", name="Choose a hit").click()
    used = "used structure:307/23:tokens:label query 'harbour fee' hit 'c3.1f:0-128'"
    page.get_by_text(used).wait_for()

    go(page, "Second")
    page.get_by_text("second page, []").wait_for()
    go(page, "app")
    page.get_by_text("home").wait_for()
    go(page, "First")
    page.get_by_text(used).wait_for()
    expect(page.get_by_label("Size", exact=True)).to_have_value("307")
    page.wait_for_url(lambda url: "q=harbour" in url and "size=307" in url and "hit=c3.1f" in url)

    fresh = visit(two_pages, page.url.split("/", 3)[3])
    fresh.get_by_text(used).wait_for()
    expect(fresh.get_by_label("Query")).to_have_value("harbour fee")


def test_a_link_to_a_page_changes_only_what_it_carries(
    two_pages: str, visit: Callable[..., Page]
) -> None:
    page = visit(two_pages, "First?size=300&hit=abc")
    page.get_by_text("used structure:300/40:tokens:label query '' hit 'abc'").wait_for()
    go(page, "Second")
    page.get_by_role("link", name="with a query").click()
    page.get_by_text("used structure:300/40:tokens:label query 'from a link' hit 'abc'").wait_for()


def test_back_restores_what_was_set_before(two_pages: str, visit: Callable[..., Page]) -> None:
    page = visit(two_pages, "First")
    page.get_by_text("hit ''").wait_for()
    page.get_by_role("button", name="Choose a hit").click()
    page.get_by_text("hit 'c3.1f:0-128'").wait_for()
    page.wait_for_url("**hit=**")
    page.go_back()
    page.get_by_text("hit ''").wait_for()
    page.go_forward()
    page.get_by_text("hit 'c3.1f:0-128'").wait_for()


def test_two_sessions_do_not_see_each_others_values(
    two_pages: str, visit: Callable[..., Page]
) -> None:
    first, second = visit(two_pages, "First"), visit(two_pages, "First")
    first.get_by_label("Query").fill("mine alone")
    first.get_by_label("Query").press("Enter")
    first.get_by_text("query 'mine alone'").wait_for()
    second.reload()
    second.get_by_text("query ''").wait_for()
