"""A file on its way in: looked at first, then kept. Both are jobs that outlive the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from ragdebug.errors import RagDebugError
from ragdebug.protocols import Progress
from ragdebug.ui import literal

if TYPE_CHECKING:
    from ragdebug.workbench import Workbench

_PATIENCE_S = 1.5  # small files are there before the page is drawn again


class LookedAt:
    """One part's file, in the session.

    Args:
        kind: of the jobs; begins the session's keys.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def _key(self, name: str) -> str:
        return f"_outside {self._kind} {name}"

    def _get(self, name: str) -> Any:  # noqa: ANN401 - whatever was put there
        return st.session_state.get(self._key(name))

    @property
    def field(self) -> str:
        """Key of the upload field; another one once a file was brought in, so that it is empty."""
        return f"_outside_{self._kind}_file_{self._get('round') or 0}"

    @property
    def request(self) -> Any:  # noqa: ANN401 - as `start` was given it
        """What was looked at last and could be brought in."""
        return self._get("request")

    @property
    def report(self) -> Any:  # noqa: ANN401 - of the part
        """What it came to."""
        return self._get("report")

    def collect(self, wb: Workbench) -> None:
        """Take up what a job of this session came to."""
        job = wb.jobs.get(self._get("job") or 0)
        if job is None or job.active:
            return
        del st.session_state[self._key("job")]
        if job.state == "failed":
            st.session_state[self._key("problem")] = (job.error, job.hint)
        elif job.state == "done":
            st.session_state[self._key("report")] = job.result

    def start(
        self,
        wb: Workbench,
        file: tuple[str, bytes],
        dry_run: bool,
        request: object,
        work: Callable[[Progress], object],
    ) -> None:
        """Look at a file, or bring it in. For callbacks.

        Args:
            wb: the workbench.
            file: name and bytes.
            dry_run: only look at it.
            request: what the part needs to bring it in afterwards.
            work: gives the report.
        """
        verb = "Look at" if dry_run else "Bring in"
        try:
            job = wb.jobs.start(self._kind, f"{verb} {file[0]}", work, key=f"{dry_run} {id(file)}")
        except RagDebugError as error:
            st.session_state[self._key("problem")] = (error.message, error.hint)
            return
        self.forget()
        st.session_state[self._key("job")] = job.id
        if dry_run:
            st.session_state[self._key("request")] = request
        else:  # the bytes are not needed again
            st.session_state[self._key("round")] = (self._get("round") or 0) + 1
        wb.jobs.wait(job.id, _PATIENCE_S)

    def forget(self) -> None:
        """Put the outcome away."""
        for old in ("report", "problem", "request"):
            st.session_state.pop(self._key(old), None)

    def say_problem(self) -> None:
        """Why there is no outcome."""
        if problem := self._get("problem"):
            literal.problem(*problem)
