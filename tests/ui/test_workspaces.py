"""Which workspace a session sees."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ragdebug.errors import InvalidSetting
from ragdebug.ui import workspaces


@pytest.fixture(autouse=True)
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shared workspace of its own for every test; no real workbench is opened."""
    path = tmp_path / "shared"
    monkeypatch.setenv(workspaces.VARIABLE, str(path))
    monkeypatch.setattr(workspaces, "_open", str)
    st.cache_resource.clear()
    return path


def script() -> None:
    """Says which workspace is open."""
    import streamlit as st

    from ragdebug.ui import state, workspaces

    state.begin("page")
    opened = workspaces.open_now()
    st.text(f"{opened}|{workspaces.is_shared()}|{workspaces.is_private()}")
    st.button("private", on_click=workspaces.new_private)
    st.button("leave", on_click=workspaces.leave)


def opened(app: AppTest) -> list[str]:
    """Path, whether shared, whether private."""
    assert not app.exception
    return str(app.text[0].value).split("|")


def session() -> AppTest:
    """A browser session of its own."""
    return AppTest.from_function(script, default_timeout=30)


def test_everybody_starts_in_the_shared_one(shared: Path) -> None:
    assert opened(session().run()) == [str(shared), "True", "False"]


def test_a_private_one_is_seen_by_nobody_who_lacks_its_link(shared: Path) -> None:
    mine, other = session().run(), session().run()
    mine.button[0].click().run()
    path, is_shared, is_private = opened(mine)
    assert Path(path).parent == workspaces.private_root()
    assert (is_shared, is_private) == ("False", "True")
    assert opened(other.run())[0] == str(shared)
    friend = session()
    friend.query_params["ws"] = mine.query_params["ws"]
    assert opened(friend.run())[0] == path


def test_two_private_ones_are_apart() -> None:
    first, second = session().run(), session().run()
    first.button[0].click().run()
    second.button[0].click().run()
    assert opened(first)[0] != opened(second)[0]


def test_one_gets_back_to_the_shared_one(shared: Path) -> None:
    app = session().run()
    app.button[0].click().run()
    app.button[1].click().run()
    assert opened(app)[0] == str(shared)
    assert "ws" not in app.query_params


@pytest.mark.parametrize("token", ["../../etc", "/etc", "0" * 24, "x" * 24, "ABCDEF"])
def test_a_link_cannot_open_any_other_folder(shared: Path, token: str) -> None:
    app = session()
    app.query_params["ws"] = token
    assert opened(app.run())[0] == str(shared)


def test_folders_with_other_files_are_not_taken_for_workspaces(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("x")
    for text in (str(tmp_path / "letters"), str(tmp_path / "letters" / "dear.txt"), "  "):
        with pytest.raises(InvalidSetting):
            workspaces.open_folder(text)


def test_paths_are_refused_where_others_can_reach_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspaces, "by_path_allowed", lambda: False)
    with pytest.raises(InvalidSetting, match="this computer alone"):
        workspaces.open_folder(str(tmp_path / "new"))
