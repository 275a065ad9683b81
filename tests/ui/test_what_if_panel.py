"""The what-if panel: sliders that answer, remedies that are tried, a name that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ragdebug import Workbench
from ragdebug.protocols import Progress
from ragdebug.questions import Label, Need
from ragdebug.workbench.whatif.reports import WhatIf

PLANTS = ("oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "hop", "pea", "rye", "oat")
WRITTEN = "This page was written by a gardener of the town."
STRATEGY = "bm25@structure:16/0:tokens:nolabel+k=3"
DRAFT = "hybrid@structure:16/0:tokens:nolabel+model=wordllama-l2-supercat-256+k=3"


def page(wb: object, question: str, strategy: str) -> None:
    from ragdebug.settings import StrategySettings
    from ragdebug.ui.whatif import panel

    panel.draw(wb, question, StrategySettings.parse(strategy))


def seen(markdown: str) -> str:
    """What a reader sees of text that was kept literal."""
    return markdown.replace("\\", "").replace("\u2060", "")


@pytest.fixture
def lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Workbench, str]]:
    """A workspace and the id of a question that is lost in it."""
    # The panel alone has no other pages to link to.
    monkeypatch.setattr(
        "ragdebug.ui.state.link_to_trace", lambda label, question, strategy: st.caption(label)
    )
    monkeypatch.setattr("ragdebug.ui.whatif.panel.SOON_S", 60.0)
    (tmp_path / "docs").mkdir()
    for at, plant in enumerate(PLANTS):
        kind = "tree" if at < 8 else "**herb**"
        head = f'---\nkind: "{kind}"\n---\n# The {plant}\n\n'
        text = f"{head}{WRITTEN}\n\nIt reaches {at + 11} metres in all.\n"
        (tmp_path / "docs" / f"{plant}.md").write_text(text, "utf-8")
    with Workbench(tmp_path / "w") as wb:
        wb.ingest([tmp_path / "docs"])
        for at, plant in enumerate(PLANTS):
            found = wb.find_quote(f"It reaches {at + 11} metres")[0]
            wb.add_question(f"**size** of the {plant} metres", [Need((Label(found),))])
        yield wb, wb.questions()[-1].id


def test_a_slider_shows_what_it_rescues_and_a_name_keeps_it(lost: tuple[Workbench, str]) -> None:
    wb, question = lost
    at = AppTest.from_function(page, args=(wb, question, STRATEGY), default_timeout=60).run()
    assert not at.exception
    assert any("Today recall@3" in m.value for m in at.markdown)
    assert not any("rescued" in m.value for m in at.markdown)  # nothing is turned
    at.slider(key="whatif_k").set_value(40).run()
    assert not at.exception
    told = wb.what_if(STRATEGY, {"k": 40})
    assert told.rescued
    assert any(f"{len(told.rescued)} rescued" in m.value for m in at.markdown)
    assert any(r"\*\*size\*\*" in c.value for c in at.caption)  # as it was typed
    assert f"Rescued: {len(told.rescued)}" in [e.label for e in at.expander]
    at.text_input(key="whatif_name").set_value("wide").run()
    at.button(key="whatif_keep").click().run()
    assert not at.exception
    assert {name: str(s) for name, s in wb.named_strategies().items()} == {"wide": str(told.after)}


def test_questions_are_searched_for_beside_the_page_which_says_how_far(
    lost: tuple[Workbench, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wb, question = lost
    monkeypatch.setattr("ragdebug.ui.whatif.panel.SOON_S", 0.0)
    begun, go_on, done, search = Event(), Event(), Event(), wb.what_if

    def slow(*args: Any, progress: Progress, **options: Any) -> WhatIf:
        progress(3, 12, "questions searched")
        begun.set()
        go_on.wait(60)
        try:
            return search(*args, progress=progress, **options)
        finally:
            done.set()

    monkeypatch.setattr(wb, "what_if", slow)
    at = AppTest.from_function(page, args=(wb, question, STRATEGY), default_timeout=60).run()
    assert begun.wait(60)
    at.run()
    assert not at.exception
    assert any("3 of 12 questions searched" in c.value for c in at.caption)
    assert at.slider(key="whatif_k").value == 3  # it can be turned already
    go_on.set()
    assert done.wait(60)
    monkeypatch.setattr(wb, "what_if", search)
    at.run()
    assert any("recall@3" in m.value for m in at.markdown)
    assert not any("questions searched" in c.value for c in at.caption)


def test_fixes_are_tried_and_one_is_confirmed(lost: tuple[Workbench, str]) -> None:
    wb, question = lost
    at = AppTest.from_function(page, args=(wb, question, STRATEGY), default_timeout=60).run()
    at.button(key="whatif_fixes_try").click().run()
    wb.jobs.wait(wb.jobs.list()[0].id, 120)
    at.run()
    assert not at.exception
    (table,) = at.dataframe
    assert "with label" in list(table.value["remedy"])
    at.button(key="whatif_fixes_confirm").click().run()
    wb.jobs.wait(wb.jobs.list()[0].id, 120)
    at.run()
    assert not at.exception
    (run,) = wb.runs()
    assert any(run.id in c.value for c in at.caption)


def test_a_filter_and_an_analyzer_are_applied_at_once_and_said(
    lost: tuple[Workbench, str],
) -> None:
    wb, question = lost
    at = AppTest.from_function(page, args=(wb, question, STRATEGY), default_timeout=60).run()
    assert any("No filter in force: all 12 documents" in seen(c.value) for c in at.caption)
    assert "kind=tree" in at.multiselect(key="whatif_filter").options
    at.multiselect(key="whatif_filter").set_value(["kind=**herb**"]).run()
    at.selectbox(key="whatif_language").set_value("none").run()
    assert not at.exception
    (said,) = (c.value for c in at.caption if "Filter in force" in c.value)
    assert r"\*\*herb\*\*" in said  # as it was written
    assert "kind=**herb**, 4 of 12 documents (today: none)" in seen(said)
    assert any("need no embedding: instant" in c.value for c in at.caption)
    told = wb.what_if(STRATEGY, {"filter": "kind=**herb**", "analyzer": "none"})
    assert any(f"{len(told.harmed)} harmed" in m.value for m in at.markdown)
    at.button(key="whatif_back").click().run()
    assert any("No filter in force" in c.value for c in at.caption)
    assert at.selectbox(key="whatif_language").value == "auto"


@pytest.mark.model
def test_what_costs_is_said_before_it_is_computed_and_remembered(
    lost: tuple[Workbench, str],
) -> None:
    wb, question = lost
    wb.compute_what_if(DRAFT, {})
    at = AppTest.from_function(page, args=(wb, question, DRAFT), default_timeout=60).run()
    at.toggle(key="label_whatif").set_value(True).run()
    assert not at.exception
    told = {"chunking": "structure:16/0:tokens:label"}
    cost = wb.plan_what_if(DRAFT, told)
    assert cost.texts
    assert any(f"To compute: {cost}" in m.value for m in at.markdown)
    assert not any("rescued" in m.value for m in at.markdown)
    at.button(key="whatif_compute").click().run()
    wb.jobs.wait(wb.jobs.list()[0].id, 120)
    at.run()
    assert not at.exception
    assert any("Nothing new to compute: instant" in c.value for c in at.caption)
    rescued = len(wb.what_if(DRAFT, told).rescued)
    assert rescued and any(f"{rescued} rescued" in m.value for m in at.markdown)


def test_a_language_that_nothing_is_known_for_is_refused_with_the_known_ones(
    lost: tuple[Workbench, str],
) -> None:
    wb, question = lost
    at = AppTest.from_function(page, args=(wb, question, STRATEGY), default_timeout=60)
    at.session_state["whatif_language"] = "tlh"
    at.run()
    assert not at.exception
    assert any("no analyzer for the language" in e.value for e in at.error)
