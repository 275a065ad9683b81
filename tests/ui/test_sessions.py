"""Two people at one address: what they share, and what neither sees of the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.ui import indexing, workspaces
from ragdebug.ui.corpus import reading_in

APP = Path(__file__).resolve().parents[2] / "app.py"
CORPUS, SEARCH = "pages/1_Corpus.py", "pages/3_Search.py"


@pytest.fixture(autouse=True)
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench of the shared workspace, which is empty."""
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "work"))
    monkeypatch.setattr(indexing, "offer", lambda *_: True)  # no model is loaded behind a test
    monkeypatch.setattr(reading_in, "_PATIENCE_S", 60)
    yield workspaces._open(str(workspaces.default_path()))
    workspaces._open.clear()


def session(page: str = CORPUS) -> AppTest:
    """A browser session of its own."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.switch_page(page)
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    """The app, when nothing went wrong in it."""
    assert not app.exception, app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    """Click the button of this label."""
    [button] = [b for b in app.button if b.label == label]
    button.click()
    return checked(app.run())


def add(app: AppTest, name: str, text: str) -> AppTest:
    """Upload one file."""
    app.file_uploader[0].set_value([(name, text.encode(), "text/plain")])
    checked(app.run())
    return press(app, "Add 1 file")


def listed(app: AppTest) -> list[str]:
    """Documents in the table of the Corpus page."""
    tables = [d.value for d in app.dataframe if "document" in d.value]
    return list(tables[0]["document"]) if tables else []


def test_what_one_adds_to_the_shared_workspace_the_other_sees(shared: Workbench) -> None:
    mine, other = session(), session()
    add(mine, "maple.txt", "Maples turn red.")
    assert listed(checked(other.run())) == ["maple.txt"]
    assert len(shared.documents()) == 1


def test_a_private_workspace_and_the_shared_one_hold_nothing_of_each_other(
    shared: Workbench,
) -> None:
    mine, other = session(), session()
    add(mine, "maple.txt", "Maples turn red.")
    press(other, "New private workspace")
    assert listed(other) == []
    add(other, "birch.txt", "Birches turn yellow.")
    assert listed(checked(other.run())) == ["birch.txt"]
    assert listed(checked(mine.run())) == ["maple.txt"]
    private = workspaces._open(str(next(workspaces.private_root().iterdir())))
    assert private.search("maple", ["bm25"]).lists["bm25"].hits == ()
    assert shared.search("birch", ["bm25"]).lists["bm25"].hits == ()


def test_narrowing_the_list_in_one_session_leaves_the_other_ones_whole() -> None:
    mine = add(session(), "maple.txt", "Maples turn red.")
    other = add(session(), "birch.txt", "Birches turn yellow.")
    mine.text_input(key="_corpus_find").set_value("maple")
    assert listed(checked(mine.run())) == ["maple.txt"]
    assert listed(checked(other.run())) == ["birch.txt", "maple.txt"]
    assert other.text_input(key="_corpus_find").value == ""


def test_an_empty_workspace_leaves_every_page_usable() -> None:
    for page in (CORPUS, SEARCH, "pages/2_Chunks.py", "app.py"):
        app = session(page)
        assert [b.label for b in app.button if b.label == "Load the sample corpus"], page
