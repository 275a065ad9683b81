"""The dialog of case files: tried fixes are offered, and choices of another case are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.questions import Label, Need

NAMES = ("oak", "elm", "ash", "fir")
TODAY = "bm25@structure:16/0:tokens:nolabel+k=1"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A heading names the tree; the chunk that answers does not."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for at, name in enumerate(NAMES):
        (docs / f"{name}.md").write_text(
            f"# The {name}\n\nIt reaches {at + 11} metres and flowers in spring, they say.\n",
            "utf-8",
        )
    with Workbench(tmp_path / "work") as wb:
        wb.ingest([docs])
        for at, name in enumerate(NAMES):
            place = wb.find_quote(f"It reaches {at + 11} metres")[0]
            wb.add_question(f"size of the {name}", [Need((Label(place),))])
    return tmp_path / "work"


def page(workspace: str, today: str) -> None:
    import streamlit as st

    from ragdebug import Workbench
    from ragdebug.settings import StrategySettings
    from ragdebug.ui import case_dialog
    from ragdebug.workbench.whatif.reports import PlannedFix

    with Workbench(workspace) as wb:
        question = wb.questions()[1]
        own = StrategySettings.parse(today)
        more = own.changed({"k": "4"})
        planned = [PlannedFix("k 4", "", more)]
        fixes = wb.try_fixes(question.id, own, "below_k", planned=planned).fixes
        st.session_state["_case_open"] = True
        strategies = {"bm25": own, "flat": own.changed({"b": "0"})}
        case_dialog.show(wb, question.text, question, (), strategies, fixes)


def test_a_tried_fix_is_proposed_with_what_it_does(workspace: Path) -> None:
    app = AppTest.from_function(page, args=(str(workspace), TODAY), default_timeout=60)
    app.session_state["case_proposed"] = "fix: of another question"
    app.session_state["case_withhold"] = ["bm25:99"]
    app.run()
    assert not app.exception
    assert app.selectbox(key="case_proposed").options == ["nothing", "fix: k 4", "bm25", "flat"]
    app.selectbox(key="case_proposed").set_value("fix: k 4")
    app.button(key="case_gather").click().run()
    assert not app.exception
    said = [text.value for text in app.text]
    assert any(text.startswith("k 4 ") and "of 3 other questions" in text for text in said)
    app.selectbox(key="case_today").set_value("flat").run()
    # It was tried against the first strategy, and says nothing of another.
    assert app.selectbox(key="case_proposed").options == ["nothing", "bm25", "flat"]
    assert app.selectbox(key="case_proposed").value == "nothing"
    assert not app.exception
