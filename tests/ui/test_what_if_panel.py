"""The what-if panel: sliders that answer, remedies that are tried, a name that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.questions import Label, Need

PLANTS = ("oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "hop", "pea", "rye", "oat")
WRITTEN = "This page was written by a gardener of the town."
STRATEGY = "bm25@structure:16/0:tokens:nolabel+k=3"


def page(path: str, question: str, strategy: str) -> None:
    from ragdebug import Workbench
    from ragdebug.settings import StrategySettings
    from ragdebug.ui.whatif import panel

    with Workbench(path) as wb:
        panel.draw(wb, question, StrategySettings.parse(strategy))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Path of a workspace and id of a question that is lost in it."""
    (tmp_path / "docs").mkdir()
    for at, plant in enumerate(PLANTS):
        text = f"# The {plant}\n\n{WRITTEN}\n\nIt reaches {at + 11} metres in all.\n"
        (tmp_path / "docs" / f"{plant}.md").write_text(text, "utf-8")
    with Workbench(tmp_path / "w") as wb:
        wb.ingest([tmp_path / "docs"])
        for at, plant in enumerate(PLANTS):
            found = wb.find_quote(f"It reaches {at + 11} metres")[0]
            wb.add_question(f"**size** of the {plant} metres", [Need((Label(found),))])
        yield str(tmp_path / "w"), wb.questions()[-1].id


def test_a_slider_shows_what_it_rescues_and_a_name_keeps_it(
    place: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The panel alone has no other pages to link to.
    monkeypatch.setattr(
        "ragdebug.ui.state.link_to_trace", lambda label, question, strategy: st.caption(label)
    )
    path, question = place
    at = AppTest.from_function(page, args=(path, question, STRATEGY), default_timeout=60).run()
    assert not at.exception
    assert any("recall@3" in m.value for m in at.markdown)
    at.slider(key="whatif_k").set_value(40).run()
    assert not at.exception
    with Workbench(path) as wb:
        told = wb.what_if(STRATEGY, {"k": 40})
        assert told.rescued
        assert any(f"{len(told.rescued)} rescued" in m.value for m in at.markdown)
        assert any(r"\*\*size\*\*" in c.value for c in at.caption)  # as it was typed
        assert f"Rescued: {len(told.rescued)}" in [e.label for e in at.expander]
        at.text_input(key="whatif_name").set_value("wide").run()
        at.button(key="whatif_keep").click().run()
        assert not at.exception
        assert {name: str(s) for name, s in wb.named_strategies().items()} == {
            "wide": str(told.after)
        }
