"""Lines above and below the lists: always there, and one line each, so that nothing jumps."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.ui import indexing, workspaces
from ragdebug.ui.health import beside
from ragdebug.ui.search import filling

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("terms", "said"), [("None", "looking up the words …"), ("()", "No words to look up.")]
)
def test_the_line_of_terms_is_there_before_they_are_known(terms: str, said: str) -> None:
    app = AppTest.from_string(f"from ragdebug.ui.search import terms\nterms.draw({terms})").run()
    assert [c.value for c in app.caption] == [said]


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (["a" * 40, "b" * 40, "c" * 40, "d"], 3),
        (["a" * 60, "b" * 60, "c" * 60], 2),
        (["a" * 300, "b"], 1),
        ([], 0),
    ],
)
def test_the_line_of_health_shows_what_fits_on_it(parts: list[str], shown: int) -> None:
    assert beside.fitting(parts) == parts[:shown]


def test_a_hit_that_another_query_does_not_have_leaves_word_of_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "boats.md").write_text("# Boats\n\nA green boat lies at the pier.", "utf-8")
    with Workbench(tmp_path / "workspace") as wb:
        wb.ingest([tmp_path / "boats.md"])
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "workspace"))
    monkeypatch.setattr(indexing, "offer", lambda *_: True)
    monkeypatch.setattr(filling, "LIGHT_S", 60.0)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.switch_page("pages/3_Search.py")
    app.query_params["q"] = "green boat"
    app.query_params["columns"] = "bm25,bm25+k1=2"
    app.query_params["hit"] = "bm25:of.another:0-5"
    app.run()
    workspaces._open.clear()
    assert not app.exception
    assert any(c.value.startswith("Click a hit") for c in app.caption)
