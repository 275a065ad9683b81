"""The page of what another system brings, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.pieces import GivenPiece, PieceFile
from ragdebug.runs import Run
from ragdebug.settings import RemoteModel, SearcherSettings
from ragdebug.ui import workspaces
from ragdebug.ui.results import differing
from ragdebug.web import agreed
from ragdebug.workbench import remote
from tests.support.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def wb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench that the page uses."""
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "work"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(remote, "FRESH_S", 0.0)  # what is agreed to holds at once
    opened = workspaces._open(str(workspaces.default_path()))
    opened.ingest_files([("tea.md", b"Green tea is brewed with water.")])
    yield opened
    opened.close()  # its models would stand beside those of other tests
    workspaces._open.clear()


def page(part: str) -> AppTest:
    made = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    made.query_params["part"] = part
    return made.switch_page("pages/8_Your_system.py").run()


def texts(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.warning, *app.error, *app.success]
    return "\n".join(str(x.value) for x in parts)


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("chunks", "No chunks of yours yet"),
        ("models", "No models of yours yet"),
        ("lists", "No result lists yet"),
        ("searchers", "No searcher of yours yet"),
        ("nonsense", "No chunks of yours yet"),
    ],
)
def test_an_empty_part_says_what_to_do(wb: Workbench, part: str, says: str) -> None:
    app = page(part)
    assert not app.exception
    assert says in texts(app)


def test_sets_are_taken_out_and_brought_back(wb: Workbench) -> None:
    wb.add_pieces(PieceFile((GivenPiece("Green tea", "tea.md"),)), "theirs", "f.jsonl")
    app = page("chunks")
    assert "searched as imported:theirs" in texts(app).replace("\\", "")
    app.button(key=f"outside_remove_{wb.piece_sets()[0].id}").click().run()
    assert wb.piece_sets() == []
    app.button(key="outside_undo_button").click().run()
    assert [s.name for s in wb.piece_sets()] == ["theirs"]
    assert not app.exception


def test_a_model_of_a_workspace_from_elsewhere_waits_for_a_yes(
    wb: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as server:
        wb.add_remote_model(RemoteModel("prod", "embedder", server.url, "small"))
        model = wb.remote_model("prod").model
        # Another machine: nobody has agreed there.
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
        agreed.forget(wb.path, model.agreement)
        asked = server.asked
        app = page("models")
        assert "Nobody on this machine has agreed" in texts(app)
        assert app.button(key="outside_try_prod").disabled
        assert server.asked == asked
        app.button(key="outside_allow_prod").click().run()
        app.button(key="outside_try_prod").click().run()
        assert "It is the model that was added" in texts(app)
        server.seed = 7
        app.button(key="outside_try_prod").click().run()
        app.button(key="outside_accept_prod").click().run()
        app.button(key="outside_try_prod").click().run()
        assert "It is the model that was added" in texts(app)
        assert not app.exception


def test_a_model_with_a_header_of_its_own_is_added_by_the_form(
    wb: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_KEY", "sk-of-the-shop-0815")
    with ModelServer(key="sk-of-the-shop-0815", key_header="api-key") as server:
        app = page("models")
        for field, text in {
            "name": "azure",
            "url": f"{server.url}/v1/embeddings?api-version=2024-06-01",
            "model": "small",
            "key_env": "SHOP_KEY",
            "key_header": "api-key",
        }.items():
            app.text_input(key=f"_outside_m_{field}").set_value(text)
        app.number_input(key="_outside_m_parallel").set_value(3)
        next(b for b in app.button if b.label == "Try it and add it").click().run()
        assert not app.exception
        model = wb.remote_model("azure").model
        assert (model.key_header, model.parallel) == ("api-key", 3)
        assert "as api-key" in texts(app).replace("\\", "")
        assert "sk-of-the-shop" not in texts(app)


def test_a_searcher_from_elsewhere_runs_nothing_before_a_yes(
    wb: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs_search.py").write_text(
        f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).write_text('yes')\n"
        "def search(query, k):\n    return [{'text': 'Green tea', 'source': 'tea.md'}]\n"
    )
    monkeypatch.chdir(tmp_path)
    settings = SearcherSettings("shop", "python", target="theirs_search:search")
    wb.store.registered.put("searcher", "shop", settings.as_dict())
    app = page("searchers")
    assert "Nobody at this machine has agreed" in texts(app)
    assert app.button(key="outside_try_searcher_shop").disabled
    assert not (tmp_path / "ran").exists()
    app.button(key="outside_agree_shop").click().run()
    app.text_input(key="_outside_ask_shop").set_value("tea").run()
    app.button(key="outside_try_searcher_shop").click().run()
    assert "1 hits" in texts(app) and "1 placed" in texts(app)
    assert (tmp_path / "ran").exists()
    assert not app.exception


def test_a_run_of_another_system_is_cut_as_it_returned_it() -> None:
    cut = {"bm25@fixed:200/0": "fixed:200/0", "list:prod": "imported:list%3Aprod"}
    runs = [Run(s, s, s, chunking, "", "corpus", "questions") for s, chunking in cut.items()]
    assert differing.columns(runs)["chunking"] == ["fixed:200/0", "as returned"]
