"""What all pages share, on a workbench that only knows jobs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ragdebug.errors import RagDebugError, StoreError
from ragdebug.ui import jobs, workspaces
from ragdebug.workbench.jobs import Job


class FakeJobs:
    """A list of jobs that remembers which were stopped."""

    def __init__(self, *given: Job) -> None:
        self.given, self.stopped = list(given), []  # type: list[Job], list[int]

    def list(self) -> list[Job]:
        """All jobs."""
        return self.given

    def cancel(self, job_id: int) -> None:
        """Remember it."""
        self.stopped.append(job_id)


@dataclass
class FakeWorkbench:
    """Only what the frame needs."""

    path: str
    jobs: Any
    problem: StoreError | None = None

    def corpus(self) -> None:
        """Open the store."""
        if self.problem is not None:
            raise self.problem


@pytest.fixture(autouse=True)
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shared workspace for every test."""
    monkeypatch.setenv(workspaces.VARIABLE, str(tmp_path / "shared"))
    st.cache_resource.clear()
    return tmp_path / "shared"


def run(monkeypatch: pytest.MonkeyPatch, *given: Job) -> tuple[AppTest, FakeWorkbench]:
    """A page in the frame."""
    workbench = FakeWorkbench("", FakeJobs(*given))
    monkeypatch.setattr(workspaces, "_open", lambda path: workbench)

    def script() -> None:
        from ragdebug.ui import frame

        frame.page("Search", icon=":material/search:", lead="Ask.")

    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    return app, workbench


def test_the_header_says_who_sees_the_workspace(monkeypatch: pytest.MonkeyPatch) -> None:
    app, _ = run(monkeypatch)
    assert app.title[0].value == "Search"
    assert any("shared by all who open this address" in c.value for c in app.main.caption)


def test_the_sidebar_has_the_way_to_a_private_workspace(monkeypatch: pytest.MonkeyPatch) -> None:
    app, _ = run(monkeypatch)
    [button] = [b for b in app.sidebar.button if b.label == "New private workspace"]
    button.click().run()
    assert not app.exception
    assert any("private workspace" in c.value for c in app.main.caption)
    assert [b for b in app.sidebar.button if b.label == "Back to the shared workspace"]


def test_a_running_job_is_seen_with_its_progress_and_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = Job(7, "index", "", "Embed *all*", state="running", done=1200, total=4000, what="texts")
    app, workbench = run(monkeypatch, job)
    assert any(m.value == r"Embed \*all\*" for m in app.sidebar.markdown)
    assert any("1,200 of 4,000 texts" in c.value for c in app.sidebar.caption)
    [stop] = [b for b in app.sidebar.button if b.label == "Stop"]
    stop.click().run()
    assert workbench.jobs.stopped == [7]


def test_a_failed_job_says_why_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    fresh = Job(1, "k", "", "New", state="failed", error="It broke", finished_at=now)
    old = Job(2, "k", "", "Old", state="done", finished_at=now - 3600)
    app, _ = run(monkeypatch, fresh, old)
    assert any("It broke" in c.value for c in app.sidebar.caption)
    assert not any("Old" in m.value for m in app.sidebar.markdown)


def test_a_workspace_that_cannot_be_opened_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise RagDebugError("The store is used by <b>another</b> program.", hint="Close it.")

    monkeypatch.setattr(workspaces, "_open", refuse)

    def script() -> None:
        import streamlit as st

        from ragdebug.ui import frame

        frame.page("Search")
        st.text("never")

    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    assert "another" in app.error[0].value
    assert "<b>" not in app.error[0].value.replace(r"\<b\>", "")
    assert not app.text


@pytest.mark.parametrize(
    ("job", "line"),
    [
        (Job(1, "k", "", "t", done=0, total=0), "starting …"),
        (Job(1, "k", "", "t", done=5, total=0, what="files"), "5 files"),
        (Job(1, "k", "", "t", done=5, total=9, what="texts", rate=31.4), "31 a second"),
        (Job(1, "k", "", "t", done=5, total=9, rate=0.25, eta_s=90), "4 s each · 2 min left"),
    ],
)
def test_progress_is_said_in_words(job: Job, line: str) -> None:
    assert line in jobs.progress_line(job)


def test_a_store_that_cannot_be_used_is_explained_beside_the_sidebar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = StoreError("It is *not* so", title="Workspace not writable", hint="Copy it")
    workbench = FakeWorkbench("", FakeJobs(), problem)
    monkeypatch.setattr(workspaces, "_open", lambda path: workbench)

    def script() -> None:
        import streamlit as st

        from ragdebug.ui import frame

        frame.page("Search")
        st.text("never")

    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    (shown,) = app.error
    assert shown.value == "**Workspace not writable**  \nIt is \\*not\\* so  \nCopy it"
    assert [t.value for t in app.text] == []
    assert [b for b in app.sidebar.button if b.label == "New private workspace"]
